//! Players that calculate while few tiles are left in the bag.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::endgame::Memories;
use super::kinds::{Decide, Player};
use crate::game::Game;
use crate::movegen::{Generator, ValuedMove};
use crate::pre_endgame::{PreEndgame, Settings};
use crate::static_player::StaticPlayer;

/// Positions that are surely searched in a second, so that a player knows what it can do in its time.
const NODES_A_SECOND: f64 = 100_000.0;

/// How much a player calculates in pre-endgames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PreEndgameSettings {
    /// Tiles in the bag up to which it calculates, at most [`crate::pre_endgame::MAX_BAG`]; 0 for a player that does not.
    pub bag: usize,
    /// Positions looked at for each move.
    pub nodes: u64,
    /// Positions looked at for one endgame.
    pub endgame_nodes: u64,
}

impl Default for PreEndgameSettings {
    fn default() -> PreEndgameSettings {
        PreEndgameSettings { bag: 2, nodes: 200_000, endgame_nodes: 20_000 }
    }
}

/// Plays another player's move until so few tiles are in the bag, then the best of the pre-endgame as far as a fixed number of
/// positions shows it; with an empty bag it plays the other's move again.
pub struct WithPreEndgame {
    beside: Player,
    ranker: StaticPlayer,
    settings: PreEndgameSettings,
    memories: Memories,
}

impl WithPreEndgame {
    /// A player that moves like `beside` with more in the bag, or nothing, and ranks the moves of pre-endgames by `ranker`.
    pub fn new(beside: Player, ranker: StaticPlayer, settings: PreEndgameSettings) -> WithPreEndgame {
        WithPreEndgame { beside, ranker, settings, memories: Memories::default() }
    }

    fn settings(&self, bag: usize, time: Option<Duration>) -> Settings {
        let PreEndgameSettings { nodes, endgame_nodes, .. } = self.settings;
        let in_time = time.map_or(u64::MAX, |time| (NODES_A_SECOND * time.as_secs_f64()) as u64);
        Settings { nodes: Some(nodes.min(in_time)), endgame_nodes: Some(endgame_nodes), ..Settings::for_bag(bag) }
    }
}

impl Decide for WithPreEndgame {
    fn decide(&self, generator: &mut Generator<'_>, game: &Game, time: Option<Duration>) -> ValuedMove {
        let bag = game.bag.len();
        if !(1..=self.settings.bag).contains(&bag) {
            return self.beside.choose_within(generator, game, time);
        }
        let solver = PreEndgame::with_memory(generator.setup(), self.ranker.clone(), self.memories.take());
        let mut solver = solver.with_settings(self.settings(bag, time));
        let chosen = solver.choose(game);
        self.memories.give_back(solver.into_memory());
        chosen.unwrap_or_else(|_| self.beside.choose_within(generator, game, time))
    }
}
