//! Evaluators without a leave table. `greedy` counts the score alone. `no-leaves` is `leave` with zeros and random ties. A function of turn
//! and leave is an evaluator too.

use super::{Evaluator, Ties};
use crate::equity::Equity;
use crate::leave::leftover;
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::turn::Turn;

/// Values a move at its score. Without a scoring play it exchanges as many tiles as it may. It passes only if it must.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Evaluator for Greedy {
    fn leave_values(&self, _turn: &Turn<'_>, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        fill_with_zero(sub_racks, leave_values);
    }

    fn needs_only_rack(&self, _bag: usize) -> bool {
        true
    }
}

/// The player against which leave tables are measured. It values a move at its score. With an empty bag it also counts the
/// points of the tiles left, like `leave`. Among moves of equal equity it takes one at random.
///
/// So a match against it measures the values of a table. It does not measure the rule for the empty bag, which wins about a
/// point of win rate, or the order in which moves are found.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLeaves;

impl Evaluator for NoLeaves {
    fn leave_values(&self, turn: &Turn<'_>, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        if turn.bag == 0 {
            return leftover(turn, sub_racks, leave_values);
        }
        fill_with_zero(sub_racks, leave_values);
    }

    fn ties(&self) -> Ties {
        Ties::Random
    }
}

fn fill_with_zero(sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
    leave_values[..sub_racks.len()].fill(Equity::ZERO);
    leave_values[sub_racks.whole()] = Equity::PASS;
}

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
