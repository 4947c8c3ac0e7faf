//! How likely the next draw makes a bingo: exactly, for every keep of a rack.
//!
//! After Heuri (González, Alquézar and Ramírez, *New Heuristics in Scrabble*): a full rack that spells a word is a **septet**, one that spells a
//! longer word with a tile of the board a **reduced octet**, whatever the size of a full rack; keep K becomes rack S with
//! probability Π C(u(t), S(t) − K(t)) / C(|U|, |S| − |K|), for what can be drawn is as likely on the other rack as in the bag.

use super::rack_graph::{Blanks, Kinds, MOST_BLANKS, NOTHING, Plain, Points, RackGraph, choose};
use super::tiles::by_kind;
use super::turn_leaves::{KeptValues, TurnLeaves};
use crate::rack::{MAX_SUB_RACKS, Rack};
use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE, Tile};

/// What the tiles of a bingo count for in its points beside the bonus: premium squares, hooks and longer words (Heuri, 4.2).
pub(super) const TILE_FACTOR: f64 = 2.5;

/// Which racks are bingos.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Longest {
    /// Those that spell a word.
    Rack,
    /// Those too that spell one with one tile of the board.
    OneMore,
}

/// The racks that spell words, blanks in them included.
#[derive(Clone, Debug)]
pub(super) struct BingoRacks(RackGraph);

impl BingoRacks {
    pub(super) fn new(setup: &Setup, longest: Longest) -> BingoRacks {
        let blanks = setup.tileset.counts()[0] as usize;
        let mut racks = Vec::new();
        for rack in spelling_racks(setup, longest) {
            for_each_blanked(rack, blanks.min(MOST_BLANKS), &mut |rack| racks.push(rack));
        }
        BingoRacks(RackGraph::new(racks))
    }

    /// For every keep, by number, the chance to draw one of them, 0–1.
    pub(super) fn chances(&self, at: &TurnLeaves<'_>, chances: &mut KeptValues) {
        let (turn, numbers) = (at.turn, at.numbers);
        let mut sums = [[0.0; MAX_SUB_RACKS]; 1];
        self.0.sums(&Plain, numbers, &turn.unseen, &mut sums);
        let draws = Draws::new(at);
        for (number, chance) in chances[..numbers.len()].iter_mut().enumerate() {
            *chance = draws.share(number, sums[0][number]);
        }
    }

    /// For every keep, by number, the points that bingos of the next draw are expected to score.
    pub(super) fn points(&self, at: &TurnLeaves<'_>, points: &mut KeptValues) {
        let (turn, numbers) = (at.turn, at.numbers);
        let tileset = &turn.setup.tileset;
        let mut values = [0.0; MAX_KINDS];
        (0..tileset.counts().len()).for_each(|kind| values[kind] = f64::from(tileset.value(Tile::letter_tile(kind as u8))));
        let mut sums = [[0.0; MAX_SUB_RACKS]; 2];
        self.0.sums(&Points(values), numbers, &turn.unseen, &mut sums);
        let draws = Draws::new(at);
        let bonus = f64::from(tileset.rules().bingo_bonus);
        for (number, points) in points[..numbers.len()].iter_mut().enumerate() {
            *points = draws.share(number, bonus * sums[0][number] + TILE_FACTOR * sums[1][number]);
        }
    }

    /// For every keep, by number, that chance times what a bingo of its tiles and of average tiles drawn scores.
    pub(super) fn average_points(&self, at: &TurnLeaves<'_>, points: &mut KeptValues) {
        let (turn, numbers) = (at.turn, at.numbers);
        let tileset = &turn.setup.tileset;
        let counted = |kind: u8| tileset.value(Tile::letter_tile(kind)) as f32;
        let total: f32 = (0u8..).zip(tileset.counts()).map(|(kind, count)| f32::from(count) * counted(kind)).sum();
        let average = total / tileset.total_tiles() as f32;
        let (bonus, full) = (tileset.rules().bingo_bonus as f32, tileset.rules().rack_size as f32);
        by_kind(numbers, points, |kind, count| f32::from(count) * (counted(kind) - average));
        let mut chances = [0.0; MAX_SUB_RACKS];
        self.chances(at, &mut chances);
        for (points, chance) in points[..numbers.len()].iter_mut().zip(chances) {
            *points = chance * (bonus + TILE_FACTOR as f32 * (*points + full * average));
        }
    }

    /// The chance that a leave that is filled up from the unseen tiles is one of them.
    pub(super) fn chance(&self, setup: &Setup, keep: &Rack, unseen: &Rack) -> f64 {
        let drawn = setup.tileset.rules().rack_size - keep.size();
        self.0.sum_of_keep(keep, unseen) / choose(unseen.size() as u8, drawn as u8)
    }
}

/// The chance that a leave, filled up from the unseen tiles, spells a word.
#[derive(Clone, Debug)]
pub struct BingoChance(BingoRacks);

impl BingoChance {
    /// Prepares the words of a setup.
    pub fn new(setup: &Setup) -> BingoChance {
        BingoChance(BingoRacks::new(setup, Longest::Rack))
    }

    /// The exact chance, 0–1; `leave` holds a full rack at most.
    pub fn chance(&self, setup: &Setup, leave: &Rack, unseen: &Rack) -> f64 {
        self.0.chance(setup, leave, unseen)
    }
}

/// The words that a full rack spells.
#[derive(Clone, Debug)]
pub(super) struct BingoWords {
    /// The letters of one word at least, of two words, and so on.
    spelling: Vec<RackGraph>,
}

impl BingoWords {
    pub(super) fn new(setup: &Setup) -> BingoWords {
        let mut racks = spelling_racks(setup, Longest::Rack);
        racks.sort_unstable();
        let mut spelling: Vec<Vec<Kinds>> = Vec::new();
        for same in racks.chunk_by(|one, other| one == other) {
            spelling.resize_with(spelling.len().max(same.len()), Vec::new);
            spelling[..same.len()].iter_mut().for_each(|racks| racks.push(same[0]));
        }
        BingoWords { spelling: spelling.into_iter().map(RackGraph::new).collect() }
    }

    /// For every keep, by number, how many words the next rack is expected to spell.
    pub(super) fn expected(&self, at: &TurnLeaves<'_>, expected: &mut KeptValues) {
        let (turn, numbers) = (at.turn, at.numbers);
        let draws = Draws::new(at);
        let unseen = turn.unseen.count(0);
        let held = numbers.kinds().first().filter(|&&(kind, _)| kind == 0).map_or(0, |&(_, count)| count);
        let mut sums = [[0.0; MAX_SUB_RACKS]; MOST_BLANKS + 1];
        let blanks = Blanks(MOST_BLANKS.min((held + unseen) as usize));
        let mut totals = [0.0; MAX_SUB_RACKS];
        for graph in &self.spelling {
            graph.sums(&blanks, numbers, &turn.unseen, &mut sums);
            for (number, total) in totals[..numbers.len()].iter_mut().enumerate() {
                // Blanks come first among the kinds, so that the number of a keep counts them in its units.
                let kept = number % (held as usize + 1);
                let by_blanks = (kept..=blanks.0).map(|blanks| (sums[blanks][number - kept], (blanks - kept) as u8));
                *total += by_blanks.map(|(ways, drawn)| ways * choose(unseen, drawn)).sum::<f64>();
            }
        }
        for (number, expected) in expected[..numbers.len()].iter_mut().enumerate() {
            *expected = draws.share(number, totals[number]);
        }
    }
}

/// How many draws there are for each keep.
pub(super) struct Draws {
    draws: [f64; MAX_SUB_RACKS],
}

impl Draws {
    pub(super) fn new(at: &TurnLeaves<'_>) -> Draws {
        let (turn, numbers) = (at.turn, at.numbers);
        let full = turn.setup.tileset.rules().rack_size;
        let mut sizes = [0; MAX_SUB_RACKS];
        numbers.sizes(&mut sizes);
        let mut by_size = [f64::INFINITY; MAX_RACK_SIZE + 1];
        for (size, draws) in by_size.iter_mut().enumerate().take(full + 1) {
            // With fewer tiles in the bag the next rack is not full.
            if full - size <= turn.bag {
                *draws = choose(turn.unseen.size() as u8, (full - size) as u8);
            }
        }
        Draws { draws: sizes.map(|size| by_size[size as usize]) }
    }

    /// So many of the draws of keep `number`.
    #[inline]
    pub(super) fn share(&self, number: usize, ways: f64) -> f32 {
        (ways / self.draws[number]) as f32
    }
}

/// For each word of a full rack its letters, for each word of one more those of it but one; in the tile set's order.
fn spelling_racks(setup: &Setup, longest: Longest) -> Vec<Kinds> {
    let size = setup.tileset.rules().rack_size;
    let mut racks = Vec::new();
    setup.lexicon.graph.for_each_word(|word| {
        if word.len() == size {
            racks.push(sorted(word));
        } else if word.len() == size + 1 && longest == Longest::OneMore {
            let mut letters = word.to_vec();
            letters.sort_unstable();
            for left_out in 0..letters.len() {
                if left_out == 0 || letters[left_out] != letters[left_out - 1] {
                    let rest: Vec<u8> = [&letters[..left_out], &letters[left_out + 1..]].concat();
                    racks.push(sorted(&rest));
                }
            }
        }
    });
    racks
}

/// Kinds in the tile set's order.
pub(super) fn sorted(kinds: &[u8]) -> Kinds {
    let mut rack = [NOTHING; MAX_RACK_SIZE];
    rack[..kinds.len()].copy_from_slice(kinds);
    rack[..kinds.len()].sort_unstable();
    rack
}

/// Hears of a rack and of each rack that has blanks in place of up to `blanks` of its letters, each once; blanks come first.
pub(super) fn for_each_blanked(rack: Kinds, blanks: usize, see: &mut impl FnMut(Kinds)) {
    see(rack);
    blank_from(rack, 0, blanks, see);
}

/// The letters before `from` stay as they are; the blanks before them are there already.
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
