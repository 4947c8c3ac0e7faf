//! Plain minimax: it makes every legal move of every position on a copy of the game.

use std::collections::HashMap;

use tilewright_engine::equity::Equity;
use tilewright_engine::game::Game;
use tilewright_engine::layout::Square;
use tilewright_engine::movegen::{Generator, LeaveValues};
use tilewright_engine::moves::Move;
use tilewright_engine::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use tilewright_engine::tileset::Tile;

/// The state on which the value of a position depends.
pub type Key = (Vec<(Square, Tile)>, [Rack; 2], usize, [u32; 2]);

/// Computes the values of positions, and stores them.
pub struct Oracle<'a> {
    generator: Generator<'a>,
    known: HashMap<Key, i32>,
}

impl<'a> Oracle<'a> {
    pub fn new(generator: Generator<'a>) -> Oracle<'a> {
        Oracle { generator, known: HashMap::new() }
    }

    /// Returns the change of the spread to the end of the game under best play, in points, for the player to move.
    pub fn value(&mut self, game: &Game) -> i32 {
        if game.is_over() {
            return 0;
        }
        let key = key(game);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let value = self.moves(game).iter().map(|chosen| self.value_of(game, chosen)).max().expect("a pass at least");
        self.known.insert(key, value);
        value
    }

    /// Returns the value if the player to move makes this move.
    pub fn value_of(&mut self, game: &Game, chosen: &Move) -> i32 {
        let player = game.to_move;
        let mut after = game.clone();
        after.make(self.generator.setup(), chosen);
        let change = |player: usize| after.scores[player] - game.scores[player];
        let rest = self.value(&after);
        change(player) - change(1 - player) + if after.to_move == player { rest } else { -rest }
    }

    pub fn moves(&mut self, game: &Game) -> Vec<Move> {
        let leaves = LeaveValues { sub_racks: SubRacks::new(game.rack()), values: [Equity::ZERO; MAX_SUB_RACKS] };
        self.generator.all_moves(&game.turn(self.generator.setup()), &leaves).iter().map(|valued| valued.chosen).collect()
    }
}

/// Returns the state on which the value of a position depends.
pub fn key(game: &Game) -> Key {
    (game.board().occupied().collect(), game.racks, game.to_move, [game.scoreless_turns, game.passes])
}
