//! The selections of tiles that a rack can lay, with upper bounds of the equity of their plays on an extent.
//!
//! The most valuable tiles on the largest multipliers bound every play on an extent. The quick bound takes the whole rack
//! and the best leave of the right size. The close bound takes the tiles and the leave of one selection.
//!
//! The words that the selections of a rack spell with letters on the board, as far as they are known.
//!
//! Extents that play through the same letters ask the filter the same questions. The answers are kept for the rack.

use super::lanes::{Extent, insert};
use super::visitor::LeaveValues;
use crate::equity::Equity;
use crate::lexicon::WordMap;
use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE, Tile};

/// A selection of tiles to lay: a sub-rack together with its leave.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Selection {
    /// The value of the leave.
    pub leave_value: Equity,
    /// The number of the leave.
    pub leave: u8,
    pub tiles: u8,
    pub blanks: u8,
    /// The key of the letters without blanks, or 0 without a word map.
    pub key: u64,
    /// The number of tiles of each letter, in four bits each (see [`SearchRack::unit`]).
    pub counts: u64,
    /// The values of the tiles in points, in descending order.
    values: [i16; MAX_RACK_SIZE],
}

impl Selection {
    /// Returns an upper bound of the equity of plays that lay these tiles on an extent.
    #[inline]
    pub(super) fn bound(&self, extent: &Extent) -> Equity {
        Equity::from_points(extent.base + product(&extent.multipliers, &self.values)) + self.leave_value
    }
}

/// Selections by size. Within a size, the best leave comes first.
#[derive(Clone, Debug, Default)]
pub(super) struct SelectionsBySize {
    selections: Vec<Selection>,
    /// The start of each size, and the end of the last.
    first: [u16; MAX_RACK_SIZE + 2],
}

impl SelectionsBySize {
    /// Returns the selections of a number of tiles.
    #[inline]
    fn with_tiles(&self, tiles: usize) -> &[Selection] {
        &self.selections[self.first[tiles] as usize..self.first[tiles + 1] as usize]
    }

    fn fill(&mut self, selections: impl Iterator<Item = Selection>) {
        self.selections.clear();
        self.first = [0; MAX_RACK_SIZE + 2];
        for selection in selections {
            self.first[selection.tiles as usize + 1] += 1;
            self.selections.push(selection);
        }
        for size in 1..self.first.len() {
            self.first[size] += self.first[size - 1];
        }
    }
}

/// A rack prepared for move generation.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchRack {
    /// Every selection of at least one tile.
    any: SelectionsBySize,
    /// The selections that may spell a word by themselves, only with a word map.
    alone: SelectionsBySize,
    knows_words: bool,
    /// The selection of the whole rack.
    whole: Selection,
    /// The letters that the tiles can show, as bits.
    pub(crate) showable: u64,
    /// One tile of each letter, in the four bits of that letter.
    units: Units,
    /// Scratch memory: the selections by the number of their sub-rack, and their sort keys.
    by_number: Vec<Selection>,
    order: Vec<u64>,
}

/// The units of all letters (see [`SearchRack::unit`]).
#[derive(Clone, Debug)]
struct Units([u64; MAX_KINDS]);

/// The unit of a letter that is not on the rack.
const NOT_ON_RACK: u64 = 1 << 60;

impl Default for Units {
    fn default() -> Units {
        Units([NOT_ON_RACK; MAX_KINDS])
    }
}

impl SearchRack {
    /// Prepares a rack. With a word map, it also finds the selections that may spell a word.
    pub(super) fn fill(&mut self, setup: &Setup, leaves: &LeaveValues) {
        let map = setup.search.map();
        let LeaveValues { sub_racks, values: leave_values } = leaves;
        let SearchRack { by_number, order, .. } = self;
        by_number.clear();
        by_number.push(Selection::default());
        self.showable = 0;
        self.units = Units::default();
        for (place, &(kind, count)) in sub_racks.kinds().iter().enumerate() {
            let is_blank = kind == 0;
            let unit = if is_blank { 0 } else { 1 << (4 * place) };
            self.units.0[kind as usize] = unit;
            self.showable |= if is_blank { setup.tileset.all_letters() } else { 1 << kind };
            let value = setup.tileset.value(Tile::letter_tile(kind)) as i16;
            let key = map.filter(|_| !is_blank).map_or(0, |map| map.letter_key(kind));
            // The selections with one more tile of this kind, then with two more, ….
            for number in 0..by_number.len() * count as usize {
                let mut selection = by_number[number];
                insert(&mut selection.values, selection.tiles as usize, value);
                selection.tiles += 1;
                selection.blanks += u8::from(is_blank);
                selection.key = selection.key.wrapping_add(key);
                selection.counts += unit;
                by_number.push(selection);
            }
        }
        // The number of the leave is the number of the whole rack minus the number of the selection: no digit borrows.
        order.clear();
        let whole = by_number.len() - 1;
        for (number, selection) in by_number.iter_mut().enumerate() {
            selection.leave = (whole - number) as u8;
            selection.leave_value = leave_values[selection.leave as usize];
            let value_key = u64::from(selection.leave_value.descending_key());
            order.push(u64::from(selection.tiles) << 48 | value_key << 8 | number as u64);
        }
        self.whole = by_number[whole];
        order[1..].sort_unstable();
        let selections = order[1..].iter().map(|&key| by_number[(key & 0xff) as usize]);
        self.any.fill(selections.clone());
        self.knows_words = map.is_some();
        if let Some(map) = map {
            self.alone.fill(selections.filter(|selection| may_spell(map, selection.blanks, selection.key)));
        }
    }

    /// Returns whether the rack has enough tiles for an extent and a fitting letter for each of its squares. `closed` are
    /// the squares of the lane for which the rack has no fitting letter.
    #[inline]
    pub(super) fn reaches(&self, extent: &Extent, closed: u32) -> bool {
        extent.tiles <= self.whole.tiles && extent.joined & closed == 0
    }

    /// Returns one tile of a letter as a count: each letter of the rack has four bits of its own, so that units add up.
    #[inline]
    pub(super) fn unit(&self, letter: u8) -> u64 {
        self.units.0[letter as usize & (MAX_KINDS - 1)]
    }

    /// Returns whether a sum of units includes a letter.
    #[inline]
    pub(super) fn holds(&self, counts: u64, letter: u8) -> bool {
        counts & (self.unit(letter) * 0xf) != 0
    }

    /// Returns the selections that may form a play on an extent.
    #[inline]
    pub(super) fn selections(&self, extent: &Extent) -> &[Selection] {
        let selections = if extent.plays_through || !self.knows_words { &self.any } else { &self.alone };
        selections.with_tiles(extent.tiles as usize)
    }

    /// Returns an upper bound of the equity of plays on an extent, or `None` if there is no play.
    #[inline]
    pub(super) fn bound(&self, extent: &Extent) -> Option<Equity> {
        let best = self.selections(extent).first()?;
        Some(self.top_score(extent) + best.leave_value)
    }

    /// Returns an upper bound of the score of plays on an extent.
    #[inline]
    pub(super) fn top_score(&self, extent: &Extent) -> Equity {
        Equity::from_points(extent.base + product(&extent.multipliers, &self.whole.values))
    }
}

/// Returns whether letters and blanks may spell a word together. `false` is certain.
#[inline]
pub(super) fn may_spell(map: &WordMap, blanks: u8, key: u64) -> bool {
    match blanks {
        0 => map.may_spell(key),
        1 => map.may_spell_with_blank(key),
        _ => true,
    }
}

/// Returns the points of tiles on multipliers. Unused entries of both are 0.
#[inline]
fn product(multipliers: &[i16; MAX_RACK_SIZE], values: &[i16; MAX_RACK_SIZE]) -> i32 {
    multipliers.iter().zip(values).map(|(&multiplier, &value)| i32::from(multiplier) * i32::from(value)).sum()
}

/// A cache of answers for one rack. It is lossy: letters whose place is taken replace the others.
#[derive(Clone, Debug)]
pub(super) struct Spelling {
    entries: Box<[Spelled; ENTRIES]>,
    /// The number of the rack. Entries of earlier racks have another one.
    rack: u32,
}

/// The number of entries, a power of two.
const ENTRIES: usize = 128;

/// Selections of one size with the same letters played through, by their place among the selections of that size.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spelled {
    rack: u32,
    tiles: u8,
    /// As many of them were tried, the first ones.
    pub tried: u8,
    through: u64,
    /// Those that may spell a word, as bits.
    pub may: u64,
}

impl Spelled {
    /// The most selections that are kept.
    pub(super) const MOST: usize = 64;
}

impl Default for Spelling {
    fn default() -> Spelling {
        Spelling { entries: Box::new([Spelled::default(); ENTRIES]), rack: 1 }
    }
}

impl Spelling {
    /// Begins with another rack.
    pub(super) fn begin(&mut self) {
        // After as many racks as there are numbers, the entries of the first ones could be taken for new ones.
        if self.rack == u32::MAX {
            *self = Spelling::default();
        }
        self.rack += 1;
    }

    /// The entry of the selections of a size with the letters of a key.
    #[inline]
    pub(super) fn entry(&mut self, through: u64, tiles: u8) -> &mut Spelled {
        let Spelling { entries, rack } = self;
        let place = through.wrapping_add(u64::from(tiles) << 57) >> 57;
        let entry = &mut entries[place as usize];
        if (entry.through, entry.tiles, entry.rack) != (through, tiles, *rack) {
            *entry = Spelled { rack: *rack, tiles, tried: 0, through, may: 0 };
        }
        entry
    }
}
