//! Players that search the pre-endgame.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::endgame::Memories;
use super::kinds::{Decide, Player};
use crate::clock::TimeLeft;
use crate::game::Game;
use crate::movegen::{Generator, ValuedMove};
use crate::pre_endgame::{PreEndgame, Settings};
use crate::static_player::StaticPlayer;

/// A number of positions that is certainly searched in a second; it converts a time limit to a limit of positions.
const NODES_PER_SECOND: f64 = 100_000.0;

/// The settings of a player's pre-endgame search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PreEndgameSettings {
    /// The maximum number of tiles in the bag, at most [`crate::pre_endgame::MAX_BAG`]; 0 for a player that does not search.
    pub bag: usize,
    /// The maximum number of positions searched per move.
    pub nodes: u64,
    /// The maximum number of positions searched per endgame.
    pub endgame_nodes: u64,
}

impl Default for PreEndgameSettings {
    fn default() -> PreEndgameSettings {
        PreEndgameSettings { bag: 2, nodes: 200_000, endgame_nodes: 20_000 }
    }
}

/// Plays like another player, except in pre-endgames: there it plays the best move that a search with a fixed number of
/// positions finds.
pub struct WithPreEndgame {
    base: Player,
    ranker: StaticPlayer,
    settings: PreEndgameSettings,
    memories: Memories,
}

impl WithPreEndgame {
    /// Creates a player that plays like `base` outside of pre-endgames, and screens the moves of pre-endgames by `ranker`.
    pub fn new(base: Player, ranker: StaticPlayer, settings: PreEndgameSettings) -> WithPreEndgame {
        WithPreEndgame { base, ranker, settings, memories: Memories::default() }
    }

    fn settings(&self, bag: usize, time: Option<Duration>) -> Settings {
        let PreEndgameSettings { nodes, endgame_nodes, .. } = self.settings;
        let in_time = time.map_or(u64::MAX, |time| (NODES_PER_SECOND * time.as_secs_f64()) as u64);
        Settings { nodes: Some(nodes.min(in_time)), endgame_nodes: Some(endgame_nodes), ..Settings::for_bag(bag) }
    }
}

impl Decide for WithPreEndgame {
    fn decide(&self, generator: &mut Generator<'_>, game: &Game, time: Option<&TimeLeft>) -> ValuedMove {
        let bag = game.bag.len();
        if !(1..=self.settings.bag).contains(&bag) {
            return self.base.choose_within(generator, game, time);
        }
        let solver = PreEndgame::with_memory(generator.setup(), self.ranker.clone(), self.memories.take());
        let mut solver = solver.with_settings(self.settings(bag, time.map(|time| time.share)));
        let chosen = solver.choose(game);
        self.memories.give_back(solver.into_memory());
        chosen.unwrap_or_else(|_| self.base.choose_within(generator, game, time))
    }
}
