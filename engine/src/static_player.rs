//! Static play: the move of highest equity under an evaluator, without looking ahead.

use std::sync::Arc;

use crate::equity::Equity;
use crate::evaluator::Evaluator;
use crate::movegen::{Generator, LeaveValues, Position, ValuedMove};
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::setup::Setup;
use crate::turn::Turn;

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
        if self.evaluator.second_look() > 0 {
            return self.choose_top(generator, position, unseen, 1)[0];
        }
        generator.best_move(position, &self.keep_values(generator.setup(), position, unseen))
    }

    /// Its best `most` moves, the best first; one at least.
    pub fn choose_top(
        &self,
        generator: &mut Generator<'_>,
        position: &Position<'_>,
        unseen: &Rack,
        most: usize,
    ) -> Vec<ValuedMove> {
        let keeps = self.keep_values(generator.setup(), position, unseen);
        let moves = generator.top_moves(position, &keeps, most.max(1).max(self.evaluator.second_look()));
        let mut moves = self.look_again(generator.setup(), position, unseen, moves);
        moves.truncate(most.max(1));
        moves
    }

    /// All moves, its best first.
    pub fn rank(&self, generator: &mut Generator<'_>, position: &Position<'_>, unseen: &Rack) -> Vec<ValuedMove> {
        let moves = generator.all_moves(position, &self.keep_values(generator.setup(), position, unseen));
        self.look_again(generator.setup(), position, unseen, moves)
    }

    /// Orders moves anew by where they lay their tiles, if that matters.
    fn look_again(
        &self,
        setup: &Setup,
        position: &Position<'_>,
        unseen: &Rack,
        mut moves: Vec<ValuedMove>,
    ) -> Vec<ValuedMove> {
        if self.evaluator.second_look() > 0 {
            self.evaluator.add_placed(&Turn { setup, position: *position, unseen }, &mut moves);
            moves.sort_unstable();
        }
        moves
    }

    /// What it gives for keeping each part of its rack; `unseen` are the tiles that the player to move cannot see.
    pub fn keep_values(&self, setup: &Setup, position: &Position<'_>, unseen: &Rack) -> LeaveValues {
        let numbers = SubRacks::new(position.rack);
        let mut values = [Equity::ZERO; MAX_SUB_RACKS];
        self.value_keeps(&Turn { setup, position: *position, unseen }, &numbers, &mut values);
        LeaveValues { numbers, values }
    }

    /// The same, written: what keeping each sub-rack is worth.
    pub fn value_keeps(&self, turn: &Turn<'_>, numbers: &SubRacks, values: &mut [Equity; MAX_SUB_RACKS]) {
        self.evaluator.keep_values(turn, numbers, values);
    }
}
