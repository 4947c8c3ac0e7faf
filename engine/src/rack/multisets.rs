//! Multisets of tiles: how many there are, and in how many ways each can be drawn.

use super::Rack;
use crate::tileset::multisets_by_size;

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
