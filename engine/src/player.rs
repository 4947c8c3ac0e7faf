//! Players: whoever chooses a move for a position.

use std::sync::Arc;

use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::evaluator::{Evaluator, Turn};
use crate::hash::sha256;
use crate::movegen::{ValuedMove, all_moves, best_move};
use crate::rack::{MAX_SUB_RACKS, SubRacks};

pub mod naming;

/// A static player: the move of highest equity under its evaluator.
#[derive(Clone)]
pub struct Player {
    /// As named on the command line: `greedy`, `leave:PATH`.
    pub name: String,
    /// A hash of all that its choices depend on beside the game.
    pub identity: String,
    evaluator: Arc<dyn Evaluator>,
}

impl Player {
    /// A player of this name and judgement.
    pub fn new(name: impl Into<String>, evaluator: Arc<dyn Evaluator>) -> Player {
        let name = name.into();
        Player { identity: sha256(name.as_bytes()), name, evaluator }
    }

    /// Its best move.
    pub fn choose(&self, turn: &Turn<'_>, board: &Board, cross_sets: &CrossSets) -> ValuedMove {
        let (numbers, keep_values) = self.judge(turn);
        best_move(turn.setup, board, cross_sets, turn.rack, turn.bag, &numbers, &keep_values)
    }

    /// All moves, its best first.
    pub fn rank(&self, turn: &Turn<'_>, board: &Board, cross_sets: &CrossSets) -> Vec<ValuedMove> {
        let (numbers, keep_values) = self.judge(turn);
        all_moves(turn.setup, board, cross_sets, turn.rack, turn.bag, &numbers, &keep_values)
    }

    fn judge(&self, turn: &Turn<'_>) -> (SubRacks, [Equity; MAX_SUB_RACKS]) {
        let numbers = SubRacks::new(turn.rack);
        let mut keep_values = [Equity::ZERO; MAX_SUB_RACKS];
        self.evaluator.keep_values(turn, &numbers, &mut keep_values);
        (numbers, keep_values)
    }
}
