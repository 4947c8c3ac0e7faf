//! `greedy`: the score and nothing else.

use super::Evaluator;
use crate::equity::Equity;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::turn::Turn;

/// Values a move at its score. Without a scoring play it exchanges all it may, and passes only when it must.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Evaluator for Greedy {
    fn keep_values(&self, _turn: &Turn<'_>, numbers: &SubRacks, keep_values: &mut [Equity; MAX_SUB_RACKS]) {
        keep_values[..numbers.len()].fill(Equity::ZERO);
        keep_values[numbers.whole()] = Equity::PASS;
    }
}
