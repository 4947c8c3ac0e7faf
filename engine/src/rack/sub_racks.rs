//! A numbering of the sub-racks of one rack, by mixed radix. Multisets of tiles: how many there are, and in how many ways each can be drawn.

use super::Rack;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE, Tile, multisets_by_size};

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
    /// Creates the numbering for a rack. The rack must have at most [`MAX_RACK_SIZE`] tiles. Debug builds check this.
    pub fn new(rack: &Rack) -> SubRacks {
        debug_assert!(rack.size() <= MAX_RACK_SIZE);
        let mut sub_racks = SubRacks { strides: [0; MAX_KINDS], kinds: [(0, 0); MAX_RACK_SIZE], distinct: 0, len: 1 };
        for (kind, count) in rack.kinds() {
            sub_racks.strides[kind as usize] = sub_racks.len as u16;
            sub_racks.kinds[sub_racks.distinct] = (kind, count);
            sub_racks.distinct += 1;
            sub_racks.len *= count as usize + 1;
        }
        sub_racks
    }

    /// Returns the number of sub-racks, including the empty one (number 0) and the whole rack (the last number).
    #[expect(clippy::len_without_is_empty, reason = "every rack has the empty sub-rack")]
    pub fn len(&self) -> usize {
        self.len
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

    /// Returns the number of the sub-rack of these tiles.
    #[inline]
    pub fn number(&self, tiles: &[Tile]) -> usize {
        tiles.iter().map(|tile| self.stride(tile.kind())).sum()
    }

    /// Returns the kinds of the rack with their counts.
    pub fn kinds(&self) -> &[(u8, u8)] {
        &self.kinds[..self.distinct]
    }

    /// Returns the size of each sub-rack in tiles, by number.
    #[inline]
    pub fn sizes(&self) -> [u8; MAX_SUB_RACKS] {
        let mut sizes = [0; MAX_SUB_RACKS];
        let mut len = 1;
        for &(_, most) in self.kinds() {
            for at in len..len * (most as usize + 1) {
                sizes[at] = sizes[at - len] + 1;
            }
            len *= most as usize + 1;
        }
        sizes
    }

    /// Returns the number of tiles of a kind in a sub-rack.
    pub fn count(&self, number: usize, kind: u8) -> u8 {
        let held = self.kinds().iter().find(|&&(held, _)| held == kind);
        held.map_or(0, |&(_, most)| (number / self.stride(kind) % (most as usize + 1)) as u8)
    }

    /// Returns the sub-rack with a number. The number must be below [`SubRacks::len`]. Debug builds check this.
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

/// The number of different multisets of `size` tiles from `from`.
pub(crate) fn count(from: &Rack, size: usize) -> u64 {
    multisets_by_size(from.kinds().map(|(_, count)| count), size)[size]
}

/// Every multiset of `size` tiles from `from`, once.
pub(crate) fn multisets(from: &Rack, size: usize) -> Vec<Rack> {
    let mut all = vec![Rack::default()];
    let mut left = from.size();
    for (kind, count) in from.kinds() {
        left -= usize::from(count);
        let mut longer = Vec::new();
        for rack in all {
            let mut rack = rack;
            for held in 0..=count {
                if held > 0 {
                    rack.add(kind);
                }
                // The kinds to come must be able to fill it.
                if (size.saturating_sub(left)..=size).contains(&rack.size()) {
                    longer.push(rack);
                }
            }
        }
        all = longer;
    }
    all.retain(|rack| rack.size() == size);
    all
}

/// The number of ways to draw `drawn` from `from`, as labelled tiles.
pub(crate) fn ways(from: &Rack, drawn: &Rack) -> u128 {
    drawn.kinds().map(|(kind, count)| choose(from.count(kind).into(), count.into())).product()
}

/// The binomial coefficient. `k` is at most a rackful.
pub(crate) fn choose(n: usize, k: usize) -> u128 {
    if k > n {
        return 0;
    }
    (0..k).fold(1, |product, step| product * (n - step) as u128 / (step + 1) as u128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tileset::TileSet;

    #[test]
    fn removing_a_tile_lowers_the_number_by_its_stride() {
        let english = TileSet::embedded("english").unwrap();
        let rack = Rack::parse("AAEENN?", &english).unwrap();
        let sub_racks = SubRacks::new(&rack);
        assert_eq!(sub_racks.len(), 3 * 3 * 3 * 2);
        assert_eq!(sub_racks.get(sub_racks.whole()), rack);
        assert!(sub_racks.get(0).is_empty());
        let sizes = sub_racks.sizes();
        for (number, &size) in sizes[..sub_racks.len()].iter().enumerate() {
            let sub_rack = sub_racks.get(number);
            assert_eq!(sub_rack.size(), size as usize);
            assert!((0..27).all(|kind| sub_racks.count(number, kind) == sub_rack.count(kind)));
        }
        let mut leave = rack;
        let mut number = sub_racks.whole();
        for kind in [1, 0, 5] {
            assert!(leave.remove(kind));
            number -= sub_racks.stride(kind);
            assert_eq!(sub_racks.get(number), leave);
        }
    }

    #[test]
    fn all_multisets_are_counted_and_their_ways_are_those_of_all_tiles() {
        assert_eq!([choose(5, 2), choose(5, 0), choose(2, 3), choose(193, 7)], [10, 1, 0, 1_772_867_299_104]);
        for counts in [&[3, 1, 2][..], &[1; 9], &[0, 12, 1, 0, 4], &[2, 2, 2, 2, 2, 2]] {
            let from = Rack::from_counts(counts);
            for size in 0..=7 {
                let all = multisets(&from, size);
                assert_eq!(count(&from, size), all.len() as u64, "{counts:?} {size}");
                let different: std::collections::HashSet<&Rack> = all.iter().collect();
                assert_eq!(different.len(), all.len());
                assert!(all.iter().all(|rack| rack.size() == size && from.contains(rack)));
                assert_eq!(all.iter().map(|rack| ways(&from, rack)).sum::<u128>(), choose(from.size(), size));
            }
        }
    }
}
