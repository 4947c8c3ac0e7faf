//! The sub-racks of the rack with which a player begins the endgame.

use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::tileset::{Tile, TileSet};

/// The masks and points of all sub-racks of a player's rack.
///
/// Sub-racks have the numbers of [`SubRacks`]. In a mask each tile of the rack has its own bit, and a sub-rack has the
/// lowest bits of each kind. Sub-rack `a` contains `b` if `a` has all bits of `b`.
#[derive(Clone, Debug)]
pub(super) struct SubRackTable {
    sub_racks: SubRacks,
    masks: [u8; MAX_SUB_RACKS],
    points: [i16; MAX_SUB_RACKS],
    /// Whether the sub-rack contains tiles of value 0.
    worthless: [bool; MAX_SUB_RACKS],
}

impl SubRackTable {
    pub(super) fn new(rack: &Rack, tileset: &TileSet) -> SubRackTable {
        let numbers = SubRacks::new(rack);
        let mut sub_racks = SubRackTable {
            masks: [0; MAX_SUB_RACKS],
            points: [0; MAX_SUB_RACKS],
            worthless: [false; MAX_SUB_RACKS],
            sub_racks: numbers.clone(),
        };
        let (mut len, mut bit) = (1, 0);
        for &(kind, count) in numbers.kinds() {
            let value = tileset.value(Tile::letter_tile(kind)) as i16;
            for number in len..len * (usize::from(count) + 1) {
                let nth = number / len - 1;
                sub_racks.masks[number] = sub_racks.masks[number - len] | 1 << (bit + nth);
                sub_racks.points[number] = sub_racks.points[number - len] + value;
                sub_racks.worthless[number] = sub_racks.worthless[number - len] || value == 0;
            }
            len *= usize::from(count) + 1;
            bit += usize::from(count);
        }
        sub_racks
    }

    /// Returns the number of sub-racks, including the empty one and the whole rack.
    pub(super) fn len(&self) -> usize {
        self.sub_racks.len()
    }

    pub(super) fn whole(&self) -> u8 {
        self.sub_racks.whole() as u8
    }

    pub(super) fn rack(&self, number: u8) -> Rack {
        self.sub_racks.get(number as usize)
    }

    #[inline]
    pub(super) fn mask(&self, number: u8) -> u8 {
        self.masks[number as usize]
    }

    /// Returns the value of the tiles of a sub-rack, in points.
    #[inline]
    pub(super) fn points(&self, number: u8) -> i32 {
        i32::from(self.points[number as usize])
    }

    /// Returns whether a sub-rack contains tiles of value 0.
    #[inline]
    pub(super) fn is_partly_worthless(&self, number: u8) -> bool {
        self.worthless[number as usize]
    }

    pub(super) fn number(&self, tiles: &[Tile]) -> u8 {
        self.sub_racks.number(tiles) as u8
    }

    /// Returns the kind of the only tile of a sub-rack, or `None` if it is not a single tile.
    #[inline]
    pub(super) fn only_kind(&self, number: u8) -> Option<u8> {
        let is_one = self.masks[number as usize].is_power_of_two();
        let kinds = self.sub_racks.kinds().iter();
        kinds.map(|&(kind, _)| kind).find(|&kind| is_one && self.sub_racks.stride(kind) == number as usize)
    }

    /// Returns the numbers of the single tiles of a sub-rack of at most two tiles: none, the first, or both.
    pub(super) fn singles(&self, number: u8) -> [Option<u8>; 2] {
        let mut singles = [None; 2];
        let mut rest = number;
        for single in &mut singles {
            let held = self.mask(rest);
            let mut strides = self.sub_racks.kinds().iter().map(|&(kind, _)| self.sub_racks.stride(kind) as u8);
            *single = strides.find(|&stride| self.mask(stride) & !held == 0 && rest > 0);
            rest -= single.unwrap_or_default();
        }
        singles
    }

    /// Returns the letters that the rack can show, as bits.
    pub(super) fn showable(&self, tileset: &TileSet) -> u64 {
        let kinds = self.sub_racks.kinds().iter();
        kinds.fold(0, |letters, &(kind, _)| letters | if kind == 0 { tileset.all_letters() } else { 1 << kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_show_which_sub_rack_contains_which() {
        let english = TileSet::embedded("english").unwrap();
        let rack = Rack::parse("AAEENQ?", &english).unwrap();
        let sub_racks = SubRackTable::new(&rack, &english);
        let numbers = SubRacks::new(&rack);
        for number in 0..numbers.len() {
            let sub_rack = numbers.get(number);
            assert_eq!(sub_racks.points(number as u8), sub_rack.points(&english));
            assert_eq!(sub_racks.is_partly_worthless(number as u8), sub_rack.count(0) > 0);
            assert_eq!(sub_racks.number(&sub_rack.tiles().collect::<Vec<_>>()), number as u8);
            for other in 0..numbers.len() {
                let holds = sub_racks.mask(other as u8) & !sub_racks.mask(number as u8) == 0;
                assert_eq!(holds, sub_rack.contains(&numbers.get(other)));
            }
        }
    }
}
