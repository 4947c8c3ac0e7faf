//! A numbering of all multisets of tiles of a tile set.

use super::{MAX_SUB_RACKS, Rack, SubRacks};

/// A bijection between the multisets of 0 to `max_size` tiles that a bag can deal and the indices 0, 1, 2, ….
///
/// Smaller multisets come first. Multisets of one size are ordered by their counts, compared from the last kind down to the
/// first. A table of values over all multisets is therefore a flat array, and the bijection needs no memory per multiset.
/// [`Ranking::rank`] costs one look-up per kind on the rack, [`Ranking::unrank`] at most one search per kind of the tile
/// set.
#[derive(Clone, Debug)]
pub struct Ranking {
    limits: Vec<u8>,
    max_size: usize,
    /// The index of the first multiset of each size, and at the end the number of multisets.
    first: Vec<usize>,
    /// `fewer[(kind × (max_size + 1) + size) × (max_size + 1) + count]`: the number of multisets of `size` tiles of kinds
    /// `0..=kind` with fewer than `count` tiles of `kind`.
    fewer: Vec<u32>,
}

impl Ranking {
    /// Creates the numbering of the multisets of at most `max_size` tiles with at most `limits[kind]` tiles of each kind.
    pub fn new(limits: &[u8], max_size: usize) -> Ranking {
        let width = max_size + 1;
        let mut fewer = vec![0u32; limits.len() * width * width];
        // The number of multisets of each size over the kinds so far.
        let mut ways = vec![0u32; width];
        ways[0] = 1;
        for (kind, &limit) in limits.iter().enumerate() {
            let before = ways.clone();
            for size in 0..width {
                let mut sum = 0;
                for count in 0..width {
                    fewer[(kind * width + size) * width + count] = sum;
                    if count <= size && count <= limit as usize {
                        sum += before[size - count];
                    }
                }
                ways[size] = sum;
            }
        }
        let mut first = vec![0];
        for size in 0..width {
            first.push(first[size] + ways[size] as usize);
        }
        Ranking { limits: limits.to_vec(), max_size, first, fewer }
    }

    /// Returns the size of the largest multisets, in tiles.
    pub fn max_size(&self) -> usize {
        self.max_size
    }

    /// Returns the maximum number of tiles of each kind.
    pub fn limits(&self) -> &[u8] {
        &self.limits
    }

    /// Returns the number of multisets of 0 to `max_size` tiles.
    #[expect(clippy::len_without_is_empty, reason = "the empty multiset has an index")]
    pub fn len(&self) -> usize {
        self.first[self.max_size + 1]
    }

    /// Returns the indices of the multisets of `size` tiles.
    pub fn indices_of_size(&self, size: usize) -> std::ops::Range<usize> {
        self.first[size]..self.first[size + 1]
    }

    /// Returns the amount by which the index within its size grows when `count` tiles of `kind` join `size_before` tiles of
    /// earlier kinds.
    #[inline]
    fn step(&self, kind: usize, size_before: usize, count: usize) -> usize {
        let width = self.max_size + 1;
        self.fewer[(kind * width + size_before + count) * width + count] as usize
    }

    /// Returns the index of a multiset.
    ///
    /// The multiset must have an index (see [`Ranking::holds`]). Debug builds check this.
    pub fn rank(&self, rack: &Rack) -> usize {
        debug_assert!(self.holds(rack), "this multiset has no index");
        let mut size = 0;
        let mut index = 0;
        for (kind, count) in rack.kinds() {
            index += self.step(kind as usize, size, count as usize);
            size += count as usize;
        }
        self.first[size] + index
    }

    /// Returns the index of a multiset given as its kinds in ascending order, or `None` if the kinds are not in order or the
    /// multiset has no index.
    pub fn rank_sorted(&self, kinds: &[u8]) -> Option<usize> {
        let mut size = 0;
        let mut index = 0;
        let mut next = 0;
        for run in kinds.chunk_by(|a, b| a == b) {
            let (kind, count) = (run[0] as usize, run.len());
            if kind < next || count > *self.limits.get(kind)? as usize || size + count > self.max_size {
                return None;
            }
            index += self.step(kind, size, count);
            size += count;
            next = kind + 1;
        }
        Some(self.first[size] + index)
    }

    /// Fills in the index of every sub-rack of a rack, or `None` for sub-racks of more than `max_size` tiles.
    ///
    /// # Cost
    /// About a nanosecond per sub-rack.
    pub fn sub_indices(&self, sub_racks: &SubRacks, indices: &mut [Option<u32>; MAX_SUB_RACKS]) {
        let mut sizes = [0u8; MAX_SUB_RACKS];
        indices[0] = Some(0);
        let mut len = 1;
        for &(kind, most) in sub_racks.kinds() {
            for count in 1..=most as usize {
                for number in 0..len {
                    let size = sizes[number] as usize;
                    sizes[number + count * len] = (size + count) as u8;
                    indices[number + count * len] = match indices[number] {
                        Some(index) if size + count <= self.max_size => {
                            Some(index + self.step(kind as usize, size, count) as u32)
                        }
                        _ => None,
                    };
                }
            }
            len *= most as usize + 1;
        }
        for (index, &size) in indices.iter_mut().zip(&sizes[..len]) {
            *index = index.map(|within| within + self.first[size as usize] as u32);
        }
    }

    /// Returns whether a multiset has an index.
    pub fn holds(&self, rack: &Rack) -> bool {
        rack.size() <= self.max_size
            && rack.kinds().all(|(kind, count)| self.limits.get(kind as usize).is_some_and(|&limit| count <= limit))
    }

    /// Returns the multiset of an index. The index must be below [`Ranking::len`]. Debug builds check this.
    pub fn unrank(&self, index: usize) -> Rack {
        debug_assert!(index < self.len(), "index {index} of {} multisets", self.len());
        let width = self.max_size + 1;
        let mut size = self.first.partition_point(|&first| first <= index) - 1;
        let mut rest = (index - self.first[size]) as u32;
        let mut counts = vec![0u8; self.limits.len()];
        for kind in (0..self.limits.len()).rev() {
            if size == 0 {
                break;
            }
            let row = &self.fewer[(kind * width + size) * width..][..width];
            let most = size.min(self.limits[kind] as usize);
            let count =
                (0..=most).rev().find(|&count| row[count] <= rest && self.reachable(kind, size - count)).unwrap_or(0);
            rest -= row[count];
            counts[kind] = count as u8;
            size -= count;
        }
        Rack::from_counts(&counts)
    }

    /// Returns whether there are `size` tiles of the kinds before `kind`.
    fn reachable(&self, kind: usize, size: usize) -> bool {
        self.limits[..kind].iter().map(|&limit| limit as usize).sum::<usize>() >= size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tileset::TileSet;

    #[test]
    fn english_has_the_published_number_of_racks_and_leaves() {
        let ranking = Ranking::new(&TileSet::embedded("english").unwrap().counts(), 7);
        assert_eq!(ranking.indices_of_size(7).len(), 3_199_724);
        assert_eq!(ranking.indices_of_size(6).end - ranking.indices_of_size(1).start, 914_624);
    }

    #[test]
    fn unranking_and_ranking_return_the_same_index() {
        for name in TileSet::embedded_names() {
            let counts = TileSet::embedded(name).unwrap().counts();
            let whole = Ranking::new(&counts, 4);
            for index in 0..whole.len() {
                let rack = whole.unrank(index);
                assert!(whole.holds(&rack));
                assert_eq!(whole.rank(&rack), index, "{name}");
                let kinds: Vec<u8> = rack.tiles().map(crate::tileset::Tile::kind).collect();
                assert_eq!(whole.rank_sorted(&kinds), Some(index), "{name}");
            }
            let full = Ranking::new(&counts, 7);
            for index in (0..full.len()).step_by(997) {
                assert_eq!(full.rank(&full.unrank(index)), index, "{name}");
            }
        }
    }

    #[test]
    fn kinds_out_of_order_or_beyond_the_limits_have_no_index() {
        let ranking = Ranking::new(&[2, 0, 1, 3, 1], 4);
        assert_eq!(ranking.rank_sorted(&[]), Some(0));
        assert!(ranking.rank_sorted(&[0, 0, 3, 4]).is_some());
        for none in [&[0, 0, 0][..], &[1], &[3, 2], &[0, 3, 0], &[5], &[0, 0, 3, 3, 3]] {
            assert_eq!(ranking.rank_sorted(none), None, "{none:?}");
        }
    }

    #[test]
    fn every_index_belongs_to_exactly_one_multiset() {
        let limits = [2, 0, 1, 3, 1];
        let ranking = Ranking::new(&limits, 7);
        let mut seen = vec![false; ranking.len()];
        for code in 0..3 * 2 * 4 * 2 {
            let rack = Rack::from_counts(&[code % 3, 0, code / 3 % 2, code / 6 % 4, code / 24]);
            let index = ranking.rank(&rack);
            assert!(!std::mem::replace(&mut seen[index], true), "{rack:?}");
            assert_eq!(ranking.unrank(index), rack);
        }
        assert!(seen.iter().all(|&there| there));
    }
}
