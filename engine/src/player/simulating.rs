//! Players that choose moves by simulation.
//!
//! The time manager: the length of the simulation of a turn, given the budget of a game.
//!
//! A budget buys most if the last playout of every turn gains the same. So turns have no fixed shares. Every simulation ends
//! once no candidate is expected to exceed the leader by a certain number of points ([`Settings::least_excess`]). It takes
//! more playouts where candidates are close. The manager has a table of the playouts that a game takes for each such number.
//! There it looks up the number for the budget. Only a turn that would take many times the mean is cut short.
//!
//! A budget is a number of playouts, and games remain reproducible. Or it is the time left on a clock, and the rate of
//! earlier simulations turns it into playouts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rand::Rng;

use super::judged::{Basis, JudgedMove};
use super::kinds::Decide;
use crate::clock::{SearchLimits, TimeLeft, turns_of};
use crate::game::Game;
use crate::monitor::StopOnly;
use crate::movegen::{Generator, ValuedMove};
use crate::rack::Rack;
use crate::setup::Setup;
use crate::simulator::{Candidate, MAX_ITERATIONS, Settings, SimulationResult, Simulator, Situation, Standing};
use crate::static_player::StaticPlayer;
use crate::win_percentage::WinPercentage;

/// Chooses moves by simulation. Each decision uses one thread, because a series plays its pairs on all threads.
#[derive(Debug)]
pub(crate) struct SimulationPlayer {
    pub(super) ranker: StaticPlayer,
    pub(super) policy: StaticPlayer,
    pub(super) win_percentage: WinPercentage,
    pub(super) settings: Settings,
    pub(super) time_manager: TimeManager,
    pub(super) seed: u64,
}

/// The least number of deals on which judged moves are tried, so that each has figures.
const LEAST_JUDGED: u64 = 32;
/// The deals on which a move is compared with the choice if the simulation has tried either on fewer.
const COMPARED: u64 = 256;

impl SimulationPlayer {
    /// The settings of a decision, and the best moves under the ranker.
    fn candidates(
        &self,
        generator: &mut Generator<'_>,
        game: &Game,
        limits: SearchLimits<'_>,
    ) -> (Settings, Vec<Candidate>) {
        let setup = generator.setup();
        let settings = self.time_manager.settings(setup, &self.settings, limits.time);
        let simulator = Simulator::new(setup, &self.policy, &self.win_percentage, &settings);
        let candidates = simulator.candidates(&self.ranker, generator, game);
        (settings, candidates)
    }

    fn simulated(
        &self,
        setup: &Setup,
        game: &Game,
        (settings, candidates): (&Settings, &[Candidate]),
        limits: SearchLimits<'_>,
    ) -> SimulationResult {
        let simulator = Simulator::new(setup, &self.policy, &self.win_percentage, settings);
        let simulator = simulator.with_prior(settings.prior.then(|| self.ranker.prior(game.bag.len())));
        let seed = game.stream(self.seed).next_u64();
        let last = game.last_move().filter(|_| self.settings.inference);
        let situation = Situation { game: game.clone(), known: Rack::default(), last, seed };
        let begun = Instant::now();
        let simulated = simulator.run(&situation, candidates, 1, &StopOnly(limits.monitor), &mut |_| ());
        self.time_manager.add(simulated.standings.iter().map(|standing| standing.iterations).sum(), begun.elapsed());
        simulated
    }
}

/// Adds a move to the candidates, in the place of an equivalent one if there is one. Returns the place.
fn add(candidates: &mut Vec<Candidate>, also: ValuedMove) -> usize {
    let holds = |candidate: &Candidate| candidate.valued.chosen == also.chosen || candidate.same.contains(&also.chosen);
    let place = candidates.iter().position(holds).unwrap_or(candidates.len());
    match candidates.get_mut(place) {
        Some(candidate) => candidate.valued = also,
        None => candidates.push(Candidate { valued: also, same: Vec::new() }),
    }
    place
}

impl Decide for SimulationPlayer {
    fn decide(&self, generator: &mut Generator<'_>, game: &Game, limits: SearchLimits<'_>) -> ValuedMove {
        if limits.time.is_some_and(|time| time.share.is_zero()) {
            return self.ranker.choose(generator, &game.turn(generator.setup()));
        }
        let (settings, candidates) = self.candidates(generator, game, limits);
        if let [only] = &candidates[..] {
            return only.valued;
        }
        let simulated = self.simulated(generator.setup(), game, (&settings, &candidates), limits);
        match simulated.best() {
            Some(best) => best.candidate.valued,
            None => self.ranker.choose(generator, &game.turn(generator.setup())),
        }
    }

    fn judge(
        &self,
        generator: &mut Generator<'_>,
        game: &Game,
        also: Option<ValuedMove>,
        limits: SearchLimits<'_>,
    ) -> Option<(Basis, Vec<JudgedMove>)> {
        let setup = generator.setup();
        let (settings, mut candidates) = self.candidates(generator, game, limits);
        let also = also.map(|also| add(&mut candidates, also));
        let mut simulated = self.simulated(setup, game, (&settings, &candidates), limits);
        let choice = simulated.best()?.candidate.clone();
        if simulated.iterations == 0 {
            // Equities have decided before the first deal.
            let more = Settings { least_iterations: LEAST_JUDGED, ..settings.clone() };
            simulated = self.simulated(setup, game, (&more, &candidates), limits);
        }
        let also = also.map(|place| candidates[place].clone()).filter(|also| also.valued != choice.valued);
        if let Some(also) = also {
            let pair = [choice.clone(), also];
            let is_of_pair = |standing: &Standing| pair.iter().any(|one| one.valued == standing.candidate.valued);
            if simulated.standings.iter().any(|standing| is_of_pair(standing) && standing.iterations < COMPARED) {
                // Both on the same deals, whatever their equities are.
                let even = Settings { iterations: COMPARED, prior: false, confidence: 1.0, ..settings };
                let compared = self.simulated(setup, game, (&even, &pair), limits);
                simulated.standings.retain(|standing| !is_of_pair(standing));
                simulated.standings.extend(compared.standings);
            }
        }
        let mut moves: Vec<JudgedMove> = simulated.standings.iter().map(JudgedMove::simulated).collect();
        moves.sort_by_key(|judged| judged.chosen != choice.valued.chosen);
        Some((Basis::Simulation, moves))
    }
}

/// The mean playouts of a turn, of those that [`turns_of`] estimates, at each least excess. The program
/// `effort` measured them (commit 8517338, in the examples of the tests).
const PLAYOUTS: [(f64, f64); 7] =
    [(0.8, 12.8), (0.4, 53.5), (0.2, 137.5), (0.1, 285.0), (0.05, 540.0), (0.025, 1020.0), (0.0125, 1815.0)];
/// The range of the least excess.
const EXCESSES: std::ops::RangeInclusive<f64> = 1e-4..=4.0;
/// A turn takes at most this number divided by the least excess of deals: about four times the mean of its playouts.
const MAX_DEALS: f64 = 60.0;
/// A turn takes at most this many fair shares of a clock, and this part of the time left on it.
const MAX_SHARES: u32 = 4;
const PART_OF_CLOCK: u32 = 3;
/// The playouts per second before any simulation is measured.
const FIRST_RATE: f64 = 10_000.0;

/// Turns budgets and clocks into the settings of simulations.
#[derive(Debug, Default)]
pub(super) struct TimeManager {
    playouts_per_game: Option<u64>,
    /// The playouts of earlier simulations.
    playouts: AtomicU64,
    nanoseconds: AtomicU64,
}

impl TimeManager {
    /// A manager for games of this many playouts on average. Without a number, only a clock changes the settings.
    pub(super) fn new(playouts_per_game: Option<u64>) -> TimeManager {
        TimeManager { playouts_per_game, ..TimeManager::default() }
    }

    /// The settings of the next turn's simulation, with this much time left if there is a clock.
    pub(super) fn settings(&self, setup: &Setup, settings: &Settings, time: Option<&TimeLeft>) -> Settings {
        let longest = time.map(|time| {
            // Without a prior the simulation does not know which turns deserve more time, so every turn has a fair share.
            if settings.prior {
                (MAX_SHARES * time.share).min(time.share.max(time.clock / PART_OF_CLOCK))
            } else {
                time.share
            }
        });
        let seconds = [settings.seconds, longest.map(|longest| longest.as_secs_f64())].into_iter().flatten();
        let settings = Settings { seconds: seconds.min_by(f64::total_cmp), ..settings.clone() };
        let own_tiles = setup.tileset.total_tiles().div_ceil(2);
        let budget = self.playouts_per_game.map(|playouts| playouts as f64 / turns_of(own_tiles) as f64);
        let in_time = time.map(|time| self.rate() * time.share.as_secs_f64());
        match [budget, in_time].into_iter().flatten().min_by(f64::total_cmp) {
            Some(mean) if settings.prior => {
                let least_excess = least_excess(mean);
                let iterations = ((MAX_DEALS / least_excess) as u64).clamp(1, MAX_ITERATIONS);
                Settings { iterations, least_excess, ..settings }
            }
            _ => settings,
        }
    }

    /// Adds a simulation to the rate.
    pub(super) fn add(&self, playouts: u64, time: Duration) {
        self.playouts.fetch_add(playouts, Ordering::Relaxed);
        self.nanoseconds.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Playouts per second.
    fn rate(&self) -> f64 {
        match [&self.playouts, &self.nanoseconds].map(|sum| sum.load(Ordering::Relaxed) as f64) {
            [playouts, nanoseconds] if nanoseconds > 0.0 => 1e9 * playouts / nanoseconds,
            _ => FIRST_RATE,
        }
    }
}

/// The least excess, in points, at which turns take this many playouts on average.
fn least_excess(mean: f64) -> f64 {
    let line = |[(from, fewer), (to, more)]: [(f64, f64); 2]| {
        let part = (mean / fewer).ln() / (more / fewer).ln();
        from * (to / from).powf(part)
    };
    let pairs = || PLAYOUTS.windows(2).map(|pair| [pair[0], pair[1]]);
    let within = pairs().find(|pair| mean < pair[1].1).or(pairs().next_back());
    within.map_or(*EXCESSES.start(), line).clamp(*EXCESSES.start(), *EXCESSES.end())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::artefact::Loader;
    use crate::clock::SearchLimits;
    use crate::deals::Domain;
    use crate::game::Game;
    use crate::movegen::{Generator, ValuedMove};
    use crate::player::simulating::SimulationPlayer;
    use crate::player::{Decide, Player};
    use crate::selfplay::play_game;
    use crate::win_percentage::WinPercentage;

    /// A player of the test, whose playouts are counted.
    #[derive(Clone)]
    struct Counted(Arc<SimulationPlayer>);

    impl Decide for Counted {
        fn decide(&self, generator: &mut Generator<'_>, game: &Game, limits: SearchLimits<'_>) -> ValuedMove {
            self.0.decide(generator, game, limits)
        }
    }

    #[test]
    fn games_take_about_as_many_playouts_as_their_budget() {
        let setup = Setup::embedded("english").unwrap();
        let named = |name: &str| Player::from_name(name, Loader::new(&setup)).unwrap();
        let network = named("network");
        let [ranker, policy] = [&network, &named("leave")].map(|player| player.as_static().unwrap().clone());
        for budget in [1000, 2500] {
            let (win_percentage, settings) = (WinPercentage::for_setup(&setup).0, Settings::default());
            let (policy, ranker, time_manager) = (policy.clone(), ranker.clone(), TimeManager::new(Some(budget)));
            let player = SimulationPlayer { ranker, policy, win_percentage, settings, time_manager, seed: 1 };
            let counted = Counted(Arc::new(player));
            let player = network.clone().with_decider(Arc::new(counted.clone())).unwrap();
            for game in 0..12 {
                play_game(&mut Generator::new(&setup), [&player; 2], Domain::Match.deals(8), game, |_| ());
            }
            let mean = counted.0.time_manager.playouts.load(Ordering::Relaxed) / 24;
            assert!((2 * budget / 3..3 * budget / 2).contains(&mean), "{mean} of {budget}");
        }
    }

    #[test]
    fn the_least_excess_goes_with_the_playouts() {
        for (excess, playouts) in PLAYOUTS {
            assert!((least_excess(playouts) / excess - 1.0).abs() < 1e-9, "{excess}");
        }
        let excesses: Vec<f64> = (0..24).map(|doublings| least_excess(f64::from(1 << doublings))).collect();
        assert!(
            excesses.is_sorted_by(|a, b| a >= b) && excesses.iter().all(|excess| EXCESSES.contains(excess)),
            "{excesses:?}"
        );
    }

    #[test]
    fn the_smaller_of_budget_and_clock_counts() {
        let setup = Setup::embedded("english").unwrap();
        let settings = Settings::default();
        let left = |seconds| TimeLeft { clock: Duration::from_secs(13 * seconds), share: Duration::from_secs(seconds) };
        let (free, bound) = (TimeManager::new(None), TimeManager::new(Some(13_000)));
        assert_eq!(free.settings(&setup, &settings, None), settings);
        let (budget, excess) = (bound.settings(&setup, &settings, None), least_excess(1000.0));
        assert_eq!((budget.least_excess, budget.iterations, budget.seconds), (excess, (MAX_DEALS / excess) as u64, None));
        let timed = free.settings(&setup, &settings, Some(&left(3)));
        assert_eq!((timed.least_excess, timed.seconds), (least_excess(3.0 * FIRST_RATE), Some(12.0)));
        assert_eq!(bound.settings(&setup, &settings, Some(&left(3))), Settings { seconds: Some(12.0), ..budget });
        // A slow machine: a tenth of the rate.
        free.add(2000, Duration::from_secs(2));
        let slow = free.settings(&setup, &settings, Some(&left(3))).least_excess;
        assert!((slow - least_excess(3000.0)).abs() < 1e-9, "{slow}");
        let race = Settings { prior: false, seconds: Some(5.0), ..settings };
        assert_eq!(free.settings(&setup, &race, Some(&left(3))), Settings { seconds: Some(3.0), ..race });
    }
}
