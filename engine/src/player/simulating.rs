//! Players that choose moves by simulation.

use std::time::Instant;

use rand::Rng;

use super::kinds::Decide;
use super::time_manager::TimeManager;
use crate::clock::SearchLimits;
use crate::game::Game;
use crate::monitor::StopOnly;
use crate::movegen::{Generator, ValuedMove};
use crate::rack::Rack;
use crate::simulator::{Settings, Simulator, Situation};
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

impl Decide for SimulationPlayer {
    fn decide(&self, generator: &mut Generator<'_>, game: &Game, limits: SearchLimits<'_>) -> ValuedMove {
        if limits.time.is_some_and(|time| time.share.is_zero()) {
            return self.ranker.choose(generator, &game.turn(generator.setup()));
        }
        let setup = generator.setup();
        let settings = self.time_manager.settings(setup, &self.settings, limits.time);
        let simulator = Simulator::new(setup, &self.policy, &self.win_percentage, &settings);
        let prior = self.settings.prior.then(|| self.ranker.prior(game.bag.len()));
        let simulator = simulator.with_prior(prior);
        let candidates = simulator.candidates(&self.ranker, generator, game);
        if let [only] = &candidates[..] {
            return only.valued;
        }
        let seed = game.stream(self.seed).next_u64();
        let last = game.last_move().filter(|_| self.settings.inference);
        let situation = Situation { game: game.clone(), known: Rack::default(), last, seed };
        let begun = Instant::now();
        let simulated = simulator.run(&situation, &candidates, 1, &StopOnly(limits.monitor), &mut |_| ());
        self.time_manager.add(simulated.standings.iter().map(|standing| standing.iterations).sum(), begun.elapsed());
        match simulated.best() {
            Some(best) => best.candidate.valued,
            None => self.ranker.choose(generator, &game.turn(generator.setup())),
        }
    }
}
