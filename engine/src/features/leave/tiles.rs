//! A turn with the leaves of its rack, and features of the leave that are counted tile by tile.

use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::turn::Turn;

/// Writes for every leave the sum over its kinds of `worth(kind, count)`.
pub(super) fn by_kind(sub_racks: &SubRacks, values: &mut LeaveRow, worth: impl Fn(u8, u8) -> f32) {
    values[0] = 0.0;
    let mut len = 1;
    for &(kind, most) in sub_racks.kinds() {
        for count in 1..=most {
            let worth = worth(kind, count);
            for number in 0..len {
                values[number + count as usize * len] = values[number] + worth;
            }
        }
        len *= most as usize + 1;
    }
}

/// The number of tiles in the leave.
pub(super) fn leave_size(at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    by_kind(at.sub_racks, values, |_, count| f32::from(count));
}

/// The number of tiles played or exchanged.
pub(super) fn played(at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let held = at.turn.rack.size() as f32;
    leave_size(at, values);
    *values = values.map(|size| held - size);
}

pub(super) fn vowels_less_consonants(at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let tileset = &at.turn.setup.tileset;
    by_kind(at.sub_racks, values, |kind, count| match kind {
        0 => 0.0,
        _ if tileset.is_vowel(kind) => f32::from(count),
        _ => -f32::from(count),
    });
}

pub(super) fn vowel_imbalance(at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    vowels_less_consonants(at, values);
    *values = values.map(f32::abs);
}

pub(super) fn blanks(at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    by_kind(at.sub_racks, values, |kind, count| if kind == 0 { f32::from(count) } else { 0.0 });
}

/// The number of tiles beyond the first of their kind.
pub(super) fn duplicates(at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    by_kind(at.sub_racks, values, |_, count| f32::from(count - 1));
}

/// The sum over the tiles of the leave of the share of their kind among the unseen tiles minus its share in a full bag.
pub(super) fn density(at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let (tileset, unseen) = (&at.turn.setup.tileset, &at.turn.unseen);
    let all = unseen.size().max(1) as f32;
    by_kind(at.sub_racks, values, |kind, count| {
        let full = f32::from(tileset.kinds()[kind as usize].count) / tileset.total_tiles() as f32;
        f32::from(count) * (f32::from(unseen.count(kind)) / all - full)
    });
}

/// 1 if the draw leaves one tile to a full rack in the bag.
pub(super) fn bag_nearly_emptied(at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let rack_size = at.turn.setup.tileset.rules().rack_size;
    bag_after(at, values, |left| (1..=rack_size).contains(&left));
}

/// 1 if the draw leaves `LEFT` tiles in the bag.
pub(super) fn bag_left<const LEFT: usize>(at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    bag_after(at, values, |left| left == LEFT);
}

/// The tiles in the bag after the draw, at most two full racks.
pub(super) fn last_tiles(at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let (bag, most) = (at.turn.bag, 2 * at.turn.setup.tileset.rules().rack_size);
    leave_size(at, values);
    for value in &mut values[..at.sub_racks.len()] {
        *value = (bag - at.turn.drawn(*value as usize)).min(most) as f32;
    }
}

/// 1 if the bag has tiles now and `is_met` accepts the number left after the draw.
fn bag_after(at: &TurnLeaves<'_>, values: &mut LeaveRow, is_met: impl Fn(usize) -> bool) {
    let bag = at.turn.bag;
    leave_size(at, values);
    for value in &mut values[..at.sub_racks.len()] {
        let left = bag - at.turn.drawn(*value as usize);
        *value = f32::from(u8::from(bag > 0 && is_met(left)));
    }
}

/// The values of one feature for all leaves of a rack, by number. The last belongs to the whole rack, the leave of a pass.
pub type LeaveRow = [f32; MAX_SUB_RACKS];

/// A turn and the leaves of its rack.
#[derive(Debug)]
pub(in crate::features) struct TurnLeaves<'a> {
    pub turn: &'a Turn<'a>,
    /// The numbering of the leaves.
    pub sub_racks: &'a SubRacks,
}
