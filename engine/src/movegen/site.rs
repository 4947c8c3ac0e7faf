//! Words laid on the squares of an extent.

use std::cell::OnceCell;

use super::Visitor;
use super::hand::{Hand, Lay};
use super::lanes::{Extent, Lane};
use crate::equity::Equity;
use crate::layout::{MAX_SIDE, Square};
use crate::lexicon::Anagrams;
use crate::moves::{Play, Tiles};
use crate::setup::Setup;
use crate::tileset::{MAX_RACK_SIZE, Tile};

/// An extent for tiles of a hand.
pub(super) struct Site<'a> {
    setup: &'a Setup,
    hand: &'a Hand,
    lane: &'a Lane,
    extent: &'a Extent,
    /// Found when the first word is to be laid.
    squares: OnceCell<Squares>,
}

/// What the squares of an extent ask of a word.
struct Squares {
    /// Places of the word whose letter is not free, with the letters that fit as bits: tiles there first, then crossed words.
    demands: [(u8, u64); MAX_SIDE],
    demand_count: usize,
    /// The places of the word that are laid.
    laid: [u8; MAX_RACK_SIZE],
    /// What the value of each laid tile counts.
    multipliers: [i32; MAX_RACK_SIZE],
}

/// A word half laid.
struct Laying<'a> {
    lay: &'a Lay,
    letters: &'a [u8],
    tiles: [Tile; MAX_RACK_SIZE],
}

impl<'a> Site<'a> {
    pub(super) fn new(setup: &'a Setup, hand: &'a Hand, lane: &'a Lane, extent: &'a Extent) -> Site<'a> {
        Site { setup, hand, lane, extent, squares: OnceCell::new() }
    }

    /// Visits the plays of a lay that make one of some words, if its letters are those of the lay, its blanks and the tiles
    /// played through. The map may hand over words of other letters, so they are compared.
    pub(super) fn lay_words(&self, lay: &Lay, words: Anagrams<'_>, visitor: &mut impl Visitor) {
        if words.length() != self.extent.length() {
            return;
        }
        let squares = self.squares.get_or_init(|| Squares::of(self.setup, self.lane, self.extent));
        let demands = &squares.demands[..squares.demand_count];
        for word in words {
            if demands.iter().all(|&(place, letters)| letters >> word[place as usize] & 1 == 1) {
                let letters = squares.laid.map(|place| word[place as usize]);
                let letters = &letters[..self.extent.tiles as usize];
                self.lay_letters(squares, lay, letters, visitor);
            }
        }
    }

    fn lay_letters(&self, squares: &Squares, lay: &Lay, letters: &[u8], visitor: &mut impl Visitor) {
        if lay.blanks > 0 {
            let mut laying = Laying { lay, letters, tiles: [Tile::BLANK; MAX_RACK_SIZE] };
            self.choose_blanks(squares, &mut laying, 0, lay.counts, lay.blanks, visitor);
            return;
        }
        // The tiles of the word are those of the rack: the key says so, and here it is made sure of.
        let counts: u64 = letters.iter().map(|&letter| self.hand.unit(letter)).sum();
        if counts == lay.counts {
            self.visit(squares, lay, letters.iter().map(|&letter| Tile::letter_tile(letter)), visitor);
        }
    }

    /// Visits every way to lay the letters with the natural tiles and blanks that are left, from the tile at `place` on.
    fn choose_blanks(
        &self,
        squares: &Squares,
        laying: &mut Laying<'_>,
        place: usize,
        counts: u64,
        blanks: u8,
        visitor: &mut impl Visitor,
    ) {
        let Some(&letter) = laying.letters.get(place) else {
            self.visit(squares, laying.lay, laying.tiles[..place].iter().copied(), visitor);
            return;
        };
        if self.hand.holds(counts, letter) {
            laying.tiles[place] = Tile::letter_tile(letter);
            self.choose_blanks(squares, laying, place + 1, counts - self.hand.unit(letter), blanks, visitor);
        }
        if blanks > 0 {
            laying.tiles[place] = Tile::blank_as(letter);
            self.choose_blanks(squares, laying, place + 1, counts, blanks - 1, visitor);
        }
    }

    #[inline]
    fn visit(&self, squares: &Squares, lay: &Lay, tiles: impl Iterator<Item = Tile> + Clone, visitor: &mut impl Visitor) {
        let (lane, extent) = (self.lane, self.extent);
        let points = squares.multipliers.iter().zip(tiles.clone());
        let points = points.map(|(multiplier, tile)| multiplier * self.setup.tileset.value(tile)).sum::<i32>();
        let score = extent.base + points;
        visitor.visit(Equity::from_points(score) + lay.kept_value, || Play {
            direction: lane.direction,
            start: Square::in_lane(lane.direction, lane.index, extent.start as usize),
            tiles: tiles.collect::<Tiles>(),
            score,
        });
    }
}

impl Squares {
    fn of(setup: &Setup, lane: &Lane, extent: &Extent) -> Squares {
        let premiums = setup.layout.lane(lane.direction, lane.index);
        let mut squares = Squares {
            demands: [(0, 0); MAX_SIDE],
            demand_count: 0,
            laid: [0; MAX_RACK_SIZE],
            multipliers: [0; MAX_RACK_SIZE],
        };
        let mut laid = 0;
        let places = || (extent.start as usize..=extent.end as usize).zip(0u8..);
        for (offset, place) in places() {
            if let Some(tile) = lane.cells[offset] {
                squares.demand(place, 1 << tile.letter());
            } else {
                let (letter, word) = (i32::from(premiums[offset].letter), i32::from(premiums[offset].word));
                let crossing = if lane.crosses[offset].joined { letter * word } else { 0 };
                squares.laid[laid] = place;
                squares.multipliers[laid] = letter * i32::from(extent.multiplier) + crossing;
                laid += 1;
            }
        }
        for (offset, place) in places().filter(|&(offset, _)| extent.joined >> offset & 1 == 1) {
            squares.demand(place, lane.crosses[offset].letters);
        }
        squares
    }

    fn demand(&mut self, place: u8, letters: u64) {
        self.demands[self.demand_count] = (place, letters);
        self.demand_count += 1;
    }
}
