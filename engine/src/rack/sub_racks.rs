//! A numbering of the sub-racks of one rack, by mixed radix.

use super::Rack;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE};

/// The maximum number of sub-racks of a rack.
pub const MAX_SUB_RACKS: usize = 1 << MAX_RACK_SIZE;

/// A numbering of the sub-racks of a rack.
///
/// Removing a tile lowers the number by the stride of its kind, so a generator updates the number of the leave with one
/// subtraction per tile.
#[derive(Clone, Debug)]
pub struct SubRacks {
    strides: [u16; MAX_KINDS],
    kinds: [(u8, u8); MAX_RACK_SIZE],
    distinct: usize,
    len: usize,
}

impl SubRacks {
    /// Creates the numbering for a rack. The rack must have at most [`MAX_RACK_SIZE`] tiles; debug builds check this.
    pub fn new(rack: &Rack) -> SubRacks {
        debug_assert!(rack.size() <= MAX_RACK_SIZE);
        let mut numbers = SubRacks { strides: [0; MAX_KINDS], kinds: [(0, 0); MAX_RACK_SIZE], distinct: 0, len: 1 };
        for (kind, count) in rack.kinds() {
            numbers.strides[kind as usize] = numbers.len as u16;
            numbers.kinds[numbers.distinct] = (kind, count);
            numbers.distinct += 1;
            numbers.len *= count as usize + 1;
        }
        numbers
    }

    /// Returns the number of sub-racks, including the empty one (number 0) and the whole rack (the last number).
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `false`: every rack has the empty sub-rack.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns the number of the whole rack.
    pub fn whole(&self) -> usize {
        self.len - 1
    }

    /// Returns the difference that one tile of a kind makes to the number.
    #[inline]
    pub fn stride(&self, kind: u8) -> usize {
        self.strides[kind as usize] as usize
    }

    /// Returns the kinds of the rack with their counts.
    pub fn kinds(&self) -> &[(u8, u8)] {
        &self.kinds[..self.distinct]
    }

    /// Fills in the size of each sub-rack in tiles, by number.
    pub fn sizes(&self, sizes: &mut [u8; MAX_SUB_RACKS]) {
        sizes[0] = 0;
        let mut len = 1;
        for &(_, most) in self.kinds() {
            for at in len..len * (most as usize + 1) {
                sizes[at] = sizes[at - len] + 1;
            }
            len *= most as usize + 1;
        }
    }

    /// Returns the number of tiles of a kind in a sub-rack.
    pub fn count(&self, number: usize, kind: u8) -> u8 {
        let held = self.kinds().iter().find(|&&(held, _)| held == kind);
        held.map_or(0, |&(_, most)| (number / self.stride(kind) % (most as usize + 1)) as u8)
    }

    /// Returns the sub-rack with a number. The number must be below [`SubRacks::len`]; debug builds check this.
    pub fn get(&self, mut number: usize) -> Rack {
        debug_assert!(number < self.len, "number {number} of {} sub-racks", self.len);
        let mut counts = [0; MAX_KINDS];
        for &(kind, count) in self.kinds() {
            counts[kind as usize] = (number % (count as usize + 1)) as u8;
            number /= count as usize + 1;
        }
        Rack::from_counts(&counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tileset::TileSet;

    #[test]
    fn removing_a_tile_lowers_the_number_by_its_stride() {
        let english = TileSet::embedded("english").unwrap();
        let rack = Rack::parse("AAEENN?", &english).unwrap();
        let numbers = SubRacks::new(&rack);
        assert_eq!(numbers.len(), 3 * 3 * 3 * 2);
        assert_eq!(numbers.get(numbers.whole()), rack);
        assert!(numbers.get(0).is_empty());
        let mut sizes = [0; MAX_SUB_RACKS];
        numbers.sizes(&mut sizes);
        for (number, &size) in sizes[..numbers.len()].iter().enumerate() {
            let part = numbers.get(number);
            assert_eq!(part.size(), size as usize);
            assert!((0..27).all(|kind| numbers.count(number, kind) == part.count(kind)));
        }
        let mut kept = rack;
        let mut number = numbers.whole();
        for kind in [1, 0, 5] {
            assert!(kept.remove(kind));
            number -= numbers.stride(kind);
            assert_eq!(numbers.get(number), kept);
        }
    }
}
