//! A turn with the leaves of its rack, from which features of the leave are computed.

use std::cell::OnceCell;

use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::turn::Turn;

/// The values of one feature for all leaves of a rack, by number. The last is that of the whole rack, the leave of a pass.
pub type LeaveRow = [f32; MAX_SUB_RACKS];

/// A turn and the leaves of its rack.
#[derive(Debug)]
pub(in crate::features) struct TurnLeaves<'a> {
    pub turn: &'a Turn<'a>,
    /// The numbering of the leaves.
    pub sub_racks: &'a SubRacks,
    /// The figures of [playable bingos](super::playable), computed once for the features that share them.
    pub playable: OnceCell<[LeaveRow; 3]>,
}

impl<'a> TurnLeaves<'a> {
    pub(in crate::features) fn new(turn: &'a Turn<'a>, sub_racks: &'a SubRacks) -> TurnLeaves<'a> {
        TurnLeaves { turn, sub_racks, playable: OnceCell::new() }
    }
}
