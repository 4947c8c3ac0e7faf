//! The splits of the unseen tiles into bag and opponent's rack.

use super::settings::MAX_EXACT_BAG;
use crate::rack::Rack;
use crate::rack::sub_racks::{multisets, ways};
use crate::rng::{shuffle, stream};
use crate::tileset::Tile;

/// A split of the unseen tiles: some are in the bag, all others on the opponent's rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The tiles of the bag.
    pub bag: Rack,
    /// The number of ways to choose them from the unseen tiles, where tiles of one kind are distinct.
    pub ways: u64,
}

/// Contents of the bag on which a candidate is tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Draw {
    /// A split, with every order of its bag.
    Split(Split),
    /// One order of one bag, drawn at random.
    Order(Vec<u8>),
}

impl Draw {
    /// The orders of the bag, and the number of ways that each stands for.
    pub(super) fn orders(&self) -> (Vec<Vec<u8>>, u64) {
        match self {
            Draw::Split(split) => {
                let orders = orders(&split.bag);
                let ways = split.ways * factorial(split.bag.size()) / orders.len() as u64;
                (orders, ways)
            }
            Draw::Order(order) => (vec![order.clone()], 1),
        }
    }
}

/// Returns every split with `tiles` tiles in the bag or, if those are too many, as many orders of the bag as `deals`.
pub(super) fn draws(unseen: &Rack, tiles: usize, deals: u64) -> Vec<Draw> {
    if tiles <= MAX_EXACT_BAG {
        return splits(unseen, tiles).into_iter().map(Draw::Split).collect();
    }
    let order = |deal| {
        let mut kinds: Vec<u8> = unseen.tiles().map(Tile::kind).collect();
        shuffle(&mut kinds, &mut stream(0, "pre-endgame deals", deal));
        kinds.truncate(tiles);
        Draw::Order(kinds)
    };
    (0..deals).map(order).collect()
}

/// Returns every split with `tiles` tiles in the bag, in the order of the tile set. Their ways add up to the binomial
/// coefficient.
pub fn splits(unseen: &Rack, tiles: usize) -> Vec<Split> {
    let split = |bag| Split { bag, ways: ways(unseen, &bag) as u64 };
    multisets(unseen, tiles).into_iter().map(split).collect()
}

fn factorial(count: usize) -> u64 {
    (1..=count as u64).product()
}

/// Returns every distinct order of the tiles, where tiles of one kind are equal. Each stands for the same number of orders.
fn orders(bag: &Rack) -> Vec<Vec<u8>> {
    let mut order: Vec<u8> = bag.tiles().map(Tile::kind).collect();
    let mut found = vec![order.clone()];
    // The next permutation in lexicographic order, until there is none.
    while let Some(place) = (1..order.len()).rev().find(|&place| order[place - 1] < order[place]) {
        let larger = (place..order.len()).rev().find(|&other| order[other] > order[place - 1]).unwrap_or(place);
        order.swap(place - 1, larger);
        order[place..].reverse();
        found.push(order.clone());
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::rack::sub_racks::choose;
    use crate::tileset::TileSet;

    /// Counts every choice of `tiles` places by the kinds in these places.
    fn chosen_one_by_one(kinds: &[u8], tiles: usize) -> BTreeMap<Vec<u8>, u64> {
        let mut tally = BTreeMap::new();
        for places in 0..1u32 << kinds.len() {
            if places.count_ones() as usize == tiles {
                let chosen = (0..kinds.len()).filter(|place| places >> place & 1 == 1).map(|place| kinds[place]);
                *tally.entry(chosen.collect()).or_insert(0) += 1;
            }
        }
        tally
    }

    #[test]
    fn splits_count_the_ways_to_choose_the_bag() {
        let english = TileSet::embedded("english").unwrap();
        for text in ["ABCDEFGH", "AAAEEIO?S", "??EEEEQ", "Z", "AAAAAAAAA"] {
            let kinds: Vec<u8> =
                english.parse(text, crate::tileset::Style::Greedy).unwrap().iter().map(|t| t.kind()).collect();
            let mut unseen = Rack::default();
            for &kind in &kinds {
                unseen.add(kind);
            }
            let kinds: Vec<u8> = unseen.tiles().map(Tile::kind).collect();
            for tiles in 0..=4.min(kinds.len()) {
                let found = splits(&unseen, tiles);
                let tally: BTreeMap<Vec<u8>, u64> =
                    found.iter().map(|split| (split.bag.tiles().map(Tile::kind).collect(), split.ways)).collect();
                assert_eq!(tally.len(), found.len());
                assert_eq!(tally, chosen_one_by_one(&kinds, tiles), "{text}, {tiles}");
                let total: u64 = found.iter().map(|split| split.ways).sum();
                assert_eq!(u128::from(total), choose(kinds.len(), tiles));
            }
            assert!(splits(&unseen, kinds.len() + 1).is_empty());
        }
    }

    #[test]
    fn orders_are_all_distinct_permutations() {
        let english = TileSet::embedded("english").unwrap();
        for (text, count) in [("A", 1), ("AB", 2), ("AAB", 3), ("AABB", 6), ("ABC?", 24), ("AAAA", 1)] {
            let mut found = orders(&Rack::parse(text, &english).unwrap());
            found.sort();
            found.dedup();
            assert_eq!(found.len(), count, "{text}");
            assert!(found.iter().all(|order| order.len() == text.len()));
        }
    }
}
