//! Placing words on the squares of an extent.

use std::cell::OnceCell;

use super::lanes::{Extent, Lane};
use super::search_rack::{SearchRack, Selection};
use super::visitor::Visitor;
use crate::equity::Equity;
use crate::layout::{MAX_SIDE, Square};
use crate::lexicon::Anagrams;
use crate::moves::{Play, Tiles};
use crate::setup::Setup;
use crate::tileset::{MAX_RACK_SIZE, Tile};

/// An extent on which words are placed with the tiles of a rack.
pub(super) struct Site<'a> {
    setup: &'a Setup,
    rack: &'a SearchRack,
    lane: &'a Lane,
    extent: &'a Extent,
    /// The squares, computed for the first word.
    squares: OnceCell<Squares>,
}

/// The conditions that the squares of an extent set for a word.
struct Squares {
    /// The places of the word that restrict its letter, with the letters that fit as bits: first tiles played through, then
    /// cross words.
    demands: [(u8, u64); MAX_SIDE],
    demand_count: usize,
    /// The places of the word that new tiles cover.
    covered: [u8; MAX_RACK_SIZE],
    /// The total multiplier of each new tile.
    multipliers: [i32; MAX_RACK_SIZE],
}

/// A word whose first tiles are chosen.
struct PartialPlay<'a> {
    selection: &'a Selection,
    letters: &'a [u8],
    tiles: [Tile; MAX_RACK_SIZE],
}

impl<'a> Site<'a> {
    pub(super) fn new(setup: &'a Setup, rack: &'a SearchRack, lane: &'a Lane, extent: &'a Extent) -> Site<'a> {
        Site { setup, rack, lane, extent, squares: OnceCell::new() }
    }

    /// Visits the plays of a selection that form one of `words` with the tiles played through. The word map may return words
    /// with other letters, so the letters are compared.
    pub(super) fn lay_words(&self, selection: &Selection, words: Anagrams<'_>, visitor: &mut impl Visitor) {
        if words.length != self.extent.length() {
            return;
        }
        let squares = self.squares.get_or_init(|| Squares::new(self.setup, self.lane, self.extent));
        let demands = &squares.demands[..squares.demand_count];
        for word in words {
            if demands.iter().all(|&(place, letters)| letters >> word[place as usize] & 1 == 1) {
                let letters = squares.covered.map(|place| word[place as usize]);
                let letters = &letters[..self.extent.tiles as usize];
                self.lay_letters(squares, selection, letters, visitor);
            }
        }
    }

    fn lay_letters(&self, squares: &Squares, selection: &Selection, letters: &[u8], visitor: &mut impl Visitor) {
        if selection.blanks > 0 {
            let mut partial = PartialPlay { selection, letters, tiles: [Tile::BLANK; MAX_RACK_SIZE] };
            self.choose_blanks(squares, &mut partial, 0, selection.counts, selection.blanks, visitor);
            return;
        }
        // The key almost certainly means that the letters are the letters of the selection. This check makes it certain.
        let counts: u64 = letters.iter().map(|&letter| self.rack.unit(letter)).sum();
        if counts == selection.counts {
            self.visit(squares, selection, letters.iter().map(|&letter| Tile::letter_tile(letter)), visitor);
        }
    }

    /// Visits every choice of natural tiles and blanks for the letters from `place` on.
    fn choose_blanks(
        &self,
        squares: &Squares,
        partial: &mut PartialPlay<'_>,
        place: usize,
        counts: u64,
        blanks: u8,
        visitor: &mut impl Visitor,
    ) {
        let Some(&letter) = partial.letters.get(place) else {
            self.visit(squares, partial.selection, partial.tiles[..place].iter().copied(), visitor);
            return;
        };
        if self.rack.holds(counts, letter) {
            partial.tiles[place] = Tile::letter_tile(letter);
            self.choose_blanks(squares, partial, place + 1, counts - self.rack.unit(letter), blanks, visitor);
        }
        if blanks > 0 {
            partial.tiles[place] = Tile::blank_as(letter);
            self.choose_blanks(squares, partial, place + 1, counts, blanks - 1, visitor);
        }
    }

    #[inline]
    fn visit(
        &self,
        squares: &Squares,
        selection: &Selection,
        tiles: impl Iterator<Item = Tile> + Clone,
        visitor: &mut impl Visitor,
    ) {
        let (lane, extent) = (self.lane, self.extent);
        let points = squares.multipliers.iter().zip(tiles.clone());
        let points = points.map(|(multiplier, tile)| multiplier * self.setup.tileset.value(tile)).sum::<i32>();
        let score = extent.base + points;
        visitor.visit(Equity::from_points(score) + selection.leave_value, || Play {
            direction: lane.direction,
            start: Square::in_lane(lane.direction, lane.index, extent.start as usize),
            tiles: tiles.collect::<Tiles>(),
            score,
        });
    }
}

impl Squares {
    fn new(setup: &Setup, lane: &Lane, extent: &Extent) -> Squares {
        let premiums = setup.layout.lane(lane.direction, lane.index);
        let mut squares = Squares {
            demands: [(0, 0); MAX_SIDE],
            demand_count: 0,
            covered: [0; MAX_RACK_SIZE],
            multipliers: [0; MAX_RACK_SIZE],
        };
        let mut covered = 0;
        let places = || (extent.start as usize..=extent.end as usize).zip(0u8..);
        for (offset, place) in places() {
            if let Some(tile) = lane.cells[offset] {
                squares.demand(place, 1 << tile.letter());
            } else {
                let (letter, word) = (i32::from(premiums[offset].letter), i32::from(premiums[offset].word));
                let crossing = if lane.crosses[offset].joined { letter * word } else { 0 };
                squares.covered[covered] = place;
                squares.multipliers[covered] = letter * i32::from(extent.multiplier) + crossing;
                covered += 1;
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
