//! Numbering every multiset of a bag's tiles, exactly and both ways.

use super::{MAX_SUB_RACKS, Rack, SubRacks};

/// A bijection between the multisets of 0 to `max_size` tiles that a bag can deal and 0, 1, 2, ….
///
/// Sizes come in order; within a size the order compares counts from the last kind down to the first. Nothing is stored a
/// multiset: a table over all of them is a flat array. `rank` costs one look-up a kind present, `unrank` one a kind of the
/// set.
#[derive(Clone, Debug)]
pub struct Ranking {
    limits: Vec<u8>,
    max_size: usize,
    /// Index of the first multiset of each size, and one past the last.
    first: Vec<usize>,
    /// `fewer[(kind × (max_size + 1) + size) × (max_size + 1) + count]`: multisets of `size` tiles over kinds `0..=kind`
    /// with fewer than `count` tiles of `kind`.
    fewer: Vec<u32>,
}

impl Ranking {
    /// Numbers the multisets of at most `max_size` tiles with at most `limits[kind]` of each kind.
    pub fn new(limits: &[u8], max_size: usize) -> Ranking {
        let width = max_size + 1;
        let mut fewer = vec![0u32; limits.len() * width * width];
        // How many multisets of each size the kinds so far make.
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

    /// The largest size numbered.
    pub fn max_size(&self) -> usize {
        self.max_size
    }

    /// At most this many tiles of each kind.
    pub fn limits(&self) -> &[u8] {
        &self.limits
    }

    /// How many multisets there are of 0 to `max_size` tiles.
    pub fn len(&self) -> usize {
        self.first[self.max_size + 1]
    }

    /// Never: the empty multiset has a number.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The indices of the multisets of `size` tiles.
    pub fn of_size(&self, size: usize) -> std::ops::Range<usize> {
        self.first[size]..self.first[size + 1]
    }

    /// How far the index within its size moves when `count` tiles of `kind` join `size_before` tiles of the kinds before.
    #[inline]
    pub(crate) fn step(&self, kind: usize, size_before: usize, count: usize) -> usize {
        let width = self.max_size + 1;
        self.fewer[(kind * width + size_before + count) * width + count] as usize
    }

    /// The number of a multiset.
    ///
    /// The caller keeps to the limits: at most `max_size` tiles, at most `limits[kind]` of a kind.
    pub fn rank(&self, rack: &Rack) -> usize {
        debug_assert!(self.holds(rack));
        let mut size = 0;
        let mut index = 0;
        for (kind, count) in rack.kinds() {
            index += self.step(kind as usize, size, count as usize);
            size += count as usize;
        }
        self.first[size] + index
    }

    /// The number of a multiset given as its kinds in rising order; `None` if they do not rise or the multiset has no number.
    pub fn rank_rising(&self, kinds: &[u8]) -> Option<usize> {
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

    /// The number of every sub-rack of a rack, `None` for those larger than the ranking's size; about a nanosecond each.
    pub fn sub_indices(&self, numbers: &SubRacks, indices: &mut [Option<u32>; MAX_SUB_RACKS]) {
        let mut sizes = [0u8; MAX_SUB_RACKS];
        indices[0] = Some(0);
        let mut len = 1;
        for &(kind, most) in numbers.kinds() {
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

    /// Whether the multiset has a number.
    pub fn holds(&self, rack: &Rack) -> bool {
        rack.size() <= self.max_size
            && rack.kinds().all(|(kind, count)| self.limits.get(kind as usize).is_some_and(|&limit| count <= limit))
    }

    /// The multiset of a number below [`Ranking::len`].
    pub fn unrank(&self, index: usize) -> Rack {
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

    /// Whether the kinds before `kind` can make up `size` tiles.
    fn reachable(&self, kind: usize, size: usize) -> bool {
        self.limits[..kind].iter().map(|&limit| limit as usize).sum::<usize>() >= size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tileset::TileSet;

    #[test]
    fn english_has_the_published_numbers_of_racks_and_leaves() {
        let ranking = Ranking::new(&TileSet::embedded("english").unwrap().counts(), 7);
        assert_eq!(ranking.of_size(7).len(), 3_199_724);
        assert_eq!(ranking.of_size(6).end - ranking.of_size(1).start, 914_624);
    }

    #[test]
    fn the_numbering_is_a_bijection() {
        for name in TileSet::embedded_names() {
            let counts = TileSet::embedded(name).unwrap().counts();
            let whole = Ranking::new(&counts, 4);
            for index in 0..whole.len() {
                let rack = whole.unrank(index);
                assert!(whole.holds(&rack));
                assert_eq!(whole.rank(&rack), index, "{name}");
                let kinds: Vec<u8> = rack.tiles().map(crate::tileset::Tile::kind).collect();
                assert_eq!(whole.rank_rising(&kinds), Some(index), "{name}");
            }
            let full = Ranking::new(&counts, 7);
            for index in (0..full.len()).step_by(997) {
                assert_eq!(full.rank(&full.unrank(index)), index, "{name}");
            }
        }
    }

    #[test]
    fn kinds_that_fall_or_are_too_many_have_no_number() {
        let ranking = Ranking::new(&[2, 0, 1, 3, 1], 4);
        assert_eq!(ranking.rank_rising(&[]), Some(0));
        assert!(ranking.rank_rising(&[0, 0, 3, 4]).is_some());
        for none in [&[0, 0, 0][..], &[1], &[3, 2], &[0, 3, 0], &[5], &[0, 0, 3, 3, 3]] {
            assert_eq!(ranking.rank_rising(none), None, "{none:?}");
        }
    }

    #[test]
    fn distinct_multisets_have_distinct_numbers_and_none_is_left_over() {
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
