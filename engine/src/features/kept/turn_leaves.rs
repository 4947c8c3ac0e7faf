//! What features of the leave are computed from in one turn.

use std::cell::OnceCell;

use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::turn::Turn;

/// Values of one feature for all leaves of a rack, by number; for the whole rack, which a pass keeps, too.
pub type KeptValues = [f32; MAX_SUB_RACKS];

/// A turn and the leaves of its rack.
#[derive(Debug)]
pub(in crate::features) struct TurnLeaves<'a> {
    pub turn: &'a Turn<'a>,
    /// The leaves by number.
    pub numbers: &'a SubRacks,
    /// Computed once for the features that share it.
    pub playable: OnceCell<PlayableBingos>,
}

/// The bingos that the board has room for, as the next rack of each leave can expect them.
#[derive(Debug)]
pub(in crate::features) struct PlayableBingos {
    /// Chance to hold one next turn, 0–1.
    pub chances: KeptValues,
    /// Pairs of a place and a word that fits it.
    pub expected: KeptValues,
    /// Points that one is expected to score.
    pub points: KeptValues,
}

impl<'a> TurnLeaves<'a> {
    /// The leaves of a turn.
    pub(in crate::features) fn new(turn: &'a Turn<'a>, numbers: &'a SubRacks) -> TurnLeaves<'a> {
        TurnLeaves { turn, numbers, playable: OnceCell::new() }
    }
}
