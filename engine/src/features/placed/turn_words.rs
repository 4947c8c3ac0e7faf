//! [`ReplyWords`] for the tiles that are unseen in one turn.
//!
//! While many tiles are unseen, the numbers of words are for the full bag. Only the letters that must fit cross words depend
//! on the unseen tiles. When few are left, the words of the tables are counted again: most of them can no longer be laid.

use std::cell::RefCell;
use std::collections::HashMap;

use super::draws::Draws;
use super::reply_words::{Around, MAX_AROUND, ReplyWords};
use super::word_tree::{Entries, Rate};
use crate::layout::MAX_SIDE;
use crate::lexicon::{Node, WordGraph};
use crate::tileset::MAX_KINDS;
use crate::turn::Turn;

/// The unseen tiles are few if they are at most this share of all tiles.
const FEW: f32 = 0.25;

/// Whether so few tiles are unseen that words are counted again.
pub(super) fn are_few(turn: &Turn<'_>) -> bool {
    turn.unseen.size() as f32 <= FEW * turn.setup.tileset.total_tiles() as f32
}

/// The words for racks drawn from the unseen tiles of a turn.
#[derive(Debug)]
pub(super) struct TurnWords<'a> {
    words: &'a ReplyWords,
    /// By kind, the tiles of the kind on a rack, on average.
    held: [f32; MAX_KINDS],
    /// By length, place and letter: how many times as many words have a letter there as have any letter in the tables.
    fits: Vec<f32>,
    /// The mean points of an unseen tile.
    tile_value: f32,
    /// The most that the mean points of the tiles of words can be.
    pub(crate) most_tile_value: f32,
    counted: Option<Counted<'a>>,
}

/// The counts for the unseen tiles so far.
#[derive(Debug)]
struct Counted<'a> {
    graph: &'a WordGraph,
    draws: Draws,
    entries: Entries,
    around: RefCell<HashMap<Box<[u8]>, Around>>,
}

impl<'a> TurnWords<'a> {
    pub(super) fn new(turn: &Turn<'a>, words: &'a ReplyWords) -> TurnWords<'a> {
        let tileset = &turn.setup.tileset;
        let (full, all) = (tileset.counts(), tileset.total_tiles().max(1) as f32);
        let mut counts = vec![0u8; full.len()];
        turn.unseen.kinds().for_each(|(kind, count)| counts[usize::from(kind)] = count);
        let unseen = turn.unseen.size().max(1) as f32;
        let rack_size = tileset.rules().rack_size;
        let (mut held, mut ratios) = ([0.0; MAX_KINDS], [0.0; MAX_KINDS]);
        for (kind, (&count, &full)) in counts.iter().zip(&full).enumerate().skip(1) {
            held[kind] = f32::from(count) / unseen * unseen.min(rack_size as f32);
            ratios[kind] = f32::from(count) / unseen * all / f32::from(full.max(1));
        }
        let counted = are_few(turn).then(|| {
            let draws = Draws::new(&counts, rack_size);
            let entries = words.tree.count(&draws);
            Counted { graph: &turn.setup.lexicon.graph, draws, entries, around: RefCell::default() }
        });
        let fits = fits(words, &ratios, counted.is_some());
        let tile_value = turn.unseen.points(tileset) as f32 / unseen;
        let dearest = turn.unseen.kinds().map(|(kind, _)| tileset.values()[usize::from(kind)]).max().map_or(0.0, f32::from);
        let most_tile_value = if counted.is_some() { dearest.max(tile_value) } else { tile_value };
        TurnWords { words, held, fits, tile_value, most_tile_value, counted }
    }

    /// Words of `tiles` letters.
    pub(super) fn alone(&self, tiles: usize) -> Rate {
        self.through_one(tiles, 0, 0)
    }

    /// Words through one tile with `before` squares before it.
    pub(super) fn through_one(&self, tiles: usize, before: usize, letter: u8) -> Rate {
        match &self.counted {
            Some(counted) => counted.entries.through_one(tiles, before, letter),
            None => self.as_tables_say(self.words.entries.through_one(tiles, before, letter).words),
        }
    }

    /// As [`ReplyWords::through_two`].
    pub(super) fn through_two(&self, tiles: usize, before: usize, gap: usize, ends: [u8; 2], others: usize) -> Rate {
        let rate = self.words.through_two(tiles, before, gap, ends, others);
        if self.counted.is_none() || rate == 0.0 {
            return self.as_tables_say(rate);
        }
        // As many times more than in the tables as words without tiles played through.
        let now = self.alone(tiles);
        Rate { words: rate * now.words / self.words.entries.alone(tiles).words.max(f32::MIN_POSITIVE), ..now }
    }

    /// Words around a run of two tiles or more, or `None` if there are none.
    pub(super) fn around(&self, run: &[u8]) -> Option<Around> {
        let of_tables = self.words.around(run)?;
        let Some(counted) = &self.counted else { return Some(*of_tables) };
        if let Some(&known) = counted.around.borrow().get(run) {
            return Some(known);
        }
        let found = counted.words_around(run);
        counted.around.borrow_mut().insert(run.into(), found);
        Some(found)
    }

    /// A rate with tiles of the average value.
    pub(super) fn as_tables_say(&self, words: f32) -> Rate {
        Rate { words, tile_value: self.tile_value }
    }

    /// The tiles of these letters on a rack, on average.
    pub(super) fn held(&self, letters: u64) -> f32 {
        sum_over(letters, &self.held)
    }

    /// The factor for the rate of words of a length if they must have one of these letters at a place.
    pub(super) fn fit(&self, length: usize, place: usize, letters: u64) -> f32 {
        let kinds = self.words.kinds;
        sum_over(letters, &self.fits[(length * MAX_SIDE + place) * kinds..][..kinds])
    }
}

impl Counted<'_> {
    /// Two and more letters around a run.
    fn words_around(&self, run: &[u8]) -> Around {
        let mut search = Search { counted: self, taken: [0; MAX_KINDS], before: 0, after: 0, around: Around::default() };
        if let Some(node) = self.graph.walk(self.graph.gaddag_root(), run.iter().rev().copied()) {
            search.forward(node, 1.0);
        }
        search.around
    }
}

/// A search for the words around a run: letters in front of it first, from the run outwards, then those behind it.
struct Search<'a> {
    counted: &'a Counted<'a>,
    /// By kind, the letters of the path.
    taken: [u8; MAX_KINDS],
    before: usize,
    after: usize,
    around: Around,
}

impl Search<'_> {
    /// Goes on in front of the run from a node of the GADDAG. `ways` is the number of ways to draw the path.
    fn forward(&mut self, node: Node, ways: f32) {
        self.count(node, ways);
        for next in self.counted.graph.siblings(node.children()) {
            if next.letter() == 0 {
                self.backward(next.children(), ways);
            } else if self.before < MAX_AROUND {
                self.before += 1;
                self.take(next, ways, |search, ways| search.forward(next, ways));
                self.before -= 1;
            }
        }
    }

    /// Goes on behind the run from a list of nodes.
    fn backward(&mut self, list: u32, ways: f32) {
        if self.before + self.after == MAX_AROUND {
            return;
        }
        self.after += 1;
        for next in self.counted.graph.siblings(list) {
            self.take(next, ways, |search, ways| {
                search.count(next, ways);
                search.backward(next.children(), ways);
            });
        }
        self.after -= 1;
    }

    /// Calls `then` with the letter of a node on the path, if it can be drawn.
    fn take(&mut self, node: Node, ways: f32, then: impl FnOnce(&mut Self, f32)) {
        let letter = node.letter();
        let ways = ways * self.counted.draws.one_more(letter, self.taken[usize::from(letter)]);
        if ways > 0.0 {
            self.taken[usize::from(letter)] += 1;
            then(self, ways);
            self.taken[usize::from(letter)] -= 1;
        }
    }

    fn count(&mut self, node: Node, ways: f32) {
        let tiles = self.before + self.after;
        if node.accepts() && tiles > 0 {
            self.around.0[self.before][self.after] += ways * self.counted.draws.share(tiles);
        }
    }
}

/// By length, place and letter: its share in the tables, times how much more often it is unseen. If `is_share`, all letters of a place
/// add up to 1.
fn fits(words: &ReplyWords, ratios: &[f32; MAX_KINDS], is_share: bool) -> Vec<f32> {
    let kinds = words.kinds;
    let mut fits = vec![0.0; (MAX_SIDE + 1) * MAX_SIDE * kinds];
    for length in 2..=words.longest {
        for place in 0..length {
            let fits = &mut fits[(length * MAX_SIDE + place) * kinds..][..kinds];
            let letters = words.letters(length, place).iter().zip(ratios);
            fits.iter_mut().zip(letters).for_each(|(fit, (share, ratio))| *fit = share * ratio);
            let sum: f32 = fits.iter().sum();
            if is_share && sum > 0.0 {
                for fit in fits {
                    *fit /= sum;
                }
            }
        }
    }
    fits
}

/// The sum of the values of some letters, as bits.
fn sum_over(letters: u64, values: &[f32]) -> f32 {
    let mut rest = letters & !1;
    let mut sum = 0.0;
    while rest != 0 {
        sum += values[rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::test_support::{WORDS, english, positions, small};

    /// With few unseen tiles, the words around runs are those of a sum over all words, and the letters of a place add up to 1.
    #[test]
    fn few_unseen_tiles_are_counted_as_a_sum_over_all_words_does() {
        let mut compared = 0;
        for (setup, games) in [(english(), 1), (small(WORDS), 6)] {
            let words = ReplyWords::new(&setup);
            let graph = &setup.lexicon.graph;
            let mut runs: Vec<Vec<u8>> = Vec::new();
            graph.for_each_word(|word| {
                if word.len() == 2 || word.len() == 4 && runs.len() < 140 {
                    runs.push(word.to_vec());
                }
            });
            for game in positions(&setup, 4, games).iter().filter(|game| are_few(&game.turn(&setup))).take(3) {
                let turn = game.turn(&setup);
                let counted = TurnWords::new(&turn, &words);
                let mut counts = vec![0; setup.tileset.kinds().len()];
                turn.unseen.kinds().for_each(|(kind, count)| counts[usize::from(kind)] = count);
                let draws = Draws::new(&counts, setup.tileset.rules().rack_size);
                for run in &runs {
                    let mut wanted = Around::default();
                    graph.for_each_word(|word| {
                        for before in 0..=word.len().saturating_sub(run.len()).min(MAX_AROUND) {
                            let after = word.len().saturating_sub(run.len() + before);
                            let tiles = before + after;
                            if (1..=MAX_AROUND).contains(&tiles) && word.get(before..before + run.len()) == Some(&run[..]) {
                                let parts = [&word[..before], &[], &word[before + run.len()..]];
                                wanted.0[before][after] += draws.chance(parts);
                            }
                        }
                    });
                    let found = counted.around(run).unwrap_or_default();
                    for (found, wanted) in found.0.iter().flatten().zip(wanted.0.iter().flatten()) {
                        assert!((found - wanted).abs() <= 1e-3 * wanted + 1e-7, "{run:?} {found} {wanted}");
                        compared += u32::from(*wanted > 0.0);
                    }
                }
                let all = setup.tileset.all_letters();
                let sums: Vec<f32> = (0..3).map(|place| counted.fit(3, place, all)).filter(|&sum| sum > 0.0).collect();
                assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-4), "{sums:?}");
                let blanks = f32::from(turn.unseen.count(0)) / turn.unseen.size() as f32;
                let rack = turn.unseen.size().min(setup.tileset.rules().rack_size) as f32;
                assert!((counted.held(all) - rack * (1.0 - blanks)).abs() < 1e-4);
            }
        }
        assert!(compared > 300, "{compared}");
    }
}
