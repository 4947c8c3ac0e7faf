//! `greedy`: the score alone.

use super::Evaluator;
use crate::equity::Equity;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::turn::Turn;

/// Values a move at its score. Without a scoring play it exchanges as many tiles as it may; it passes only if it must.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Evaluator for Greedy {
    fn leave_values(&self, _turn: &Turn<'_>, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        leave_values[..sub_racks.len()].fill(Equity::ZERO);
        leave_values[sub_racks.whole()] = Equity::PASS;
    }

    fn needs_only_rack(&self, _bag: usize) -> bool {
        true
    }
}
