//! How many words a random rack spells on a stretch of empty squares and tiles: the lexicon as [`Replies`](super::replies::Replies)
//! need it.

use std::collections::HashMap;

use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE, TileSet};

/// Around runs of two and more tiles, words with at most this many more letters are counted; longer ones are rare.
const MOST_AROUND: usize = 3;
/// The chance that a letter in the middle of a word is a given one, roughly. It takes the place of a count where an extent plays through
/// more tiles than the tables tell apart.
const SAME_LETTER: f32 = 0.06;

/// How many words a random rack spells on an extent, on average, by its number of empty squares and the tiles played through. Racks are
/// drawn from the full bag, without its blanks.
#[derive(Clone, Debug)]
pub struct ReplyWords {
    kinds: usize,
    /// Without a tile played through, by the number of squares.
    alone: [f32; MAX_RACK_SIZE + 1],
    /// With one tile played through: by the number of squares, the squares before the tile, and its letter.
    through_one: Vec<f32>,
    /// With two tiles that do not touch: by the number of squares, those before, those between, and both letters.
    through_two: Vec<f32>,
    /// With a run that is a word, by its letters; no entry if no word has a few more letters around it.
    around: HashMap<Box<[u8]>, Around>,
}

/// How many words a random rack spells around a run, by the squares before and after it, up to [`MOST_AROUND`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around([[f32; MOST_AROUND + 1]; MOST_AROUND + 1]);

impl Around {
    /// Words with `before` letters before the run and `after` letters after it.
    pub(super) fn rate(&self, before: usize, after: usize) -> f32 {
        self.0.get(before).and_then(|rates| rates.get(after)).copied().unwrap_or_default()
    }
}

impl ReplyWords {
    /// Counts the words of a setup's lexicon for racks drawn from the full bag.
    ///
    /// # Cost
    /// A few tenths of a second for 170,000 words; six seconds and some 300 MB for the 3.3 million of Polish.
    pub fn new(setup: &Setup) -> ReplyWords {
        let draws = DrawChances::new(&setup.tileset);
        let kinds = setup.tileset.kinds().len();
        let sizes = (MAX_RACK_SIZE + 1) * (MAX_RACK_SIZE + 1);
        let mut counted = ReplyWords {
            kinds,
            alone: [0.0; MAX_RACK_SIZE + 1],
            through_one: vec![0.0; sizes * kinds],
            through_two: vec![0.0; sizes * (MAX_RACK_SIZE + 1) * kinds * kinds],
            around: HashMap::new(),
        };
        let rack_size = setup.tileset.rules().rack_size;
        let graph = &setup.lexicon.graph;
        graph.for_each_word(|word| {
            counted.count_apart(word, &draws, rack_size);
            for run in word.len().saturating_sub(MOST_AROUND).max(2)..word.len() {
                for place in 0..=word.len() - run {
                    let (front, rest) = word.split_at(place);
                    let (middle, back) = rest.split_at(run);
                    if graph.contains(middle) {
                        let around = counted.around.entry(middle.into()).or_default();
                        around.0[front.len()][back.len()] += draws.chance([front, &[], back]);
                    }
                }
            }
        });
        counted
    }

    /// Counts a word that is laid alone, through one tile, or through two that do not touch.
    fn count_apart(&mut self, word: &[u8], draws: &DrawChances, rack_size: usize) {
        let length = word.len();
        if length <= rack_size {
            self.alone[length] += draws.chance([word, &[], &[]]);
        }
        for (first, &letter) in word.iter().enumerate() {
            let (front, back) = (&word[..first], &word[first + 1..]);
            if (1..=rack_size).contains(&(length - 1)) {
                let place = self.place_of_one(length - 1, first, letter);
                self.through_one[place] += draws.chance([front, &[], back]);
            }
            for (gap, &second) in back.iter().enumerate().skip(1) {
                if length - 2 <= rack_size {
                    let place = self.place_of_two(length - 2, first, gap, [letter, second]);
                    self.through_two[place] += draws.chance([front, &back[..gap], &back[gap + 1..]]);
                }
            }
        }
    }

    /// Words of `tiles` letters.
    pub(super) fn alone(&self, tiles: usize) -> f32 {
        self.alone[tiles]
    }

    /// Words through one tile with `before` squares before it.
    pub(super) fn through_one(&self, tiles: usize, before: usize, letter: u8) -> f32 {
        self.through_one[self.place_of_one(tiles, before, letter)]
    }

    /// Words through two runs or more: `before` squares before the first, `gap` squares between the first two, which have the letters `ends`
    /// there, and `others` more tiles played through, which count as if any letter were as likely as another.
    pub(super) fn through_two(&self, tiles: usize, before: usize, gap: usize, ends: [u8; 2], others: usize) -> f32 {
        self.through_two[self.place_of_two(tiles, before, gap, ends)] * SAME_LETTER.powi(others as i32)
    }

    /// Words around a run of tiles; `None` if there are none.
    pub(super) fn around(&self, run: &[u8]) -> Option<&Around> {
        if run.len() == 1 { None } else { self.around.get(run) }
    }

    /// The chance of a draw of these letters, as the tables count it.
    #[cfg(test)]
    pub(super) fn chance(setup: &Setup, letters: &[u8]) -> f32 {
        DrawChances::new(&setup.tileset).chance([letters, &[], &[]])
    }

    fn place_of_one(&self, tiles: usize, before: usize, letter: u8) -> usize {
        (tiles * (MAX_RACK_SIZE + 1) + before) * self.kinds + usize::from(letter)
    }

    fn place_of_two(&self, tiles: usize, before: usize, gap: usize, [first, second]: [u8; 2]) -> usize {
        let place = self.place_of_one(tiles, before, 0) * (MAX_RACK_SIZE + 1) + gap * self.kinds;
        (place + usize::from(first)) * self.kinds + usize::from(second)
    }
}

/// The number of ways to hold given letters on a rack drawn from the full bag, on average; blanks are left out.
struct DrawChances {
    counts: Vec<u8>,
    /// By the number of letters: the share of the draws of this many tiles that are on the rack.
    shares: [f64; MAX_RACK_SIZE + 1],
}

impl DrawChances {
    fn new(tileset: &TileSet) -> DrawChances {
        let (rack, all) = (tileset.rules().rack_size as f64, tileset.total_tiles() as f64);
        let mut shares = [1.0; MAX_RACK_SIZE + 1];
        for tiles in 1..=MAX_RACK_SIZE {
            let drawn = (tiles - 1) as f64;
            shares[tiles] = shares[tiles - 1] * (rack - drawn).max(0.0) / (all - drawn).max(1.0);
        }
        DrawChances { counts: tileset.counts(), shares }
    }

    /// For the letters of all parts together.
    fn chance(&self, parts: [&[u8]; 3]) -> f32 {
        let mut left = [0u8; MAX_KINDS];
        left[..self.counts.len()].copy_from_slice(&self.counts);
        let mut ways = self.shares[parts.iter().map(|part| part.len()).sum::<usize>()];
        let mut taken = [0u8; MAX_KINDS];
        for &letter in parts.into_iter().flatten() {
            let kind = usize::from(letter);
            taken[kind] += 1;
            ways *= f64::from(left[kind]) / f64::from(taken[kind]);
            left[kind] = left[kind].saturating_sub(1);
        }
        ways as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::samples::small;

    /// The expected number of ways in which a random rack holds these letters, by drawing every rack.
    fn by_all_racks(setup: &Setup, letters: &[u8]) -> f64 {
        let tileset = &setup.tileset;
        let bag: Vec<u8> = (0u8..).zip(tileset.counts()).flat_map(|(kind, count)| vec![kind; count.into()]).collect();
        let size = tileset.rules().rack_size;
        let (mut ways, mut racks) = (0.0, 0.0);
        for places in 0u32..1 << bag.len() {
            if places.count_ones() as usize != size {
                continue;
            }
            racks += 1.0;
            let held = |letter: u8| (0..bag.len()).filter(|&place| places >> place & 1 == 1 && bag[place] == letter).count();
            let mut distinct = letters.to_vec();
            distinct.sort_unstable();
            ways += distinct
                .chunk_by(|a, b| a == b)
                .map(|same| (0..same.len()).map(|at| (held(same[0]) as f64 - at as f64) / (at + 1) as f64).product::<f64>())
                .product::<f64>();
        }
        ways / racks
    }

    #[test]
    fn words_are_counted_as_a_sum_over_all_racks_does() {
        let setup = small("AB\nBABE\nAQ\nABE\nEABE\n");
        let words = ReplyWords::new(&setup);
        // A is letter 1, B 2, E 3, Q 4.
        let close = |found: f32, letters: &[&[u8]]| {
            let wanted: f64 = letters.iter().map(|letters| by_all_racks(&setup, letters)).sum();
            assert!((f64::from(found) - wanted).abs() < 1e-5, "{found} {wanted} {letters:?}");
        };
        close(words.alone(2), &[&[1, 2], &[1, 4]]);
        close(words.alone(4), &[&[2, 1, 2, 3], &[3, 1, 2, 3]]);
        // Through an A with one square before it: BABE by B, B, E and EABE by E, B, E.
        close(words.through_one(3, 1, 1), &[&[2, 2, 3], &[3, 2, 3]]);
        close(words.through_one(1, 0, 1), &[&[2], &[4]]);
        close(words.through_one(1, 1, 1), &[]);
        // Through A and E with one square between them: ABE by B, EABE by E, B, BABE by B, B.
        close(words.through_two(1, 0, 1, [1, 3], 0), &[&[2]]);
        close(words.through_two(2, 1, 1, [1, 3], 0), &[&[3, 2], &[2, 2]]);
        close(words.through_two(2, 0, 2, [2, 3], 0), &[&[1, 2]]);
        close(words.through_two(2, 0, 2, [2, 3], 1) / SAME_LETTER, &[&[1, 2]]);
        // Around AB: ABE, EABE, BABE. Around ABE: EABE and BABE. Nothing extends AQ.
        let around = |run: &[u8], before, after| words.around(run).map_or(0.0, |around| around.rate(before, after));
        close(around(&[1, 2], 0, 1), &[&[3]]);
        close(around(&[1, 2], 1, 1), &[&[3, 3], &[2, 3]]);
        close(around(&[1, 2], 2, 2), &[]);
        close(around(&[1, 2, 3], 1, 0), &[&[3], &[2]]);
        assert!(words.around(&[1, 4]).is_none());
    }
}
