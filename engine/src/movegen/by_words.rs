//! Plays by the word map: what do these tiles spell with the tiles they play through?
//!
//! Extents are taken by falling bound until no bound reaches what the visitor wants. On an extent every sub-rack of its size
//! is asked for, the best leave first; nearly all are turned away by one look into a filter.

use super::hand::{Hand, Lay, may_spell};
use super::lanes::{Extent, Lane};
use super::{Visitor, lanes::Lanes};
use crate::equity::Equity;
use crate::layout::Square;
use crate::lexicon::WordMap;
use crate::moves::{Play, Tiles};
use crate::setup::Setup;
use crate::tileset::{MAX_RACK_SIZE, Tile};

/// An extent to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    bound: Equity,
    lane: u16,
    extent: u16,
}

/// Visits every play that the visitor wants.
pub(super) fn visit_plays<V: Visitor>(
    setup: &Setup,
    map: &WordMap,
    lanes: &Lanes,
    hand: &Hand,
    queue: &mut Vec<Candidate>,
    visitor: &mut V,
) {
    queue.clear();
    let least = visitor.least();
    for (lane_number, lane) in (0..).zip(lanes.iter()) {
        let closed = lane.closed_to(hand.showable);
        for (number, extent) in (0..).zip(&lane.extents) {
            if extent.tiles as usize > hand.size() || extent.joined & closed != 0 {
                continue;
            }
            if let Some(bound) = hand.bound(extent).filter(|&bound| bound >= least) {
                queue.push(Candidate { bound, lane: lane_number, extent: number });
            }
        }
    }
    queue.sort_unstable_by_key(|candidate| std::cmp::Reverse(candidate.bound));
    for candidate in queue {
        if candidate.bound < visitor.least() {
            break;
        }
        let lane = lanes.get(candidate.lane as usize);
        let extent = &lane.extents[candidate.extent as usize];
        Search { setup, map, hand, lane, extent, squares: None, visitor }.run();
    }
}

/// A square to be laid on.
#[derive(Clone, Copy, Debug, Default)]
struct LaidSquare {
    /// What fits, as bits.
    letters: u64,
    /// What a tile's value counts.
    multiplier: i32,
}

/// The search of one extent.
struct Search<'a, V> {
    setup: &'a Setup,
    map: &'a WordMap,
    hand: &'a Hand,
    lane: &'a Lane,
    extent: &'a Extent,
    /// Found when a word is to be laid.
    squares: Option<[LaidSquare; MAX_RACK_SIZE]>,
    visitor: &'a mut V,
}

impl<V: Visitor> Search<'_, V> {
    fn run(mut self) {
        let top_score = self.hand.top_score(self.extent);
        for lay in self.hand.lays(self.extent) {
            let least = self.visitor.least();
            if top_score + lay.kept_value < least {
                break;
            }
            let key = lay.key.wrapping_add(self.extent.through);
            let may = !self.extent.plays_through || may_spell(self.map, lay.blanks, key);
            if may && lay.bound(self.extent) >= least {
                self.spell(lay, key, lay.blanks, 1);
            }
        }
    }

    /// Lays the words that a key spells with so many blanks, none of them an earlier letter than `from`.
    fn spell(&mut self, lay: &Lay, key: u64, blanks: u8, from: u8) {
        if !may_spell(self.map, blanks, key) {
            return;
        }
        if blanks == 0 {
            let length = usize::from(self.extent.end - self.extent.start) + 1;
            for word in self.map.words(key, length) {
                self.fit(lay, word);
            }
            return;
        }
        for letter in from..=self.setup.tileset.letters() {
            self.spell(lay, key.wrapping_add(self.map.letter_key(letter)), blanks - 1, letter);
        }
    }

    /// Lays a word if its letters suit the squares.
    fn fit(&mut self, lay: &Lay, word: &[u8]) {
        let (lane, extent) = (self.lane, self.extent);
        let squares = self.squares.get_or_insert_with(|| laid_squares(self.setup, lane, extent));
        let mut letters = [0; MAX_RACK_SIZE];
        let mut laid = 0;
        for (cell, &letter) in lane.cells[extent.start as usize..].iter().zip(word) {
            match cell {
                Some(tile) if tile.letter() == letter => (),
                None if squares[laid].letters >> letter & 1 == 1 => {
                    letters[laid] = letter;
                    laid += 1;
                }
                _ => return,
            }
        }
        let letters = &letters[..laid];
        if lay.blanks == 0 {
            // The tiles of the word are those of the rack: the key says so, and here it is made sure of.
            let counts: u64 = letters.iter().map(|&letter| self.hand.unit(letter)).sum();
            if counts == lay.counts {
                let mut score = extent.base;
                for (square, &letter) in squares.iter().zip(letters) {
                    score += square.multiplier * self.setup.tileset.value(Tile::letter_tile(letter));
                }
                let tiles = || letters.iter().map(|&letter| Tile::letter_tile(letter)).collect();
                self.visit(lay, score, tiles);
            }
        } else {
            self.choose_blanks(lay, letters, &mut [Tile::BLANK; MAX_RACK_SIZE], 0, lay.counts, lay.blanks);
        }
    }

    /// Visits every way to lay the letters with the natural tiles and blanks that are left, from the tile at `place` on.
    fn choose_blanks(
        &mut self,
        lay: &Lay,
        letters: &[u8],
        tiles: &mut [Tile; MAX_RACK_SIZE],
        place: usize,
        counts: u64,
        blanks: u8,
    ) {
        let Some(&letter) = letters.get(place) else {
            let tiles = &tiles[..letters.len()];
            let squares = self.squares.iter().flatten().zip(tiles);
            let points = squares.map(|(square, &tile)| square.multiplier * self.setup.tileset.value(tile)).sum::<i32>();
            self.visit(lay, self.extent.base + points, || tiles.iter().copied().collect());
            return;
        };
        let unit = self.hand.unit(letter);
        if self.hand.holds(counts, letter) {
            tiles[place] = Tile::letter_tile(letter);
            self.choose_blanks(lay, letters, tiles, place + 1, counts - unit, blanks);
        }
        if blanks > 0 {
            tiles[place] = Tile::blank_as(letter);
            self.choose_blanks(lay, letters, tiles, place + 1, counts, blanks - 1);
        }
    }

    #[inline]
    fn visit(&mut self, lay: &Lay, score: i32, tiles: impl FnOnce() -> Tiles) {
        let (lane, extent) = (self.lane, self.extent);
        self.visitor.visit(Equity::from_points(score) + lay.kept_value, || Play {
            direction: lane.direction,
            start: Square::in_lane(lane.direction, lane.index, extent.start as usize),
            tiles: tiles(),
            score,
        });
    }
}

/// The squares that the extent lays on, in order.
fn laid_squares(setup: &Setup, lane: &Lane, extent: &Extent) -> [LaidSquare; MAX_RACK_SIZE] {
    let premiums = setup.layout.lane(lane.direction, lane.index);
    let mut squares = [LaidSquare::default(); MAX_RACK_SIZE];
    let covered = extent.start as usize..=extent.end as usize;
    let empty = covered.filter(|&offset| lane.cells[offset].is_none());
    for (square, offset) in squares.iter_mut().zip(empty) {
        let (cross, premium) = (&lane.crosses[offset], premiums[offset]);
        let (letter, word) = (i32::from(premium.letter), i32::from(premium.word));
        let crossing = if cross.joined { letter * word } else { 0 };
        *square = LaidSquare { letters: cross.letters, multiplier: letter * i32::from(extent.multiplier) + crossing };
    }
    squares
}
