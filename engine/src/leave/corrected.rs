//! The leave values of a turn, from a table and its corrections, and the value of leaves when the bag is empty.

use std::sync::Arc;

use super::LeaveTable;
use super::late::LateValues;
use super::pool::Pool;
use crate::equity::Equity;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::tileset::{Tile, TileSet};
use crate::turn::Turn;

/// A leave table, optionally corrected for the unseen tiles ([`super::pool`]) and for few tiles in the bag ([`super::late`]).
///
/// With an empty bag nothing is drawn: going out earns twice the points of the opponent's tiles, which are the unseen ones.
/// Any other leave costs twice its points, and 10 points more because the opponent moves again.
#[derive(Clone, Debug)]
pub struct CorrectedLeaves {
    table: Arc<LeaveTable>,
    pool: Option<Arc<Pool>>,
    late: Option<Arc<LateValues>>,
}

impl CorrectedLeaves {
    /// The values of a table, which must be for the tile set of the game.
    pub fn new(table: Arc<LeaveTable>) -> CorrectedLeaves {
        CorrectedLeaves { table, pool: None, late: None }
    }

    /// The same, corrected for the unseen tiles.
    #[must_use]
    pub fn with_pool(self, tileset: &TileSet) -> CorrectedLeaves {
        let pool = Pool::new(&self.table, tileset);
        let table = Arc::new(pool.at_full_shares(&self.table, tileset));
        CorrectedLeaves { table, pool: Some(Arc::new(pool)), ..self }
    }

    /// The same, adjusted when few tiles are left in the bag.
    #[must_use]
    pub(crate) fn with_late(self, late: Arc<LateValues>) -> CorrectedLeaves {
        CorrectedLeaves { late: Some(late), ..self }
    }

    /// Whether the values follow from the rack alone with this many tiles in the bag.
    pub(crate) fn needs_only_rack(&self, bag: usize) -> bool {
        bag > 0 && self.pool.is_none() && self.late.is_none()
    }

    /// Writes the value of every leave, by number. With tiles in the bag, a full rack has the value [`Equity::PASS`].
    pub(crate) fn fill(&self, turn: &Turn<'_>, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        if turn.bag == 0 {
            return leftover(turn, sub_racks, leave_values);
        }
        self.table.fill(sub_racks, leave_values);
        if self.pool.is_none() && self.late.is_none() {
            return;
        }
        let sizes = sub_racks.sizes();
        if let Some(pool) = &self.pool {
            pool.add(&turn.unseen, turn.bag, sub_racks, &sizes, leave_values);
        }
        if let Some(late) = &self.late {
            late.adjust(turn, sub_racks, &sizes, leave_values);
        }
    }
}

/// The cost of not going out besides twice the points of the leave: the opponent moves again.
const NOT_OUT: Equity = Equity::from_points(-10);

/// Writes the value of every leave with an empty bag, by number. The empty leave (going out) earns twice the points of the
/// unseen tiles. Any other leave costs twice its points, and 10 points more because the opponent moves again.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::cross_set::CrossSets;
    use crate::rack::Rack;
    use crate::setup::Setup;

    #[test]
    fn tiles_left_over_cost_twice_their_points() {
        let setup = Setup::embedded("english").unwrap();
        let (board, cross_sets) = (Board::new(15), CrossSets::new(15, &setup.tileset));
        // A and Q, 1 and 10 points; the other player has E and Z, 11 points together.
        let (rack, unseen) = (Rack::from_kinds(&[1, 17]), Rack::from_kinds(&[5, 26]));
        let turn = Turn { setup: &setup, board: &board, cross_sets: &cross_sets, rack, unseen, bag: 0, spread: 0 };
        let mut values = [Equity::ZERO; MAX_SUB_RACKS];
        leftover(&turn, &SubRacks::new(&rack), &mut values);
        assert_eq!(values[..4], [22, -12, -30, -32].map(Equity::from_points));
    }
}
