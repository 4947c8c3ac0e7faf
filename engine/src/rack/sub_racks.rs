//! The sub-multisets of one rack, numbered by mixed radix.

use super::Rack;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE};

/// The most sub-racks that a rack can have.
pub const MAX_SUB_RACKS: usize = 1 << MAX_RACK_SIZE;

/// Numbers every sub-rack of a rack: taking a tile of a kind away lowers the number by that kind's stride, so a generator
/// keeps the number of what is left by one subtraction a tile.
#[derive(Clone, Debug)]
pub struct SubRacks {
    strides: [u16; MAX_KINDS],
    kinds: [(u8, u8); MAX_RACK_SIZE],
    distinct: usize,
    len: usize,
}

impl SubRacks {
    /// Numbers the sub-racks of a rack of at most [`MAX_RACK_SIZE`] tiles.
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

    /// How many sub-racks there are, the empty one (number 0) and the whole rack (the last) included.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Never: the empty sub-rack is one.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The number of the whole rack.
    pub fn whole(&self) -> usize {
        self.len - 1
    }

    /// How much one tile of a kind is worth in the number.
    #[inline]
    pub fn stride(&self, kind: u8) -> usize {
        self.strides[kind as usize] as usize
    }

    /// The kinds of the rack with their counts.
    pub fn kinds(&self) -> &[(u8, u8)] {
        &self.kinds[..self.distinct]
    }

    /// The tiles of each sub-rack, by number.
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

    /// How many tiles of a kind the sub-rack of a number has.
    pub fn count_of(&self, number: usize, kind: u8) -> u8 {
        let held = self.kinds().iter().find(|&&(held, _)| held == kind);
        held.map_or(0, |&(_, most)| (number / self.stride(kind) % (most as usize + 1)) as u8)
    }

    /// The sub-rack of a number below [`SubRacks::len`].
    pub fn get(&self, mut number: usize) -> Rack {
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
    fn numbers_follow_the_tiles_taken_away() {
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
            assert!((0..27).all(|kind| numbers.count_of(number, kind) == part.count(kind)));
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
