//! Static play: the move of highest equity under an evaluator, without looking ahead.

use std::sync::Arc;

use crate::equity::Equity;
use crate::evaluator::Evaluator;
use crate::movegen::{Generator, LeaveValues, ValuedMove};
use crate::moves::Move;
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::turn::Turn;

/// Ranks the moves of a turn by its evaluator.
///
/// The generator and the turn must be of the same setup. Equities are from the view of the player to move.
#[derive(Clone)]
pub struct StaticPlayer {
    evaluator: Arc<dyn Evaluator>,
}

impl StaticPlayer {
    /// Creates a player that ranks moves by `evaluator`.
    pub fn new(evaluator: impl Evaluator + 'static) -> StaticPlayer {
        StaticPlayer { evaluator: Arc::new(evaluator) }
    }

    /// The best move.
    pub fn choose(&self, generator: &mut Generator<'_>, turn: &Turn<'_>) -> ValuedMove {
        if self.evaluator.second_look() > 0 {
            return self.choose_top(generator, turn, 1)[0];
        }
        generator.best_move(turn, &self.leave_values(turn))
    }

    /// The best `most` moves, the best first; at least one.
    pub fn choose_top(&self, generator: &mut Generator<'_>, turn: &Turn<'_>, most: usize) -> Vec<ValuedMove> {
        let most = most.max(1);
        let moves = generator.top_moves(turn, &self.leave_values(turn), most.max(self.evaluator.second_look()));
        let mut moves = self.look_again(turn, moves);
        moves.truncate(most);
        moves
    }

    /// All moves, the best first; every play is valued for where it lays its tiles.
    pub fn rank(&self, generator: &mut Generator<'_>, turn: &Turn<'_>) -> Vec<ValuedMove> {
        let moves = generator.all_moves(turn, &self.leave_values(turn));
        self.look_again(turn, moves)
    }

    /// Adds the values of where plays lay their tiles, if the evaluator has any, and sorts the moves again.
    fn look_again(&self, turn: &Turn<'_>, mut moves: Vec<ValuedMove>) -> Vec<ValuedMove> {
        if self.evaluator.second_look() > 0 {
            self.evaluator.add_placed(turn, &mut moves);
            moves.sort_unstable();
        }
        moves
    }

    /// The value of what a move leaves of the turn's rack.
    pub fn leave_value(&self, turn: &Turn<'_>, chosen: &Move) -> Equity {
        let LeaveValues { sub_racks, values } = self.leave_values(turn);
        let leave = turn.rack.minus(&Rack::from_tiles(chosen.tiles())).unwrap_or_default();
        values[leave.kinds().map(|(kind, count)| usize::from(count) * sub_racks.stride(kind)).sum::<usize>()]
    }

    /// The values of all leaves of the turn's rack.
    pub fn leave_values(&self, turn: &Turn<'_>) -> LeaveValues {
        let sub_racks = SubRacks::new(&turn.rack);
        let mut values = [Equity::ZERO; MAX_SUB_RACKS];
        self.evaluator.leave_values(turn, &sub_racks, &mut values);
        LeaveValues { sub_racks, values }
    }
}
