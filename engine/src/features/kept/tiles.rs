//! What is counted in a leave tile by tile.

use super::turn_leaves::{KeptValues, TurnLeaves};
use crate::rack::SubRacks;
use crate::tileset::{Tile, TileSet};

/// Sums over the kinds of every leave what `count` tiles of a kind are worth.
pub(super) fn by_kind(numbers: &SubRacks, values: &mut KeptValues, worth: impl Fn(u8, u8) -> f32) {
    values[0] = 0.0;
    let mut len = 1;
    for &(kind, most) in numbers.kinds() {
        for count in 1..=most {
            let worth = worth(kind, count);
            for number in 0..len {
                values[number + count as usize * len] = values[number] + worth;
            }
        }
        len *= most as usize + 1;
    }
}

/// Tiles kept.
pub(super) fn kept(at: &TurnLeaves<'_>, values: &mut KeptValues) {
    by_kind(at.numbers, values, |_, count| f32::from(count));
}

/// Tiles that leave the rack.
pub(super) fn played(at: &TurnLeaves<'_>, values: &mut KeptValues) {
    let held = at.turn.rack.size() as f32;
    kept(at, values);
    *values = values.map(|kept| held - kept);
}

pub(super) fn vowels_less_consonants(at: &TurnLeaves<'_>, values: &mut KeptValues) {
    let tileset = &at.turn.setup.tileset;
    by_kind(at.numbers, values, |kind, count| f32::from(count) * vowel_sign(tileset, kind));
}

pub(super) fn vowel_imbalance(at: &TurnLeaves<'_>, values: &mut KeptValues) {
    vowels_less_consonants(at, values);
    *values = values.map(f32::abs);
}

pub(super) fn blanks(at: &TurnLeaves<'_>, values: &mut KeptValues) {
    by_kind(at.numbers, values, |kind, count| if kind == 0 { f32::from(count) } else { 0.0 });
}

/// Tiles beyond the first of their kind.
pub(super) fn duplicates(at: &TurnLeaves<'_>, values: &mut KeptValues) {
    by_kind(at.numbers, values, |_, count| f32::from(count - 1));
}

/// How much larger the shares of the kept kinds are among the unseen tiles than in a full bag, each tile for itself.
pub(super) fn density(at: &TurnLeaves<'_>, values: &mut KeptValues) {
    let (tileset, unseen) = (&at.turn.setup.tileset, &at.turn.unseen);
    let all = unseen.size().max(1) as f32;
    by_kind(at.numbers, values, |kind, count| {
        let full = f32::from(tileset.kinds()[kind as usize].count) / tileset.total_tiles() as f32;
        f32::from(count) * (f32::from(unseen.count(kind)) / all - full)
    });
}

/// 1 if the tiles that the leave draws are the last of the bag.
pub(super) fn bag_emptied(at: &TurnLeaves<'_>, values: &mut KeptValues) {
    bag_after(at, values, |left| left == 0);
}

/// 1 if the tiles that the leave draws leave a rackful at most in the bag, and not nothing.
pub(super) fn bag_nearly_emptied(at: &TurnLeaves<'_>, values: &mut KeptValues) {
    let rack_size = at.turn.setup.tileset.rules().rack_size;
    bag_after(at, values, |left| (1..=rack_size).contains(&left));
}

/// 1 if the bag holds tiles now, and after the draw as many as `is_met` accepts.
fn bag_after(at: &TurnLeaves<'_>, values: &mut KeptValues, is_met: impl Fn(usize) -> bool) {
    let bag = at.turn.bag;
    kept(at, values);
    for value in &mut values[..at.numbers.len()] {
        let left = bag - at.turn.drawn(*value as usize);
        *value = f32::from(u8::from(bag > 0 && is_met(left)));
    }
}

/// 1 for a vowel, −1 for another letter, 0 for a blank.
fn vowel_sign(tileset: &TileSet, kind: u8) -> f32 {
    match kind {
        0 => 0.0,
        _ if tileset.kinds()[Tile::letter_tile(kind).letter() as usize].is_vowel => 1.0,
        _ => -1.0,
    }
}
