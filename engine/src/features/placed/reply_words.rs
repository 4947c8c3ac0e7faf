//! How many words a random rack spells on a stretch of empty squares and tiles: the lexicon as
//! [`Replies`](super::replies::Replies) need it.

use std::collections::HashMap;

use super::draws::Draws;
use super::word_tree::{Entries, WordTree};
use crate::layout::MAX_SIDE;
use crate::setup::Setup;
use crate::tileset::MAX_RACK_SIZE;

/// Around runs of two and more tiles, words with at most this many more letters are counted. Longer words are rare.
pub(super) const MAX_AROUND: usize = 3;
/// The chance that a letter in the middle of a word is a given one, roughly. It takes the place of a count where an extent plays through
/// more tiles than the tables tell apart.
const SAME_LETTER: f32 = 0.06;

/// The mean number of words that a random rack spells on an extent, by its empty squares and the tiles played through. Racks
/// are drawn from the full bag without blanks. [`TurnWords`](super::turn_words::TurnWords) adapts them to the unseen tiles.
#[derive(Clone, Debug)]
pub(crate) struct ReplyWords {
    pub(super) kinds: usize,
    /// The most letters of a word on the board.
    pub(super) longest: usize,
    /// The words that are laid alone or through one tile.
    pub(super) tree: WordTree,
    /// Their rates for the full bag.
    pub(super) entries: Entries,
    /// With two tiles that do not touch: by the number of squares, those before, those between, and both letters.
    through_two: Vec<f32>,
    /// With a run that is a word, by its letters. There is no entry if no word has a few more letters around the run.
    around: HashMap<Box<[u8]>, Around>,
    /// By length, place and letter: the share of the words of this length that have the letter there, each as likely as its letters.
    places: Vec<f32>,
}

/// How many words a random rack spells around a run, by the squares before and after it, up to [`MAX_AROUND`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around(pub [[f32; MAX_AROUND + 1]; MAX_AROUND + 1]);

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
    /// A few tenths of a second for 170,000 words. The 3.3 million words of Polish take four seconds and some 180 MB.
    pub(crate) fn new(setup: &Setup) -> ReplyWords {
        let (kinds, rack_size) = (setup.tileset.kinds().len(), setup.tileset.rules().rack_size);
        let sizes = (MAX_RACK_SIZE + 1) * (MAX_RACK_SIZE + 1);
        let draws = Draws::new(&setup.tileset.counts(), rack_size);
        let tree = WordTree::new(setup);
        let mut counted = ReplyWords {
            kinds,
            longest: setup.layout.side(),
            entries: tree.count(&draws),
            tree,
            through_two: vec![0.0; sizes * (MAX_RACK_SIZE + 1) * kinds * kinds],
            around: HashMap::new(),
            places: vec![0.0; (MAX_SIDE + 1) * MAX_SIDE * kinds],
        };
        let graph = &setup.lexicon.graph;
        graph.for_each_word(|word| {
            counted.count_through_two(word, rack_size, &draws);
            for run in word.len().saturating_sub(MAX_AROUND).max(2)..word.len() {
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
        counted.count_places(setup);
        counted
    }

    /// Counts a word that is laid through two tiles that do not touch.
    fn count_through_two(&mut self, word: &[u8], rack_size: usize, draws: &Draws) {
        if word.len() > rack_size + 2 {
            return;
        }
        for (first, &letter) in word.iter().enumerate() {
            let (front, back) = (&word[..first], &word[first + 1..]);
            for (gap, &second) in back.iter().enumerate().skip(1) {
                let place = self.place_of_two(word.len() - 2, first, gap, [letter, second]);
                self.through_two[place] += draws.chance([front, &back[..gap], &back[gap + 1..]]);
            }
        }
    }

    /// Counts the letters of all words by length and place.
    fn count_places(&mut self, setup: &Setup) {
        let counts = setup.tileset.counts();
        let total = setup.tileset.total_tiles().max(1) as f32;
        let mut totals = [0.0; MAX_SIDE + 1];
        setup.lexicon.graph.for_each_word(|word| {
            let weight: f32 = word.iter().map(|&letter| f32::from(counts[usize::from(letter)]) / total).product();
            totals[word.len()] += weight;
            for (place, &letter) in word.iter().enumerate() {
                let at = self.place_of_letters(word.len(), place) + usize::from(letter);
                self.places[at] += weight;
            }
        });
        for (length, total) in totals.into_iter().enumerate().filter(|&(_, total)| total > 0.0) {
            let first = self.place_of_letters(length, 0);
            self.places[first..][..MAX_SIDE * self.kinds].iter_mut().for_each(|share| *share /= total);
        }
    }

    /// Words through two runs or more: `before` squares before the first, `gap` squares between the first two, which have the letters `ends`
    /// there, and `others` more tiles played through, which count as if any letter were as likely as another.
    pub(super) fn through_two(&self, tiles: usize, before: usize, gap: usize, ends: [u8; 2], others: usize) -> f32 {
        self.through_two[self.place_of_two(tiles, before, gap, ends)] * SAME_LETTER.powi(others as i32)
    }

    /// Words around a run of tiles, or `None` if there are none.
    pub(super) fn around(&self, run: &[u8]) -> Option<&Around> {
        if run.len() == 1 { None } else { self.around.get(run) }
    }

    /// For each kind, the share of the words of a length that have it at a place.
    pub(super) fn letters(&self, length: usize, place: usize) -> &[f32] {
        &self.places[self.place_of_letters(length, place)..][..self.kinds]
    }

    fn place_of_letters(&self, length: usize, place: usize) -> usize {
        (length * MAX_SIDE + place) * self.kinds
    }

    fn place_of_two(&self, tiles: usize, before: usize, gap: usize, [first, second]: [u8; 2]) -> usize {
        let place = (tiles * (MAX_RACK_SIZE + 1) + before) * (MAX_RACK_SIZE + 1) + gap;
        (place * self.kinds + usize::from(first)) * self.kinds + usize::from(second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::test_support::small;

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
        let alone = |tiles| words.entries.alone(tiles).words;
        let through_one = |tiles, before, letter| words.entries.through_one(tiles, before, letter).words;
        close(alone(2), &[&[1, 2], &[1, 4]]);
        close(alone(4), &[&[2, 1, 2, 3], &[3, 1, 2, 3]]);
        // Through an A with one square before it: BABE by B, B, E and EABE by E, B, E.
        close(through_one(3, 1, 1), &[&[2, 2, 3], &[3, 2, 3]]);
        close(through_one(1, 0, 1), &[&[2], &[4]]);
        close(through_one(1, 1, 1), &[]);
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
        // Of the words of three and four letters, ABE alone, and as likely as their letters, BABE and EABE.
        assert_eq!(words.letters(3, 1), [0.0, 0.0, 1.0, 0.0, 0.0]);
        let of_babe = 4.0 * 6.0 * 4.0 * 6.0 / (4.0 * 6.0 * 4.0 * 6.0 + 6.0 * 6.0 * 4.0 * 6.0);
        let first = words.letters(4, 0);
        assert!((first[2] - of_babe).abs() < 1e-6 && (first[3] - (1.0 - of_babe)).abs() < 1e-6, "{first:?}");
    }
}
