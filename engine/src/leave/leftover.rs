//! The value of leaves when the bag is empty.

use crate::equity::Equity;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::tileset::Tile;
use crate::turn::Turn;

/// The cost of not going out besides twice the points of the leave: the opponent moves again.
const NOT_OUT: Equity = Equity::from_points(-10);

/// Writes the value of every leave with an empty bag, by number. The empty leave (going out) earns twice the points of the
/// unseen tiles; any other leave costs twice its points, and 10 points more because the opponent moves again.
pub fn leftover(turn: &Turn<'_>, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
    let mut points = [0i32; MAX_SUB_RACKS];
    let mut len = 1;
    for &(kind, most) in sub_racks.kinds() {
        let value = turn.setup.tileset.value(Tile::letter_tile(kind));
        for count in 1..=most as usize {
            for number in 0..len {
                points[number + count * len] = points[number] + count as i32 * value;
            }
        }
        len *= most as usize + 1;
    }
    for (value, points) in leave_values.iter_mut().zip(&points[..len]) {
        *value = NOT_OUT - Equity::from_points(2 * points);
    }
    leave_values[0] = Equity::from_points(2 * turn.unseen.points(&turn.setup.tileset));
}
