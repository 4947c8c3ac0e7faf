//! A turn with the leaves of its rack, from which features of the leave are computed.

use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::turn::Turn;

/// The values of one feature for all leaves of a rack, by number. The last belongs to the whole rack, the leave of a pass.
pub type LeaveRow = [f32; MAX_SUB_RACKS];

/// A turn and the leaves of its rack.
#[derive(Debug)]
pub(in crate::features) struct TurnLeaves<'a> {
    pub turn: &'a Turn<'a>,
    /// The numbering of the leaves.
    pub sub_racks: &'a SubRacks,
}
