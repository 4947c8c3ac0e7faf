//! Players that choose moves by simulation.

use std::time::Instant;

use rand::Rng;

use super::judged::{Basis, JudgedMove};
use super::kinds::Decide;
use super::time_manager::TimeManager;
use crate::clock::SearchLimits;
use crate::game::Game;
use crate::monitor::StopOnly;
use crate::movegen::{Generator, ValuedMove};
use crate::rack::Rack;
use crate::setup::Setup;
use crate::simulator::{Candidate, Settings, SimulationResult, Simulator, Situation, Standing};
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
