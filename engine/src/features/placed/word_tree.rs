//! The words that a rack may lay, alone or through one tile, in an order in which those that cannot be drawn are passed over together.
//!
//! With 25 unseen tiles a turn counts the 80,000 words of up to eight letters of enable2k in some 300 µs. Samples of the words are cheaper
//! and too noisy: of 256 examples per entry few can be laid late in a game, and networks explained 36 per cent of the late signal with
//! them, 37 without and 42 with all words.

use super::draws::Draws;
use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE};

/// The most letters of a word: a full rack and a tile of the board.
const LONGEST: usize = MAX_RACK_SIZE + 1;

/// How many words a random rack spells.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rate {
    pub words: f32,
    /// The mean points of a tile that they lay.
    pub(crate) tile_value: f32,
}

/// The rates of words that are laid alone or through one tile.
#[derive(Clone, Debug)]
pub(super) struct Entries {
    kinds: usize,
    rates: Vec<Rate>,
}

/// Words by their letters, the rarest letter first, as a tree: a path from the root spells the letters of the words at its end.
#[derive(Clone, Debug)]
pub(super) struct WordTree {
    /// Each node before its children. A walk reads all of them in order, so they are small.
    nodes: Vec<Node>,
    /// By node, the node after all those below it.
    next: Vec<u32>,
    /// By node, the number of its first word. Its last word comes before the first one of the node that follows it.
    first_words: Vec<u32>,
    words: Vec<Word>,
    values: [f32; MAX_KINDS],
    kinds: usize,
    rack_size: usize,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    letter: u8,
    /// The number of letters of the path.
    depth: u8,
}

#[derive(Clone, Copy, Debug, Default)]
struct Word {
    letters: [u8; LONGEST],
    /// For each letter, how often the word has it.
    counts: [u8; LONGEST],
}

impl Word {
    /// The places that have this letter, as bits.
    fn places(&self, letter: u8) -> u32 {
        // The compiler compares all letters at once.
        (0..).zip(self.letters).fold(0, |places, (place, other)| places | u32::from(other == letter) << place)
    }
}

/// A path, as far as it is known.
#[derive(Clone, Copy, Default)]
struct Path {
    /// The ways to draw its letters, but for the missing one.
    ways: f32,
    /// The points of the letters that are drawn.
    points: f32,
    letter: u8,
    /// How many of the last letter were drawn.
    taken: u8,
    /// A letter that cannot be drawn, or 0 if all can.
    missing: u8,
}

impl WordTree {
    /// The words of a setup that fit a rack and a tile of the board.
    pub(super) fn new(setup: &Setup) -> WordTree {
        let (counts, rack_size) = (setup.tileset.counts(), setup.tileset.rules().rack_size);
        let mut kinds: Vec<u8> = (0..counts.len() as u8).collect();
        kinds.sort_by_key(|&kind| counts[usize::from(kind)]);
        let mut ranks = [0u8; MAX_KINDS];
        (1..).zip(&kinds).for_each(|(rank, &kind)| ranks[usize::from(kind)] = rank);
        // By word, the ranks of its letters in order, and the word.
        let mut sorted: Vec<([u8; LONGEST], Word)> = Vec::new();
        setup.lexicon.graph.for_each_word(|letters| {
            if letters.len() <= rack_size + 1 {
                let mut path = [0; LONGEST];
                path.iter_mut().zip(letters).for_each(|(rank, &letter)| *rank = ranks[usize::from(letter)]);
                path[..letters.len()].sort_unstable();
                let mut word = Word::default();
                for (place, &letter) in letters.iter().enumerate() {
                    word.letters[place] = letter;
                    word.counts[place] = letters.iter().filter(|&&other| other == letter).count() as u8;
                }
                sorted.push((path, word));
            }
        });
        sorted.sort_by_key(|&(path, _)| path);
        let values = std::array::from_fn(|kind| setup.tileset.kinds().get(kind).map_or(0.0, |kind| f32::from(kind.value)));
        let (nodes, next, first_words, words) = Default::default();
        let mut tree = WordTree { nodes, next, first_words, words, values, kinds: counts.len(), rack_size };
        tree.add(&sorted, &kinds);
        tree
    }

    /// Adds words in the order of their paths. `kinds` are the kinds by rank − 1.
    fn add(&mut self, sorted: &[([u8; LONGEST], Word)], kinds: &[u8]) {
        let mut open: Vec<usize> = Vec::new();
        let mut last = [0; LONGEST];
        for &(path, word) in sorted {
            let length = path.iter().position(|&rank| rank == 0).unwrap_or(LONGEST);
            let shared = path.iter().zip(last).take_while(|&(&rank, other)| rank == other && rank != 0).count();
            self.close(&mut open, shared);
            for (depth, &rank) in path.iter().enumerate().take(length).skip(shared) {
                open.push(self.nodes.len());
                self.first_words.push(self.words.len() as u32);
                self.next.push(0);
                self.nodes.push(Node { letter: kinds[usize::from(rank) - 1], depth: depth as u8 + 1 });
            }
            self.words.push(word);
            last = path;
        }
        self.close(&mut open, 0);
        self.first_words.push(self.words.len() as u32);
    }

    /// Ends the paths of all open nodes but the first `shared`.
    fn close(&mut self, open: &mut Vec<usize>, shared: usize) {
        let next = self.nodes.len() as u32;
        open.drain(shared..).for_each(|node| self.next[node] = next);
    }

    /// Counts the words for racks drawn by `draws`.
    pub(super) fn count(&self, draws: &Draws) -> Entries {
        let kinds = self.kinds;
        let mut entries = Entries { kinds, rates: vec![Rate::default(); (MAX_RACK_SIZE + 1) * (MAX_RACK_SIZE + 1) * kinds] };
        let mut paths = [Path { ways: 1.0, ..Path::default() }; LONGEST + 1];
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let depth = usize::from(node.depth);
            let Some(path) = self.step(&paths[depth - 1], node.letter, draws) else {
                at = self.next[at] as usize;
                continue;
            };
            paths[depth] = path;
            for word in &self.words[self.first_words[at] as usize..self.first_words[at + 1] as usize] {
                self.count_word(word, depth, &path, draws, &mut entries);
            }
            at += 1;
        }
        for tiles in 1..=MAX_RACK_SIZE {
            let row = entries.row(tiles).iter_mut().filter(|rate| rate.words > 0.0);
            row.for_each(|rate| rate.tile_value /= rate.words * tiles as f32);
        }
        entries
    }

    /// The path with one more letter, or `None` if two letters cannot be drawn.
    fn step(&self, path: &Path, letter: u8, draws: &Draws) -> Option<Path> {
        let taken = if letter == path.letter { path.taken } else { 0 };
        let more = draws.one_more(letter, taken);
        if more > 0.0 {
            let points = path.points + self.values[usize::from(letter)];
            return Some(Path { ways: path.ways * more, points, letter, taken: taken + 1, missing: path.missing });
        }
        (path.missing == 0).then_some(Path { letter, taken, missing: letter, ..*path })
    }

    /// Counts a word of `length` letters. While its sum grows, a tile value is a sum of points times the rate of tiles.
    fn count_word(&self, word: &Word, length: usize, path: &Path, draws: &Draws, entries: &mut Entries) {
        if path.missing == 0 && length <= self.rack_size {
            entries.row(length)[0].add(path.ways * draws.share(length), path.points);
        }
        if length < 2 {
            return;
        }
        let words = path.ways * draws.share(length - 1);
        let row = entries.row(length - 1);
        if path.missing == 0 {
            for ((&letter, &count), entries) in
                word.letters[..length].iter().zip(&word.counts).zip(row.chunks_mut(self.kinds))
            {
                // Without one of a letter there are as many ways fewer as it would add.
                let points = path.points - self.values[usize::from(letter)];
                entries[usize::from(letter)].add(words * draws.one_less(letter, count), points);
            }
        } else {
            let mut places = word.places(path.missing);
            while places != 0 {
                let place = places.trailing_zeros() as usize;
                row[place * self.kinds + usize::from(path.missing)].add(words, path.points);
                places &= places - 1;
            }
        }
    }
}

impl Rate {
    fn add(&mut self, words: f32, points: f32) {
        self.words += words;
        self.tile_value += words * points;
    }
}

impl Entries {
    /// Words of `tiles` letters.
    pub(super) fn alone(&self, tiles: usize) -> Rate {
        self.through_one(tiles, 0, 0)
    }

    /// Words through one tile with `before` squares before it.
    pub(super) fn through_one(&self, tiles: usize, before: usize, letter: u8) -> Rate {
        self.rates[self.number(tiles, before, letter)]
    }

    /// The entries of words that lay `tiles` letters.
    fn row(&mut self, tiles: usize) -> &mut [Rate] {
        let size = (MAX_RACK_SIZE + 1) * self.kinds;
        &mut self.rates[tiles * size..][..size]
    }

    /// The number of an entry. Letter 0 stands for words without a tile played through.
    fn number(&self, tiles: usize, before: usize, letter: u8) -> usize {
        (tiles * (MAX_RACK_SIZE + 1) + before) * self.kinds + usize::from(letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::test_support::{WORDS, english, positions, small};
    use crate::tileset::TileSet;

    /// The entries by trying every word in every place.
    fn counted_slowly(setup: &Setup, draws: &Draws) -> Vec<(usize, usize, u8, Rate)> {
        let rack_size = setup.tileset.rules().rack_size;
        let value = |letter: u8| f32::from(setup.tileset.kinds()[usize::from(letter)].value);
        let mut found = std::collections::BTreeMap::new();
        setup.lexicon.graph.for_each_word(|word| {
            let mut add = |before, letter, parts: [&[u8]; 3]| {
                let tiles: usize = parts.iter().map(|part| part.len()).sum();
                if (1..=rack_size).contains(&tiles) {
                    let points: f32 = parts.into_iter().flatten().map(|&letter| value(letter)).sum();
                    let rate: &mut Rate = found.entry((tiles, before, letter)).or_default();
                    rate.add(draws.chance(parts), points / tiles as f32);
                }
            };
            add(0, 0, [word, &[], &[]]);
            for (before, &letter) in word.iter().enumerate() {
                add(before, letter, [&word[..before], &[], &word[before + 1..]]);
            }
        });
        let mean = |((tiles, before, letter), rate): ((usize, usize, u8), Rate)| {
            (tiles, before, letter, Rate { tile_value: rate.tile_value / rate.words.max(f32::MIN_POSITIVE), ..rate })
        };
        found.into_iter().map(mean).collect()
    }

    #[test]
    fn the_tree_counts_as_a_sum_over_all_words_does() {
        let spanish = TileSet::embedded("spanish").unwrap();
        let polish = TileSet::embedded("polish").unwrap();
        let spanish = Setup::from_words(spanish, "CASA\nSACO\nOCA\nCAL[LL]E\nES\nSE\nLESA\n").unwrap();
        let polish = Setup::from_words(polish, "KOT\nKOTA\nOKO\nTAK\nŁAD\nAKT\nTO\nKĄT\nOKA\n").unwrap();
        let (mut compared, mut missed) = (0, 0);
        for (setup, every) in [(english(), 9), (small(WORDS), 1), (spanish, 2), (polish, 2)] {
            let tree = WordTree::new(&setup);
            for game in positions(&setup, 3, 2).iter().step_by(every) {
                let mut counts = vec![0; setup.tileset.kinds().len()];
                game.turn(&setup).unseen.kinds().for_each(|(kind, count)| counts[usize::from(kind)] = count);
                let draws = Draws::new(&counts, setup.tileset.rules().rack_size);
                let entries = tree.count(&draws);
                for (tiles, before, letter, wanted) in counted_slowly(&setup, &draws) {
                    let found = entries.through_one(tiles, before, letter);
                    let close = |found: f32, wanted: f32| (found - wanted).abs() <= 1e-3 * wanted.abs() + 1e-9;
                    assert!(close(found.words, wanted.words), "{tiles} {before} {letter} {found:?} {wanted:?}");
                    assert!(wanted.words == 0.0 || close(found.tile_value, wanted.tile_value), "{found:?} {wanted:?}");
                    compared += u32::from(wanted.words > 0.0);
                    missed += u32::from(wanted.words == 0.0);
                }
            }
        }
        assert!(compared > 3000 && missed > 500, "{compared} {missed}");
    }
}
