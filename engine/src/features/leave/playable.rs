//! Bingos that fit on the board: which full racks could be played now, and the points expected of them with the next rack.
//!
//! This is Heuri's δ (its third engine) for words of any length, on the board before the move. The words for a place are
//! found by its most restrictive tile or hook: only words with a letter that fits there are tried.

use rustc_hash::FxHashSet;

use super::bingo::{TILE_FACTOR, draws, for_each_blanked, sorted};
use super::rack_graph::{Kinds, MAX_BLANKS, NOTHING, choose};
use super::tiles::{LeaveRow, TurnLeaves};
use crate::cross_set::Cross;
use crate::layout::Direction;
use crate::lexicon::WordGraph;
use crate::movegen::all_lanes;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::setup::Setup;
use crate::tileset::{MAX_RACK_SIZE, Tile};
use crate::turn::Turn;

/// Words that are long enough for a bingo, by length.
#[derive(Clone, Debug)]
pub(super) struct LongWords {
    /// The first are as long as a full rack.
    by_length: Vec<WordsOfLength>,
    rack_size: usize,
}

/// The words of one length, with an index by place and letter.
#[derive(Clone, Debug)]
struct WordsOfLength {
    length: usize,
    letters: Vec<u8>,
    /// The words with a letter at a place, by `place * kinds + letter`.
    having: Vec<Vec<u32>>,
    kinds: usize,
}

/// The squares of a word that lays a full rack: the empty ones and the tiles between and next to them.
struct Extent<'a> {
    cells: &'a [Option<Tile>],
    crosses: &'a [Cross],
}

impl LongWords {
    pub(super) fn new(setup: &Setup) -> LongWords {
        let rack_size = setup.tileset.rules().rack_size;
        let lengths = rack_size..=setup.layout.side();
        let kinds = setup.tileset.counts().len();
        let words = |length| WordsOfLength::new(&setup.lexicon.graph, length, kinds);
        LongWords { by_length: lengths.map(words).collect(), rack_size }
    }

    /// The full racks that can be played on a board, as letters.
    fn racks(&self, turn: &Turn<'_>) -> FxHashSet<Kinds> {
        let mut racks = FxHashSet::default();
        let board = turn.board;
        let (start_lane, start) = turn.setup.layout.start().lane(Direction::Across);
        for (direction, lane) in all_lanes(board.side()) {
            let (cells, crosses) = (board.lane(direction, lane), turn.cross_sets.lane(direction, lane));
            for (first, after) in extents(cells, self.rack_size) {
                let extent = Extent { cells: &cells[first..after], crosses: &crosses[first..after] };
                let covers_start = lane == start_lane && (first..after).contains(&start);
                if extent.touches() || board.is_empty() && covers_start {
                    self.by_length[after - first - self.rack_size].for_each_fitting(&extent, |laid| {
                        racks.insert(laid);
                    });
                }
            }
        }
        racks
    }

    /// For every leave, by number, the expected points of a bingo with the next rack that fits on the board.
    pub(super) fn points(&self, at: &TurnLeaves<'_>, points: &mut LeaveRow) {
        let (turn, sub_racks) = (at.turn, at.sub_racks);
        let tileset = &turn.setup.tileset;
        let available = |kind: u8| turn.unseen.count(kind) + turn.rack.count(kind);
        let blanks = (available(0) as usize).min(MAX_BLANKS);
        let mut racks: FxHashSet<Kinds> = FxHashSet::default();
        for laid in self.racks(turn) {
            for_each_blanked(laid, blanks, &mut |rack| {
                if runs(&rack).all(|(kind, count)| count <= available(kind)) {
                    racks.insert(rack);
                }
            });
        }
        // The sums below depend on the order of their terms, so the racks are sorted.
        let mut racks: Vec<Kinds> = racks.into_iter().collect();
        racks.sort_unstable();
        let bonus = f64::from(tileset.rules().bingo_bonus);
        let mut sums = [0.0; MAX_SUB_RACKS];
        let mut leaves = Vec::new();
        for rack in racks {
            let value: i32 =
                runs(&rack).map(|(kind, count)| i32::from(count) * tileset.value(Tile::letter_tile(kind))).sum();
            ways_by_leave(rack, turn, sub_racks, &mut leaves);
            for &(number, ways) in &leaves {
                sums[number] += ways * (bonus + TILE_FACTOR * f64::from(value));
            }
        }
        let shares = sums.iter().zip(draws(at));
        points[..sub_racks.len()].iter_mut().zip(shares).for_each(|(points, (sum, draws))| *points = (sum / draws) as f32);
    }
}

/// The kinds of a rack with their counts, in order.
fn runs(rack: &Kinds) -> impl Iterator<Item = (u8, u8)> + '_ {
    let len = rack.iter().position(|&kind| kind == NOTHING).unwrap_or(MAX_RACK_SIZE);
    rack[..len].chunk_by(|one, other| one == other).map(|run| (run[0], run.len() as u8))
}

/// For each leave that is part of `rack`, its number and the number of ways to draw the rest.
fn ways_by_leave(rack: Kinds, turn: &Turn<'_>, sub_racks: &SubRacks, leaves: &mut Vec<(usize, f64)>) {
    leaves.clear();
    leaves.push((0, 1.0));
    for (kind, count) in runs(&rack) {
        let (held, unseen) = (turn.rack.count(kind), turn.unseen.count(kind));
        let before = leaves.len();
        for in_leave in 1..=held.min(count) {
            let ways = choose(unseen, count - in_leave);
            for place in 0..before {
                let (number, others) = leaves[place];
                leaves.push((number + in_leave as usize * sub_racks.stride(kind), others * ways));
            }
        }
        let ways = choose(unseen, count);
        leaves[..before].iter_mut().for_each(|(_, others)| *others *= ways);
        leaves.retain(|&(_, ways)| ways > 0.0);
    }
}

/// The squares (first, and one after the last) of every word in a lane that lays a full rack, whatever its letters: all
/// tiles next to the squares that it fills belong to it.
fn extents(cells: &[Option<Tile>], rack_size: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..cells.len()).filter(|&first| first == 0 || cells[first - 1].is_none()).filter_map(move |first| {
        let mut empty = (first..cells.len()).filter(|&square| cells[square].is_none());
        let last = empty.nth(rack_size - 1)?;
        let after = cells[last + 1..].iter().position(Option::is_none).map_or(cells.len(), |steps| last + 1 + steps);
        Some((first, after))
    })
}

impl Extent<'_> {
    fn touches(&self) -> bool {
        self.cells.iter().zip(self.crosses).any(|(cell, cross)| cell.is_some() || cross.joined)
    }

    /// The letters that fit at a place.
    fn letters(&self, place: usize) -> u64 {
        self.cells[place].map_or(self.crosses[place].letters, |tile| 1 << tile.letter())
    }

    fn is_open(&self, place: usize) -> bool {
        self.cells[place].is_none() && !self.crosses[place].joined
    }
}

impl WordsOfLength {
    fn new(graph: &WordGraph, length: usize, kinds: usize) -> WordsOfLength {
        let mut words = WordsOfLength { length, letters: Vec::new(), having: vec![Vec::new(); length * kinds], kinds };
        let mut number = 0;
        graph.for_each_word(|word| {
            if word.len() == length {
                words.letters.extend_from_slice(word);
                for (place, &letter) in word.iter().enumerate() {
                    words.having[place * kinds + letter as usize].push(number);
                }
                number += 1;
            }
        });
        words
    }

    /// Calls `see` with the letters that each fitting word lays.
    fn for_each_fitting(&self, extent: &Extent<'_>, mut see: impl FnMut(Kinds)) {
        let bound: Vec<usize> = (0..self.length).filter(|&place| !extent.is_open(place)).collect();
        let words_at =
            |&place: &usize| letters_in(extent.letters(place)).map(|letter| self.having(place, letter).len()).sum();
        let mut see_fitting = |number: usize| {
            let word = &self.letters[number * self.length..][..self.length];
            if bound.iter().all(|&place| extent.letters(place) >> word[place] & 1 == 1) {
                let mut laid = [NOTHING; MAX_RACK_SIZE];
                let empty = word.iter().zip(extent.cells).filter(|(_, cell)| cell.is_none());
                laid.iter_mut().zip(empty).for_each(|(place, (&letter, _))| *place = letter);
                see(sorted(&laid));
            }
        };
        match bound.iter().min_by_key(|place| -> usize { words_at(place) }) {
            None => (0..self.letters.len() / self.length).for_each(see_fitting),
            Some(&place) => letters_in(extent.letters(place))
                .for_each(|letter| self.having(place, letter).iter().for_each(|&number| see_fitting(number as usize))),
        }
    }

    fn having(&self, place: usize, letter: u8) -> &[u32] {
        &self.having[place * self.kinds + letter as usize]
    }
}

fn letters_in(mut letters: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let letter = letters.trailing_zeros() as u8;
        letters &= letters.wrapping_sub(1);
        (letter < 64).then_some(letter)
    })
}

#[cfg(test)]
mod tests;
