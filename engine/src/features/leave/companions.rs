//! Kinds that rarely occur in a word without another, such as Q without U, and features that count them.

use super::tiles::{LeaveRow, TurnLeaves, by_kind};
use crate::setup::Setup;

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
