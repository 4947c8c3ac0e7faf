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
use crate::simulator::{Candidate, Settings, SimulationResult, Simulator, Situation};
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

impl SimulationPlayer {
    /// Simulates the best moves under the ranker, and `also`, on at least this many deals.
    fn simulated(
        &self,
        generator: &mut Generator<'_>,
        game: &Game,
        also: Option<ValuedMove>,
        least_iterations: u64,
        limits: SearchLimits<'_>,
    ) -> SimulationResult {
        let setup = generator.setup();
        let settings = self.time_manager.settings(setup, &self.settings, limits.time);
        let settings = Settings { least_iterations: settings.least_iterations.max(least_iterations), ..settings };
        let simulator = Simulator::new(setup, &self.policy, &self.win_percentage, &settings);
        let prior = self.settings.prior.then(|| self.ranker.prior(game.bag.len()));
        let simulator = simulator.with_prior(prior);
        let mut candidates = simulator.candidates(&self.ranker, generator, game);
        if let Some(also) = also {
            add(&mut candidates, also);
        }
        let seed = game.stream(self.seed).next_u64();
        let last = game.last_move().filter(|_| self.settings.inference);
        let situation = Situation { game: game.clone(), known: Rack::default(), last, seed };
        let begun = Instant::now();
        let simulated = simulator.run(&situation, &candidates, 1, &StopOnly(limits.monitor), &mut |_| ());
        self.time_manager.add(simulated.standings.iter().map(|standing| standing.iterations).sum(), begun.elapsed());
        simulated
    }
}

/// Adds a move to the candidates. In the place of an equivalent one if there is one.
fn add(candidates: &mut Vec<Candidate>, also: ValuedMove) {
    let holds = |candidate: &&mut Candidate| candidate.valued.chosen == also.chosen || candidate.same.contains(&also.chosen);
    match candidates.iter_mut().find(holds) {
        Some(candidate) => candidate.valued = also,
        None => candidates.push(Candidate { valued: also, same: Vec::new() }),
    }
}

impl Decide for SimulationPlayer {
    fn decide(&self, generator: &mut Generator<'_>, game: &Game, limits: SearchLimits<'_>) -> ValuedMove {
        let is_late = limits.time.is_some_and(|time| time.share.is_zero());
        let simulated = (!is_late).then(|| self.simulated(generator, game, None, 0, limits));
        match simulated.as_ref().and_then(SimulationResult::best) {
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
        let decided = self.simulated(generator, game, also, 0, limits);
        let choice = decided.best()?.candidate.valued.chosen;
        // Equities may have decided before the first deal.
        let simulated = match decided.iterations {
            0 => self.simulated(generator, game, also, LEAST_JUDGED, limits),
            _ => decided,
        };
        let mut moves: Vec<JudgedMove> = simulated.standings.iter().map(JudgedMove::simulated).collect();
        moves.sort_by_key(|judged| judged.chosen != choice);
        Some((Basis::Simulation, moves))
    }
}
