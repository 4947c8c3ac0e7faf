//! The chance that the next draw makes a bingo: exact, for every leave of a rack.
//!
//! After Heuri (González, Alquézar and Ramírez, *New Heuristics in Scrabble*): whatever the rack size, a full rack that
//! spells a word is a **septet**. Leave K becomes rack S with probability Π C(u(t), S(t) − K(t)) / C(|U|, |S| − |K|): every
//! unseen tile is equally likely to be drawn.

use super::rack_graph::{Blanks, Kinds, MAX_BLANKS, NOTHING, Plain, Points, RackGraph, choose};
use super::tiles::{LeaveRow, TurnLeaves, by_kind};
use crate::rack::MAX_SUB_RACKS;
use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE, Tile};

/// The factor on tile values in the estimated score of a bingo, for premium squares, hooks and longer words (Heuri, 4.2).
pub(super) const TILE_FACTOR: f64 = 2.5;

/// The full racks that spell a word, those with blanks included.
#[derive(Clone, Debug)]
pub(super) struct BingoRacks(RackGraph);

impl BingoRacks {
    pub(super) fn new(setup: &Setup) -> BingoRacks {
        let blanks = setup.tileset.counts()[0] as usize;
        let mut racks = Vec::new();
        for rack in spelling_racks(setup) {
            for_each_blanked(rack, blanks.min(MAX_BLANKS), &mut |rack| racks.push(rack));
        }
        BingoRacks(RackGraph::new(racks))
    }

    /// For every leave, by number, the chance that the draw makes one of these racks, 0–1.
    pub(super) fn chances(&self, at: &TurnLeaves<'_>, chances: &mut LeaveRow) {
        let (turn, sub_racks) = (at.turn, at.sub_racks);
        let mut sums = [[0.0; MAX_SUB_RACKS]; 1];
        self.0.sums(&Plain, sub_racks, &turn.unseen, &mut sums);
        let shares = sums[0].iter().zip(draws(at));
        chances[..sub_racks.len()].iter_mut().zip(shares).for_each(|(chance, (sum, draws))| *chance = (sum / draws) as f32);
    }

    /// For every leave, by number, the expected points of a bingo with the next rack.
    pub(super) fn points(&self, at: &TurnLeaves<'_>, points: &mut LeaveRow) {
        let (turn, sub_racks) = (at.turn, at.sub_racks);
        let tileset = &turn.setup.tileset;
        let mut values = [0.0; MAX_KINDS];
        (0..tileset.counts().len()).for_each(|kind| values[kind] = f64::from(tileset.value(Tile::letter_tile(kind as u8))));
        let mut sums = [[0.0; MAX_SUB_RACKS]; 2];
        self.0.sums(&Points(values), sub_racks, &turn.unseen, &mut sums);
        let draws = draws(at);
        let bonus = f64::from(tileset.rules().bingo_bonus);
        for (number, points) in points[..sub_racks.len()].iter_mut().enumerate() {
            *points = ((bonus * sums[0][number] + TILE_FACTOR * sums[1][number]) / draws[number]) as f32;
        }
    }

    /// For every leave, by number, the bingo chance times the estimated score of a bingo of the leave and average tiles.
    pub(super) fn average_points(&self, at: &TurnLeaves<'_>, points: &mut LeaveRow) {
        let (turn, sub_racks) = (at.turn, at.sub_racks);
        let tileset = &turn.setup.tileset;
        let value = |kind: u8| tileset.value(Tile::letter_tile(kind)) as f32;
        let total: f32 = (0u8..).zip(tileset.counts()).map(|(kind, count)| f32::from(count) * value(kind)).sum();
        let average = total / tileset.total_tiles() as f32;
        let (bonus, full) = (tileset.rules().bingo_bonus as f32, tileset.rules().rack_size as f32);
        by_kind(sub_racks, points, |kind, count| f32::from(count) * (value(kind) - average));
        let mut chances = [0.0; MAX_SUB_RACKS];
        self.chances(at, &mut chances);
        for (points, chance) in points[..sub_racks.len()].iter_mut().zip(chances) {
            *points = chance * (bonus + TILE_FACTOR as f32 * (*points + full * average));
        }
    }
}

/// The number of words that each full rack spells.
#[derive(Clone, Debug)]
pub(super) struct BingoWords {
    /// The racks that spell at least one word, at least two words, and so on.
    spelling: Vec<RackGraph>,
}

impl BingoWords {
    pub(super) fn new(setup: &Setup) -> BingoWords {
        let mut racks = spelling_racks(setup);
        racks.sort_unstable();
        let mut spelling: Vec<Vec<Kinds>> = Vec::new();
        for same in racks.chunk_by(|one, other| one == other) {
            spelling.resize_with(spelling.len().max(same.len()), Vec::new);
            spelling[..same.len()].iter_mut().for_each(|racks| racks.push(same[0]));
        }
        BingoWords { spelling: spelling.into_iter().map(RackGraph::new).collect() }
    }

    /// For every leave, by number, the expected number of words that the next rack spells.
    pub(super) fn expected(&self, at: &TurnLeaves<'_>, expected: &mut LeaveRow) {
        let (turn, sub_racks) = (at.turn, at.sub_racks);
        let unseen = turn.unseen.count(0);
        let held = sub_racks.kinds().first().filter(|&&(kind, _)| kind == 0).map_or(0, |&(_, count)| count);
        let mut sums = [[0.0; MAX_SUB_RACKS]; MAX_BLANKS + 1];
        let blanks = Blanks(MAX_BLANKS.min((held + unseen) as usize));
        let mut totals = [0.0; MAX_SUB_RACKS];
        for graph in &self.spelling {
            graph.sums(&blanks, sub_racks, &turn.unseen, &mut sums);
            for (number, total) in totals[..sub_racks.len()].iter_mut().enumerate() {
                // The blank is the first kind, so its stride is 1.
                let own = number % (held as usize + 1);
                let by_blanks = (own..=blanks.0).map(|blanks| (sums[blanks][number - own], (blanks - own) as u8));
                *total += by_blanks.map(|(ways, drawn)| ways * choose(unseen, drawn)).sum::<f64>();
            }
        }
        let shares = totals.iter().zip(draws(at));
        expected[..sub_racks.len()]
            .iter_mut()
            .zip(shares)
            .for_each(|(expected, (total, draws))| *expected = (total / draws) as f32);
    }
}

/// The number of possible draws for each leave. It is infinite where no bingo can follow.
pub(super) fn draws(at: &TurnLeaves<'_>) -> [f64; MAX_SUB_RACKS] {
    let turn = at.turn;
    let full = turn.setup.tileset.rules().rack_size;
    let mut by_size = [f64::INFINITY; MAX_RACK_SIZE + 1];
    for (size, draws) in by_size.iter_mut().enumerate().take(full + 1) {
        // With fewer tiles in the bag the next rack is not full: no bingo.
        if full - size <= turn.bag {
            *draws = choose(turn.unseen.size() as u8, (full - size) as u8);
        }
    }
    at.sub_racks.sizes().map(|size| by_size[size as usize])
}

/// The letters of each word of a full rack.
fn spelling_racks(setup: &Setup) -> Vec<Kinds> {
    let size = setup.tileset.rules().rack_size;
    let mut racks = Vec::new();
    setup.lexicon.graph.for_each_word(|word| {
        if word.len() == size {
            racks.push(sorted(word));
        }
    });
    racks
}

/// The kinds of a rack in the tile set's order.
pub(super) fn sorted(kinds: &[u8]) -> Kinds {
    let mut rack = [NOTHING; MAX_RACK_SIZE];
    rack[..kinds.len()].copy_from_slice(kinds);
    rack[..kinds.len()].sort_unstable();
    rack
}

/// Calls `see` once for a rack and for each rack with blanks in place of up to `blanks` of its letters. Blanks come first.
pub(super) fn for_each_blanked(rack: Kinds, blanks: usize, see: &mut impl FnMut(Kinds)) {
    see(rack);
    blank_from(rack, 0, blanks, see);
}

/// Puts blanks in place of the letters from `from` on. The letters before it stay.
fn blank_from(rack: Kinds, from: usize, blanks: usize, see: &mut impl FnMut(Kinds)) {
    if blanks == 0 {
        return;
    }
    for at in from..MAX_RACK_SIZE {
        let is_repeated = at > from && rack[at] == rack[at - 1];
        if rack[at] == NOTHING || is_repeated {
            continue;
        }
        let mut blanked = rack;
        blanked.copy_within(0..at, 1);
        blanked[0] = 0;
        see(blanked);
        blank_from(blanked, at + 1, blanks - 1, see);
    }
}

#[cfg(test)]
mod tests;
