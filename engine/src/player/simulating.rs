//! Players that choose moves by simulation.

use std::time::Instant;

use rand::Rng;

use super::kinds::Decide;
use super::time_manager::TimeManager;
use crate::clock::SearchLimits;
use crate::game::Game;
use crate::hash::sha256;
use crate::monitor::StopOnly;
use crate::movegen::{Generator, ValuedMove};
use crate::rack::Rack;
use crate::rng::stream;
use crate::simulator::{Settings, Simulator, Situation};
use crate::static_player::StaticPlayer;
use crate::tileset::Tile;
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
        let seed = stream(self.seed, &visible(game), 0).next_u64();
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

/// Returns a hash of what the player to move sees.
fn visible(game: &Game) -> String {
    let mut seen: Vec<u8> = Vec::new();
    for (square, tile) in game.board().occupied() {
        seen.extend([square.row, square.column, tile.letter(), u8::from(tile.is_blank())]);
    }
    seen.push(u8::MAX);
    seen.extend(game.rack().tiles().map(Tile::kind));
    let other = game.racks[1 - game.to_move].size();
    let counts = [game.spread(), game.bag.len() as i32, other as i32, game.scoreless_turns as i32];
    seen.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    sha256(&seen)
}
