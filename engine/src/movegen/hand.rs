//! What a rack can lay, and upper bounds of what that is worth on an extent.
//!
//! Laying the most valuable tiles on the largest multipliers bounds every play of an extent: a quick bound for the whole rack
//! and the best leave of the right size, and a close one a sub-rack with its own tiles and its own leave.

use super::KeepValues;
use super::lanes::{Extent, insert};
use crate::equity::Equity;
use crate::lexicon::WordMap;
use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE, Tile};

/// Tiles to lay: one sub-rack, seen from the one that stays.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lay {
    /// What stays is worth this.
    pub kept_value: Equity,
    /// The number of the sub-rack that stays.
    pub kept: u8,
    pub tiles: u8,
    pub blanks: u8,
    /// The key of the letters; blanks add nothing. 0 without a word map.
    pub key: u64,
    /// How many there are of each letter, four bits each; see [`Hand::unit`].
    pub counts: u64,
    /// Points of the tiles, the most valuable first.
    values: [i16; MAX_RACK_SIZE],
}

impl Lay {
    /// No play of the extent that lays these tiles is worth more.
    #[inline]
    pub(super) fn bound(&self, extent: &Extent) -> Equity {
        Equity::from_points(extent.base + product(&extent.multipliers, &self.values)) + self.kept_value
    }
}

/// Sub-racks by size, and the best leave first.
#[derive(Clone, Debug, Default)]
pub(super) struct Lays {
    lays: Vec<Lay>,
    /// Where each size begins, and the last one ends.
    first: [u16; MAX_RACK_SIZE + 2],
}

impl Lays {
    /// Those of so many tiles.
    #[inline]
    fn of_size(&self, tiles: usize) -> &[Lay] {
        &self.lays[self.first[tiles] as usize..self.first[tiles + 1] as usize]
    }

    fn fill(&mut self, lays: impl Iterator<Item = Lay>) {
        self.lays.clear();
        self.first = [0; MAX_RACK_SIZE + 2];
        for lay in lays {
            self.first[lay.tiles as usize + 1] += 1;
            self.lays.push(lay);
        }
        for size in 1..self.first.len() {
            self.first[size] += self.first[size - 1];
        }
    }
}

/// What a rack can lay.
#[derive(Clone, Debug, Default)]
pub(super) struct Hand {
    /// Every sub-rack but the empty one.
    any: Lays,
    /// Those that may spell a word by themselves; known with a word map only.
    alone: Lays,
    knows_words: bool,
    /// The whole rack.
    whole: Lay,
    /// Letters that it can show, as bits.
    pub showable: u64,
    /// One tile of each letter, counted in the letter's own four bits.
    units: Units,
    /// The sub-racks by their number, and numbers that order them; kept for their memory.
    by_laid: Vec<Lay>,
    order: Vec<u64>,
}

/// See [`Hand::unit`].
#[derive(Clone, Debug)]
struct Units([u64; MAX_KINDS]);

/// One tile of any letter that the rack lacks.
const FOREIGN: u64 = 1 << 60;

impl Default for Units {
    fn default() -> Units {
        Units([FOREIGN; MAX_KINDS])
    }
}

impl Hand {
    /// Takes up a rack; `map` says which of its sub-racks spell a word, if there is a map.
    pub(super) fn fill(&mut self, setup: &Setup, map: Option<&WordMap>, keeps: &KeepValues) {
        let KeepValues { numbers, values: keep_values } = keeps;
        let Hand { by_laid, order, .. } = self;
        by_laid.clear();
        by_laid.push(Lay::default());
        self.showable = 0;
        self.units = Units::default();
        for (place, &(kind, count)) in numbers.kinds().iter().enumerate() {
            let is_blank = kind == 0;
            let unit = if is_blank { 0 } else { 1 << (4 * place) };
            self.units.0[kind as usize] = unit;
            self.showable |= if is_blank { setup.tileset.all_letters() } else { 1 << kind };
            let value = setup.tileset.value(Tile::letter_tile(kind)) as i16;
            let key = map.filter(|_| !is_blank).map_or(0, |map| map.letter_key(kind));
            // The sub-racks with one tile more of this kind, then those with two, ….
            for number in 0..by_laid.len() * count as usize {
                let mut lay = by_laid[number];
                insert(&mut lay.values, lay.tiles as usize, value);
                lay.tiles += 1;
                lay.blanks += u8::from(is_blank);
                lay.key = lay.key.wrapping_add(key);
                lay.counts += unit;
                by_laid.push(lay);
            }
        }
        // What stays when sub-rack n is laid is the whole less n: the digits of the numbers borrow nothing.
        order.clear();
        let whole = by_laid.len() - 1;
        for (laid, lay) in by_laid.iter_mut().enumerate() {
            lay.kept = (whole - laid) as u8;
            lay.kept_value = keep_values[lay.kept as usize];
            order.push(u64::from(lay.tiles) << 48 | u64::from(lay.kept_value.descending_key()) << 8 | laid as u64);
        }
        self.whole = by_laid[whole];
        order[1..].sort_unstable();
        let lays = order[1..].iter().map(|&key| by_laid[(key & 0xff) as usize]);
        self.any.fill(lays.clone());
        self.knows_words = map.is_some();
        if let Some(map) = map {
            self.alone.fill(lays.filter(|lay| may_spell(map, lay.blanks, lay.key)));
        }
    }

    /// Whether there are tiles enough for an extent, and one at least for each of its squares; `closed` are the lane's squares
    /// that the rack has no letter for.
    #[inline]
    pub(super) fn reaches(&self, extent: &Extent, closed: u32) -> bool {
        extent.tiles <= self.whole.tiles && extent.joined & closed == 0
    }

    /// One tile of a letter, counted in four bits that no other letter of the rack has; tiles add up.
    #[inline]
    pub(super) fn unit(&self, letter: u8) -> u64 {
        self.units.0[letter as usize & (MAX_KINDS - 1)]
    }

    /// Whether counts that add up such units have one of a letter.
    #[inline]
    pub(super) fn holds(&self, counts: u64, letter: u8) -> bool {
        counts & (self.unit(letter) * 0xf) != 0
    }

    /// The sub-racks that may make a play of an extent.
    #[inline]
    pub(super) fn lays(&self, extent: &Extent) -> &[Lay] {
        let lays = if extent.plays_through || !self.knows_words { &self.any } else { &self.alone };
        lays.of_size(extent.tiles as usize)
    }

    /// No play of the extent is worth more; `None` if there is none.
    #[inline]
    pub(super) fn bound(&self, extent: &Extent) -> Option<Equity> {
        let best = self.lays(extent).first()?;
        Some(self.top_score(extent) + best.kept_value)
    }

    /// No play of the extent scores more.
    #[inline]
    pub(super) fn top_score(&self, extent: &Extent) -> Equity {
        Equity::from_points(extent.base + product(&extent.multipliers, &self.whole.values))
    }
}

/// Whether letters and blanks may spell a word together; a no is certain.
#[inline]
pub(super) fn may_spell(map: &WordMap, blanks: u8, key: u64) -> bool {
    match blanks {
        0 => map.may_spell(key),
        1 => map.may_spell_with_blank(key),
        _ => true,
    }
}

/// Points of tiles on multipliers; both are 0 beyond the tiles there are.
#[inline]
fn product(multipliers: &[i16; MAX_RACK_SIZE], values: &[i16; MAX_RACK_SIZE]) -> i32 {
    multipliers.iter().zip(values).map(|(&multiplier, &value)| i32::from(multiplier) * i32::from(value)).sum()
}
