//! What of a keep can be counted tile by tile, or pair by pair.

use super::Companion;
use crate::leave::LeaveTable;
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::tileset::{Tile, TileSet};
use crate::turn::Turn;

/// Sums over the kinds of every keep what so many of a kind are worth.
pub(super) fn by_kind(numbers: &SubRacks, values: &mut [f32; MAX_SUB_RACKS], worth: impl Fn(u8, u8) -> f32) {
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

/// What the tiles that each keep draws are worth alone, on average over the unseen tiles.
pub(super) fn draw_value(turn: &Turn<'_>, numbers: &SubRacks, leaves: &LeaveTable, values: &mut [f32; MAX_SUB_RACKS]) {
    let worth = |kind: u8| single(leaves, kind);
    let sum: f32 = turn.unseen.kinds().map(|(kind, count)| f32::from(count) * worth(kind)).sum();
    let average = sum / turn.unseen.size().max(1) as f32;
    by_kind(numbers, values, |_, count| f32::from(count));
    values[..numbers.len()].iter_mut().for_each(|kept| *kept = turn.drawn(*kept as usize) as f32 * average);
}

/// How much larger the shares of the kept kinds are among the unseen tiles than in a full bag, each tile for itself.
pub(super) fn density(turn: &Turn<'_>, numbers: &SubRacks, values: &mut [f32; MAX_SUB_RACKS]) {
    let tileset = &turn.setup.tileset;
    let all = turn.unseen.size().max(1) as f32;
    by_kind(numbers, values, |kind, count| {
        let full = f32::from(tileset.kinds()[kind as usize].count) / tileset.total_tiles() as f32;
        f32::from(count) * (f32::from(turn.unseen.count(kind)) / all - full)
    });
}

/// Kept tiles whose companion is not kept with them: each needs one of its own.
pub(super) fn stranded(companions: &[Companion], numbers: &SubRacks, values: &mut [f32; MAX_SUB_RACKS]) {
    values[..numbers.len()].fill(0.0);
    for companion in companions {
        for (number, value) in values[..numbers.len()].iter_mut().enumerate() {
            let needy = numbers.count(number, companion.tile);
            *value += f32::from(needy.saturating_sub(numbers.count(number, companion.needs)));
        }
    }
}

/// Companions that are kept for tiles still unseen, as a share of what is unseen.
pub(super) fn awaited(companions: &[Companion], turn: &Turn<'_>, numbers: &SubRacks, values: &mut [f32; MAX_SUB_RACKS]) {
    let all = turn.unseen.size().max(1) as f32;
    by_kind(numbers, values, |kind, _| {
        let awaited = companions.iter().filter(|companion| companion.needs == kind);
        awaited.map(|companion| f32::from(turn.unseen.count(companion.tile)) / all).sum()
    });
}

/// Mathieu's adjustment: for each two kept tiles what they are worth together beyond each alone, times the chances to draw each again.
pub(super) fn game_state(turn: &Turn<'_>, numbers: &SubRacks, leaves: &LeaveTable, values: &mut [f32; MAX_SUB_RACKS]) {
    let all = turn.unseen.size().max(1) as f32;
    let share = |kind: u8| f32::from(turn.unseen.count(kind)) / all;
    let synergy = |one: u8, other: u8| {
        let pair = leaves.get(&Rack::from_kinds(&[one, other])).map_or(0.0, |value| value.points() as f32);
        2.0 * share(one) * share(other) * (pair - single(leaves, one) - single(leaves, other))
    };
    by_kind(
        numbers,
        values,
        |kind, count| {
            if count < 2 { 0.0 } else { f32::from(count * (count - 1) / 2) * synergy(kind, kind) }
        },
    );
    for (place, &(one, _)) in numbers.kinds().iter().enumerate() {
        for &(other, _) in &numbers.kinds()[place + 1..] {
            let synergy = synergy(one, other);
            for (number, value) in values[..numbers.len()].iter_mut().enumerate() {
                let pairs = numbers.count(number, one) * numbers.count(number, other);
                *value += f32::from(pairs) * synergy;
            }
        }
    }
}

/// Tiles that are left in the bag when the tiles not kept have been drawn.
pub(super) fn bag_after(turn: &Turn<'_>, numbers: &SubRacks, values: &mut [f32; MAX_SUB_RACKS]) {
    by_kind(numbers, values, |_, count| f32::from(count));
    values[..numbers.len()].iter_mut().for_each(|kept| *kept = (turn.bag() - turn.drawn(*kept as usize)) as f32);
}

/// What a tile kept alone is worth, in points.
fn single(leaves: &LeaveTable, kind: u8) -> f32 {
    leaves.get(&Rack::from_kinds(&[kind])).map_or(0.0, |value| value.points() as f32)
}

/// 1 for a vowel, −1 for another letter, 0 for a blank.
pub(super) fn vowel_sign(tileset: &TileSet, kind: u8) -> f32 {
    match kind {
        0 => 0.0,
        _ if tileset.kinds()[Tile::letter_tile(kind).letter() as usize].is_vowel => 1.0,
        _ => -1.0,
    }
}
