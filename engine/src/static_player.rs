//! Static play: the move of highest equity under an evaluator, without looking ahead.

use std::sync::Arc;

use crate::equity::Equity;
use crate::evaluator::{Evaluator, Turn};
use crate::movegen::{Generator, KeepValues, Position, ValuedMove};
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::setup::Setup;

/// Ranks the moves of a position by its evaluator.
#[derive(Clone)]
pub struct StaticPlayer {
    evaluator: Arc<dyn Evaluator>,
}

impl StaticPlayer {
    /// Of this judgement.
    pub fn new(evaluator: impl Evaluator + 'static) -> StaticPlayer {
        StaticPlayer { evaluator: Arc::new(evaluator) }
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
        self.value_keeps(&Turn { setup, rack: position.rack, bag: position.bag, unseen }, &numbers, &mut values);
        KeepValues { numbers, values }
    }

    /// The same without a position: writes what keeping each sub-rack is worth.
    pub fn value_keeps(&self, turn: &Turn<'_>, numbers: &SubRacks, values: &mut [Equity; MAX_SUB_RACKS]) {
        self.evaluator.keep_values(turn, numbers, values);
    }
}
