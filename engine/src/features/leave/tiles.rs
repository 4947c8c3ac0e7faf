//! A turn with the leaves of its rack, and features of the leave: from a leave table, counted tile by tile, and of kinds that rarely occur in a
//! word without another, such as Q without U.

use crate::equity::Equity;
use crate::leave::{CorrectedLeaves, LeaveTable};
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::setup::Setup;
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

/// The values of the table in points. With an empty bag, they are the values of [`leftover`](crate::leave::leftover()).
pub(super) fn leave(table: &CorrectedLeaves, at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    *values = filled(table, at).map(|equity| equity.points() as f32);
    if at.turn.bag > 0 {
        // A full rack is no leave.
        values[at.sub_racks.whole()] = 0.0;
    }
}

/// The points that a correction adds to the values of the table, or 0 with an empty bag.
pub(super) fn correction([table, corrected]: &[CorrectedLeaves; 2], at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let (flat, corrected) = (filled(table, at), filled(corrected, at));
    *values = std::array::from_fn(|number| (corrected[number] - flat[number]).points() as f32);
}

fn filled(leaves: &CorrectedLeaves, at: &TurnLeaves<'_>) -> [Equity; MAX_SUB_RACKS] {
    let mut equities = [Equity::ZERO; MAX_SUB_RACKS];
    leaves.fill(at.turn, at.sub_racks, &mut equities);
    equities
}

/// The number of tiles drawn times the mean value of a single unseen tile.
pub(super) fn draw_value(table: &LeaveTable, at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let unseen = &at.turn.unseen;
    let sum: f32 = unseen.kinds().map(|(kind, count)| f32::from(count) * single(table, kind)).sum();
    let average = sum / unseen.size().max(1) as f32;
    leave_size(at, values);
    values[..at.sub_racks.len()].iter_mut().for_each(|value| *value = at.turn.drawn(*value as usize) as f32 * average);
}

/// Mathieu's adjustment: the sum over pairs of tiles in the leave of their synergy (the value of both beyond the values of
/// each) times the chances to draw each again.
pub(super) fn game_state(table: &LeaveTable, at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let (sub_racks, unseen) = (at.sub_racks, &at.turn.unseen);
    let all = unseen.size().max(1) as f32;
    let share = |kind: u8| f32::from(unseen.count(kind)) / all;
    let synergy = |one: u8, other: u8| {
        let pair = table.get(&Rack::from_kinds(&[one, other])).map_or(0.0, |value| value.points() as f32);
        2.0 * share(one) * share(other) * (pair - single(table, one) - single(table, other))
    };
    by_kind(
        sub_racks,
        values,
        |kind, count| {
            if count < 2 { 0.0 } else { f32::from(count * (count - 1) / 2) * synergy(kind, kind) }
        },
    );
    let count_of = |&(kind, _): &(u8, u8)| -> LeaveRow {
        std::array::from_fn(|number| if number < sub_racks.len() { f32::from(sub_racks.count(number, kind)) } else { 0.0 })
    };
    let counts: Vec<LeaveRow> = sub_racks.kinds().iter().map(count_of).collect();
    for (place, (&(one, _), ones)) in sub_racks.kinds().iter().zip(&counts).enumerate() {
        for (&(other, _), others) in sub_racks.kinds().iter().zip(&counts).skip(place + 1) {
            let synergy = synergy(one, other);
            for ((value, one), other) in values.iter_mut().zip(ones).zip(others) {
                *value += one * other * synergy;
            }
        }
    }
}

/// The value of a leave of one tile, in points.
fn single(table: &LeaveTable, kind: u8) -> f32 {
    table.get(&Rack::from_kinds(&[kind])).map_or(0.0, |value| value.points() as f32)
}

/// A kind that another kind nearly always follows in words: Q and its U.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Companion {
    /// The kind.
    pub tile: u8,
    /// The kind that follows it.
    pub needs: u8,
}

/// The least share of the words with a kind in which its companion follows it directly.
const COMPANION_SHARE: f64 = 0.9;

/// The kinds that another kind follows directly in at least nine of ten of their words.
pub(crate) fn companions(setup: &Setup) -> Vec<Companion> {
    let kinds = setup.tileset.counts().len();
    // For each letter the words that have it, and for each two letters the words in which the second follows the first.
    let mut words = vec![0u32; kinds];
    let mut following = vec![0u32; kinds * kinds];
    setup.lexicon.graph.for_each_word(|word| {
        let (mut seen, mut pairs) = (0u64, Vec::with_capacity(word.len()));
        for (place, &letter) in word.iter().enumerate() {
            if seen >> letter & 1 == 0 {
                words[letter as usize] += 1;
                seen |= 1 << letter;
            }
            let pair = word.get(place + 1).map(|&next| letter as usize * kinds + next as usize);
            pairs.extend(pair);
        }
        pairs.sort_unstable();
        pairs.dedup();
        for pair in pairs {
            following[pair] += 1;
        }
    });
    let mut companions = Vec::new();
    for tile in 1..kinds {
        let best = (1..kinds).filter(|&other| other != tile).max_by_key(|&other| following[tile * kinds + other]);
        let Some(needs) = best else { continue };
        let share = f64::from(following[tile * kinds + needs]) / f64::from(words[tile]);
        if words[tile] > 0 && share >= COMPANION_SHARE {
            companions.push(Companion { tile: tile as u8, needs: needs as u8 });
        }
    }
    companions
}

/// The number of tiles in the leave without a companion there. Each tile needs its own companion.
pub(super) fn stranded(companions: &[Companion], at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let sub_racks = at.sub_racks;
    values[..sub_racks.len()].fill(0.0);
    for companion in companions {
        for (number, value) in values[..sub_racks.len()].iter_mut().enumerate() {
            let needy = sub_racks.count(number, companion.tile);
            *value += f32::from(needy.saturating_sub(sub_racks.count(number, companion.needs)));
        }
    }
}

/// The share of the unseen tiles that need a tile of the leave.
pub(super) fn awaited(companions: &[Companion], at: &TurnLeaves<'_>, values: &mut LeaveRow) {
    let unseen = &at.turn.unseen;
    let all = unseen.size().max(1) as f32;
    by_kind(at.sub_racks, values, |kind, _| {
        let awaited = companions.iter().filter(|companion| companion.needs == kind);
        awaited.map(|companion| f32::from(unseen.count(companion.tile)) / all).sum()
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::test_support::english;

    #[test]
    fn companions_are_found_in_the_words() {
        let setup = english();
        let label = |companion: &Companion| {
            [companion.tile, companion.needs].map(|kind| setup.tileset.kinds()[kind as usize].label.clone()).concat()
        };
        let found: Vec<String> = companions(&setup).iter().map(label).collect();
        assert_eq!(found, ["QU"]);
    }
}
