//! What keeping tiles is worth when nothing is left to draw.

use crate::equity::Equity;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::tileset::Tile;
use crate::turn::Turn;

/// What not going out costs beside twice the tiles left: the opponent moves again.
const NOT_OUT: Equity = Equity::from_points(-10);

/// With an empty bag: going out earns twice the unseen tiles, keeping tiles costs twice their points and what the other makes of
/// moving again.
pub fn leftover(turn: &Turn<'_>, numbers: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
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
    for (value, points) in leave_values.iter_mut().zip(&points[..len]) {
        *value = NOT_OUT - Equity::from_points(2 * points);
    }
    leave_values[0] = Equity::from_points(2 * turn.unseen.points(&turn.setup.tileset));
}
