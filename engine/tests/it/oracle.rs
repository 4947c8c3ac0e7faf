//! Plain minimax: every legal move of every position, made on a copy of the game by the game's own rules.

use std::collections::HashMap;

use tilewright_engine::board::Board;
use tilewright_engine::equity::Equity;
use tilewright_engine::game::Game;
use tilewright_engine::layout::Square;
use tilewright_engine::movegen::{Generator, LeaveValues};
use tilewright_engine::moves::Move;
use tilewright_engine::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use tilewright_engine::tileset::Tile;

/// What the value of a position depends on.
type Key = (Vec<(Square, Tile)>, [Rack; 2], usize, u32);

/// Values of positions, with a memory of those that were computed before.
pub struct Oracle<'a> {
    generator: Generator<'a>,
    known: HashMap<Key, i32>,
}

impl<'a> Oracle<'a> {
    pub fn new(generator: Generator<'a>) -> Oracle<'a> {
        Oracle { generator, known: HashMap::new() }
    }

    /// The change of the spread of the player to move until the end of the game, under best play of both.
    pub fn value(&mut self, game: &Game) -> i32 {
        if game.is_over() {
            return 0;
        }
        let key = (occupied(&game.board), game.racks, game.to_move, game.scoreless_turns);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let value = self.moves(game).iter().map(|chosen| self.value_of(game, chosen)).max().expect("a pass at least");
        self.known.insert(key, value);
        value
    }

    /// The same if this move is made.
    pub fn value_of(&mut self, game: &Game, chosen: &Move) -> i32 {
        let player = game.to_move;
        let mut after = game.clone();
        after.make(self.generator.setup(), chosen);
        let change = |player: usize| after.scores[player] - game.scores[player];
        let rest = self.value(&after);
        change(player) - change(1 - player) + if after.to_move == player { rest } else { -rest }
    }

    pub fn moves(&mut self, game: &Game) -> Vec<Move> {
        let keeps = LeaveValues { numbers: SubRacks::new(game.rack()), values: [Equity::ZERO; MAX_SUB_RACKS] };
        self.generator.all_moves(&game.turn(self.generator.setup()), &keeps).iter().map(|valued| valued.chosen).collect()
    }
}

fn occupied(board: &Board) -> Vec<(Square, Tile)> {
    board.occupied().collect()
}
