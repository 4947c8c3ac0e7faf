//! What a player can still hold: the parts of the rack that it begins the endgame with, by number.

use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::tileset::{Tile, TileSet};

/// The parts of one player's rack.
///
/// A part has the number that [`SubRacks`] gives it, and a mask in which each tile of the rack has a bit of its own and a part
/// the lowest ones of each kind: part `a` holds part `b` if no bit of `b` is missing in `a`.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    numbers: SubRacks,
    masks: [u8; MAX_SUB_RACKS],
    points: [i16; MAX_SUB_RACKS],
    /// Whether it holds tiles that score nothing.
    worthless: [bool; MAX_SUB_RACKS],
}

impl Parts {
    pub(super) fn new(rack: &Rack, tileset: &TileSet) -> Parts {
        let numbers = SubRacks::new(rack);
        let mut parts = Parts {
            masks: [0; MAX_SUB_RACKS],
            points: [0; MAX_SUB_RACKS],
            worthless: [false; MAX_SUB_RACKS],
            numbers: numbers.clone(),
        };
        let (mut len, mut bit) = (1, 0);
        for &(kind, count) in numbers.kinds() {
            let value = tileset.value(Tile::letter_tile(kind)) as i16;
            for number in len..len * (usize::from(count) + 1) {
                let nth = number / len - 1;
                parts.masks[number] = parts.masks[number - len] | 1 << (bit + nth);
                parts.points[number] = parts.points[number - len] + value;
                parts.worthless[number] = parts.worthless[number - len] || value == 0;
            }
            len *= usize::from(count) + 1;
            bit += usize::from(count);
        }
        parts
    }

    /// How many there are, the empty one and the whole rack included.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of the whole rack.
    pub(super) fn whole(&self) -> u8 {
        self.numbers.whole() as u8
    }

    /// The number of the rack without its blanks.
    pub(super) fn natural(&self) -> u8 {
        let blanks = self.numbers.kinds().iter().filter(|&&(kind, _)| kind == 0);
        let blanks: usize = blanks.map(|&(kind, count)| self.numbers.stride(kind) * usize::from(count)).sum();
        self.whole() - blanks as u8
    }

    /// Its tiles.
    pub(super) fn rack(&self, number: u8) -> Rack {
        self.numbers.get(number as usize)
    }

    #[inline]
    pub(super) fn mask(&self, number: u8) -> u8 {
        self.masks[number as usize]
    }

    /// Points of its tiles.
    #[inline]
    pub(super) fn points(&self, number: u8) -> i32 {
        i32::from(self.points[number as usize])
    }

    /// Whether it holds tiles that score nothing.
    #[inline]
    pub(super) fn is_partly_worthless(&self, number: u8) -> bool {
        self.worthless[number as usize]
    }

    /// The number of some tiles of the rack.
    pub(super) fn number(&self, tiles: &[Tile]) -> u8 {
        tiles.iter().map(|tile| self.numbers.stride(tile.kind())).sum::<usize>() as u8
    }

    /// The kind of the tile that a part consists of, if it is one tile.
    #[inline]
    pub(super) fn only_kind(&self, number: u8) -> Option<u8> {
        let is_one = self.masks[number as usize].is_power_of_two();
        let kinds = self.numbers.kinds().iter();
        kinds.map(|&(kind, _)| kind).find(|&kind| is_one && self.numbers.stride(kind) == number as usize)
    }

    /// The parts that the tiles of a part of at most two tiles make up alone; the first for one tile, both for two.
    pub(super) fn singles(&self, number: u8) -> [Option<u8>; 2] {
        let mut singles = [None; 2];
        let mut rest = number;
        for single in &mut singles {
            let held = self.mask(rest);
            let mut strides = self.numbers.kinds().iter().map(|&(kind, _)| self.numbers.stride(kind) as u8);
            *single = strides.find(|&stride| self.mask(stride) & !held == 0 && rest > 0);
            rest -= single.unwrap_or_default();
        }
        singles
    }

    /// The letters that the rack can show, as bits.
    pub(super) fn showable(&self, tileset: &TileSet) -> u64 {
        let kinds = self.numbers.kinds().iter();
        kinds.fold(0, |letters, &(kind, _)| letters | if kind == 0 { tileset.all_letters() } else { 1 << kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_say_which_part_holds_which() {
        let english = TileSet::embedded("english").unwrap();
        let rack = Rack::parse("AAEENQ?", &english).unwrap();
        let parts = Parts::new(&rack, &english);
        let numbers = SubRacks::new(&rack);
        for number in 0..numbers.len() {
            let part = numbers.get(number);
            assert_eq!(parts.points(number as u8), part.points(&english));
            assert_eq!(parts.is_partly_worthless(number as u8), part.count(0) > 0);
            assert_eq!(parts.number(&part.tiles().collect::<Vec<_>>()), number as u8);
            for other in 0..numbers.len() {
                let holds = parts.mask(other as u8) & !parts.mask(number as u8) == 0;
                assert_eq!(holds, part.contains(&numbers.get(other)));
            }
        }
    }
}
