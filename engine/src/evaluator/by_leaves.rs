//! A function of turn and leave as an evaluator.

use super::Evaluator;
use crate::equity::Equity;
use crate::leave::leftover;
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::turn::Turn;

/// Values each leave by a function, in points.
pub(crate) struct ByLeaves<F>(pub(crate) F);

impl<F: Fn(&Turn<'_>, &Rack) -> f64 + Send + Sync> Evaluator for ByLeaves<F> {
    fn leave_values(&self, turn: &Turn<'_>, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        if turn.bag == 0 {
            return leftover(turn, sub_racks, leave_values);
        }
        for (number, value) in leave_values[..sub_racks.len()].iter_mut().enumerate() {
            *value = Equity::from_fractional_points((self.0)(turn, &sub_racks.get(number)));
        }
        leave_values[sub_racks.whole()] = Equity::PASS;
    }
}
