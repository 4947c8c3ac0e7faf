//! The leave values of a turn, from a table and its corrections.

use std::sync::Arc;

use super::late::LateValues;
use super::pool::Pool;
use super::{LeaveTable, leftover};
use crate::equity::Equity;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::tileset::TileSet;
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
