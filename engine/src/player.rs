//! Players: whoever chooses a move for a position.

use std::sync::Arc;

use crate::equity::Equity;
use crate::evaluator::{Evaluator, Turn};
use crate::hash::sha256;
use crate::movegen::{Generator, KeepValues, Position, ValuedMove};
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::setup::Setup;

pub mod naming;

/// A static player: the move of highest equity under its evaluator.
#[derive(Clone)]
pub struct Player {
    /// As named on the command line: `greedy`, `leave:PATH`.
    pub name: String,
    /// A hash of all that its choices depend on beside the game.
    pub identity: String,
    /// What a user should know before it plays, such as values that had to be estimated.
    pub warning: Option<String>,
    evaluator: Arc<dyn Evaluator>,
}

impl Player {
    /// A player of this name and judgement.
    pub fn new(name: impl Into<String>, evaluator: Arc<dyn Evaluator>) -> Player {
        let name = name.into();
        Player { identity: sha256(name.as_bytes()), name, warning: None, evaluator }
    }

    /// Its best move.
    pub fn choose(&self, generator: &mut Generator<'_>, position: &Position<'_>, unseen: &Rack) -> ValuedMove {
        generator.best_move(position, &self.keep_values(generator.setup(), position, unseen))
    }

    /// Its best `most` moves, the best first.
    pub fn choose_top(
        &self,
        generator: &mut Generator<'_>,
        position: &Position<'_>,
        unseen: &Rack,
        most: usize,
    ) -> Vec<ValuedMove> {
        generator.top_moves(position, &self.keep_values(generator.setup(), position, unseen), most)
    }

    /// All moves, its best first.
    pub fn rank(&self, generator: &mut Generator<'_>, position: &Position<'_>, unseen: &Rack) -> Vec<ValuedMove> {
        generator.all_moves(position, &self.keep_values(generator.setup(), position, unseen))
    }

    /// What it gives for keeping each part of its rack; `unseen` are the tiles that the player to move cannot see.
    pub fn keep_values(&self, setup: &Setup, position: &Position<'_>, unseen: &Rack) -> KeepValues {
        let numbers = SubRacks::new(position.rack);
        let mut values = [Equity::ZERO; MAX_SUB_RACKS];
        let turn = Turn { setup, rack: position.rack, bag: position.bag, unseen };
        self.evaluator.keep_values(&turn, &numbers, &mut values);
        KeepValues { numbers, values }
    }
}
