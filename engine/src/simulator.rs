//! Simulation: truncated Monte Carlo from the best candidates of a position.
//!
//! Every iteration deals the unseen tiles and tries every candidate on that same deal: it makes the candidate and then a few replies,
//! each the best move of a static player, and values the position at the end. If the game has ended, its result counts. Otherwise
//! the values of both leaves are added to the spread, and a win table gives the win probability of that spread.
//!
//! ```text
//! moves ─► candidates (equivalent moves merged) ─► rounds of iterations ─► standings
//!               deals (every tile equally often) ──┘   └─► race: beaten candidates drop out
//! ```
//!
//! Deal `i` is a function of the seed and of `i`, and the end of a round depends only on earlier rounds, so the result does not
//! depend on the thread count. Only a time limit makes it irreproducible.
//!
//! # Speed
//!
//! The boards of the playouts differ in few lanes. So the lanes are kept as states that boards share, and for each rack and state the
//! best play along it, or a bound on that: a reply with a rack that was seen before looks only at the lanes that are new to it. Moves are
//! taken back rather than played on copies, and the board is left as it is by the last reply.

use std::time::{Duration, Instant};

use crate::equity::Equity;
use crate::evaluator::Prior;
use crate::game::Game;
use crate::monitor::{Monitor, share_out};
use crate::movegen::Generator;
use crate::setup::Setup;
use crate::static_player::StaticPlayer;
use crate::win_percentage::{TilesLeft, WinPercentage};

pub mod inference;
mod merging;
mod settings;
mod deals;
pub mod posterior;
mod playouts;
mod contest;
mod standings;

pub use deals::Situation;
pub(crate) use merging::laid;
pub use merging::{Candidate, merged};
pub use settings::{BadSettings, MAX_ITERATIONS, MAX_PLIES, PlayoutResult, Settings, Utility};
pub use standings::{EndReason, Mean, SimulationResult, Standing};

use contest::Contest;
use deals::Deals;
use playouts::{Playouts, Rules};
use settings::billionths;
use standings::Tally;

/// A score is even up to this many points.
const EVEN_POINTS: i32 = 10;

/// Simulates positions.
#[derive(Clone, Copy, Debug)]
pub struct Simulator<'a> {
    rules: Rules<'a>,
    settings: &'a Settings,
    prior: Option<Prior>,
}

impl<'a> Simulator<'a> {
    /// Creates a simulator that replies with `policy`. The settings must be valid, and the table must fit the setup's tile set.
    pub fn new(
        setup: &'a Setup,
        policy: &'a StaticPlayer,
        win_percentage: &'a WinPercentage,
        settings: &'a Settings,
    ) -> Simulator<'a> {
        Simulator { rules: Rules { setup, policy, win_percentage }, settings, prior: None }
    }

    /// The same simulator, which also counts the ranker's equities of the candidates, with the errors of `prior` (see
    /// [`posterior`]).
    #[must_use]
    pub fn with_prior(self, prior: Option<Prior>) -> Simulator<'a> {
        Simulator { prior, ..self }
    }

    /// The best moves of a game under `ranker`, as many as the settings ask for, with equivalent moves merged.
    pub fn candidates(&self, ranker: &StaticPlayer, generator: &mut Generator<'_>, game: &Game) -> Vec<Candidate> {
        let (setup, most) = (self.rules.setup, self.settings.candidates);
        // Two mirror images rank next to each other: if one is among the best, the other is too, or is the first after them.
        let ranked = if merging::has_mirrors(game.board(), &setup.layout) { 2 * most } else { most };
        let moves = ranker.choose_top(generator, &game.turn(setup), ranked);
        let mut candidates = merged(game.board(), &setup.layout, &moves);
        candidates.truncate(most);
        candidates
    }

    /// Simulates on `threads` threads. `monitor` counts iterations and may stop the simulation, which then ends with its
    /// last whole round. `see` receives the standings after each round.
    pub fn run(
        &self,
        situation: &Situation,
        candidates: &[Candidate],
        threads: usize,
        monitor: &dyn Monitor,
        see: &mut dyn FnMut(&SimulationResult),
    ) -> SimulationResult {
        let Settings { iterations, seconds, .. } = *self.settings;
        let begun = Instant::now();
        let limit = seconds.map(Duration::from_secs_f64);
        let deals = situation.deals(self.rules.setup, self.rules.policy, self.settings);
        let is_certain = deals.is_certain();
        let mut workers: Vec<_> = (0..threads.max(1)).map(|_| self.worker(situation, candidates, &deals)).collect();
        let iterations = if is_certain { 1 } else { iterations };
        // If all is known, one iteration tells all, and the equities tell nothing.
        let prior = self.prior.filter(|_| !is_certain);
        let mut contest = Contest::new(self.settings, prior, self.even_slope(&situation.game), candidates);
        let mut tallies = vec![Tally::default(); candidates.len()];
        let mut done = 0;
        if contest.is_decided() && self.settings.least_iterations == 0 {
            return SimulationResult::new(candidates, &tallies, &contest, 0, Some(EndReason::Confident));
        }
        loop {
            let end = (done + contest.round(done)).min(iterations);
            let (indices, running) = ((done..end).collect::<Vec<u64>>(), contest.running());
            let played = share_out(&mut workers, &indices, |worker, &index| {
                (!monitor.is_stopped()).then(|| worker.iteration(index, running))
            });
            let Some(played) = played.into_iter().collect::<Option<Vec<_>>>() else {
                return SimulationResult::new(candidates, &tallies, &contest, done, Some(EndReason::Stopped));
            };
            for reached in &played {
                contest.running().iter().zip(reached).for_each(|(&candidate, reached)| tallies[candidate].add(reached));
            }
            contest.add(&played);
            monitor.advance(end - done);
            done = end;
            let ended = if is_certain {
                Some(EndReason::Certain)
            } else {
                contest.check();
                self.ended(done, contest.is_decided(), limit.is_some_and(|limit| begun.elapsed() >= limit), monitor)
            };
            let simulated = SimulationResult::new(candidates, &tallies, &contest, done, ended);
            match ended {
                Some(_) => return simulated,
                None => see(&simulated),
            }
        }
    }

    /// Plays every candidate on deals 0 to `deals` − 1 of the situation's seed, without a race and without means. Labels for learning are made
    /// from it. Returns the results by deal, in the order of the candidates. [`Simulator::run`] has the same results on the same deals.
    pub fn results(&self, situation: &Situation, candidates: &[Candidate], deals: u64) -> Vec<Vec<PlayoutResult>> {
        let dealt = situation.deals(self.rules.setup, self.rules.policy, self.settings);
        let mut playouts = self.worker(situation, candidates, &dealt);
        let all: Vec<usize> = (0..candidates.len()).collect();
        (0..deals).map(|index| playouts.iteration(index, &all)).collect()
    }

    /// The utility of a point in a game with this many tiles left and an even score.
    fn even_slope(&self, game: &Game) -> f64 {
        let least = self.settings.utility.least_per_point();
        if self.settings.utility == Utility::Spread {
            return least;
        }
        let left = TilesLeft::from_game(game);
        let win_probability = |points: i32| self.rules.win_percentage.win_probability(left, Equity::from_points(points));
        let rise = win_probability(EVEN_POINTS) - win_probability(-EVEN_POINTS);
        (billionths(rise) as f64 / f64::from(2 * EVEN_POINTS)).max(least)
    }

    fn ended(&self, done: u64, is_decided: bool, is_late: bool, monitor: &dyn Monitor) -> Option<EndReason> {
        if is_decided && done >= self.settings.least_iterations {
            Some(EndReason::Confident)
        } else if done >= self.settings.iterations {
            Some(EndReason::Iterations)
        } else if is_late {
            Some(EndReason::Time)
        } else {
            monitor.is_stopped().then_some(EndReason::Stopped)
        }
    }

    fn worker(&self, situation: &Situation, candidates: &[Candidate], deals: &Deals) -> Playouts<'a> {
        let candidates = candidates.iter().map(|candidate| candidate.valued).collect();
        Playouts::new(self.rules, self.settings, situation.game.clone(), candidates, deals.clone())
    }
}

#[cfg(test)]
pub(crate) mod tests;
