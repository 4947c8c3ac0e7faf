//! The value of the balance of vowels and consonants, and of tiles together.

use std::collections::BTreeMap;

use tilewright_engine::{Equity, LeaveTable, Rack, TileSet};

use super::difference::expected_count;

/// The leaves with given numbers of blanks, vowels and consonants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    /// Blanks in each.
    pub blanks: usize,
    /// Vowels in each, as the tile set marks them.
    pub vowels: usize,
    /// Other letters in each.
    pub consonants: usize,
    /// The number of leaves.
    pub leaves: usize,
    /// The expected number of these leaves in a random full rack. Every subset of the rack counts.
    pub dealt: f64,
    /// Their mean value in points, weighted by how often a random full rack contains each leave.
    pub mean: f64,
    /// The mean difference of the values from [`alone`], with the same weights.
    pub beyond_tiles: f64,
}

/// The value of a leave as a sum over its kinds of tile, in points. Each kind adds the value of its one or two tiles alone.
pub fn alone(table: &LeaveTable, leave: &Rack) -> f64 {
    let of_kind = |(kind, count): (u8, u8)| {
        let same = Rack::from_kinds(&[kind, kind][..usize::from(count.min(2))]);
        table.get(&same).map_or(0.0, Equity::points)
    };
    leave.kinds().map(of_kind).sum()
}

/// Lists every balance that leaves of the tile set can have, by blanks, vowels and consonants.
pub fn balances(table: &LeaveTable, tileset: &TileSet) -> Vec<Balance> {
    let mut balances = BTreeMap::new();
    for index in 1..table.ranking().len() {
        let leave = table.ranking().unrank(index);
        let vowels = leave.tiles().filter(|tile| tileset.is_vowel(tile.kind())).count();
        let blanks = leave.count(0) as usize;
        let consonants = leave.size() - blanks - vowels;
        let none = Balance { blanks, vowels, consonants, leaves: 0, dealt: 0.0, mean: 0.0, beyond_tiles: 0.0 };
        let sums = balances.entry([blanks, vowels, consonants]).or_insert(none);
        let (weight, value) = (expected_count(&leave, tileset), table.values()[index].points());
        sums.leaves += 1;
        sums.dealt += weight;
        sums.mean += weight * value;
        sums.beyond_tiles += weight * (value - alone(table, &leave));
    }
    let means =
        |sums: Balance| Balance { mean: sums.mean / sums.dealt, beyond_tiles: sums.beyond_tiles / sums.dealt, ..sums };
    balances.into_values().map(means).collect()
}

#[cfg(test)]
mod tests {
    use tilewright_engine::bag::Bag;
    use tilewright_engine::deals::Domain;
    use tilewright_engine::tileset::Tile;

    use super::*;

    #[test]
    fn means_agree_with_a_slow_sum_over_single_tiles_of_the_bag() {
        let spanish = TileSet::embedded("spanish").unwrap();
        let mut table = LeaveTable::zero(&spanish);
        for index in 1..table.ranking().len() {
            table.set(index, Equity((index * 7919 % 20_011) as i32));
        }
        let balances = balances(&table, &spanish);
        assert_eq!(balances.iter().map(|balance| balance.leaves).sum::<usize>(), table.ranking().len() - 1);
        // Every two tiles of the full bag are equally likely.
        let mut whole = Rack::default();
        Bag::new(&spanish, Domain::Match.deals(1), 1).refill(&mut whole, spanish.total_tiles(), 0);
        let bag: Vec<u8> = whole.tiles().map(Tile::kind).collect();
        for (vowels, blanks) in [(0, 0), (1, 0), (2, 0), (1, 1), (0, 1)] {
            let (mut sum, mut beyond, mut ways) = (0.0, 0.0, 0.0);
            for (at, &first) in bag.iter().enumerate() {
                for &second in &bag[at + 1..] {
                    let is = |count: &dyn Fn(u8) -> bool| usize::from(count(first)) + usize::from(count(second));
                    if is(&|kind| spanish.is_vowel(kind)) == vowels && is(&|kind| kind == 0) == blanks {
                        let [value, one, two] = [&[first, second][..], &[first], &[second]]
                            .map(|kinds| table.get(&Rack::from_kinds(kinds)).unwrap().points());
                        sum += value;
                        // Two equal tiles have the value of the pair in the table.
                        beyond += if first == second { 0.0 } else { value - one - two };
                        ways += 1.0;
                    }
                }
            }
            let consonants = 2 - vowels - blanks;
            let fast =
                balances.iter().find(|cell| (cell.blanks, cell.vowels, cell.consonants) == (blanks, vowels, consonants));
            let fast = fast.unwrap();
            assert!((fast.mean - sum / ways).abs() < 1e-9, "{vowels} vowels, {blanks} blanks");
            assert!((fast.beyond_tiles - beyond / ways).abs() < 1e-9, "{vowels} vowels, {blanks} blanks");
        }
    }
}
