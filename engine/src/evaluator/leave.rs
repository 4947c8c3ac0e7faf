//! `leave`: the score plus the value of the leave.

use std::sync::Arc;

use super::{Evaluator, Turn};
use crate::equity::Equity;
use crate::leave::LeaveTable;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::tileset::Tile;

/// What not going out costs beside twice the tiles left: the opponent moves again.
const NOT_OUT: Equity = Equity::from_points(-10);

/// Values a move at its score plus the value of what it keeps.
///
/// With an empty bag nothing will be drawn: going out earns twice the opponent's tiles, which are the unseen ones; keeping
/// tiles costs twice their points, and 10 points more because the opponent moves again.
#[derive(Clone, Debug)]
pub struct Leave {
    table: Arc<LeaveTable>,
}

impl Leave {
    /// The evaluator of a table made for the setup's tile set.
    pub fn new(table: Arc<LeaveTable>) -> Leave {
        Leave { table }
    }
}

impl Evaluator for Leave {
    fn keep_values(&self, turn: &Turn<'_>, numbers: &SubRacks, keep_values: &mut [Equity; MAX_SUB_RACKS]) {
        if turn.bag > 0 {
            self.table.fill(numbers, keep_values);
        } else {
            leftover(turn, numbers, keep_values);
        }
    }
}

/// With an empty bag: what is left at the end.
pub(super) fn leftover(turn: &Turn<'_>, numbers: &SubRacks, keep_values: &mut [Equity; MAX_SUB_RACKS]) {
    let mut points = [0i32; MAX_SUB_RACKS];
    let mut len = 1;
    for &(kind, most) in numbers.kinds() {
        let value = turn.setup.tileset.value(Tile::letter_tile(kind));
        for count in 1..=most as usize {
            for number in 0..len {
                points[number + count * len] = points[number] + count as i32 * value;
            }
        }
        len *= most as usize + 1;
    }
    for (value, points) in keep_values.iter_mut().zip(&points[..len]) {
        *value = NOT_OUT - Equity::from_points(2 * points);
    }
    keep_values[0] = Equity::from_points(2 * turn.unseen.points(&turn.setup.tileset));
}
