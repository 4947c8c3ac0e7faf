//! Synergies: the value of tiles together beyond the sum of their separate values. The value of the balance of vowels and consonants.

use std::collections::BTreeMap;

use tilewright_engine::series::NORMAL_95;
use tilewright_engine::{Equity, LeaveTable, Rack, Tile, TileSet};

use super::detail::Detail;
use super::difference::expected_count;
use super::warnings::is_supported;

/// The interaction of the tiles of one leave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Synergy {
    /// The leave's number in the table.
    pub index: usize,
    /// Points beyond the value that the smaller leaves in it predict.
    pub points: f64,
    /// An upper bound of its standard error, in points, or `None` if the errors of the values are not known.
    pub error_bound: Option<f64>,
}

/// The interaction of every leave of `tiles` tiles that the data support, the most positive first.
///
/// With `V(∅) = 0`, and with equal tiles counted separately, so that EE contains E twice,
///
/// ```text
/// I(ab)  = V(ab) − V(a) − V(b)
/// I(abc) = V(abc) − V(ab) − V(ac) − V(bc) + V(a) + V(b) + V(c)
/// I(L)   = Σ over T ⊆ L of (−1)^(|L| − |T|) V(T)
/// ```
///
/// The errors of V(T) are correlated and only their sizes are known, so the bound is the sum of them all: the standard error
/// of a sum never exceeds it. A leave is listed if it is well supported ([`is_supported`]) and its interaction is further
/// from zero than [`NORMAL_95`] times the bound. Without `detail` every leave is listed.
pub fn synergies(table: &LeaveTable, detail: Option<&Detail>, tiles: usize) -> Vec<Synergy> {
    if tiles > table.ranking().max_size() {
        return Vec::new();
    }
    let supported = |synergy: &Synergy| {
        detail.is_none_or(|detail| is_supported(detail, synergy.index))
            && synergy.error_bound.is_none_or(|bound| synergy.points.abs() > NORMAL_95 * bound)
    };
    let all = table.ranking().indices_of_size(tiles).map(|index| synergy(table, detail, index));
    let mut synergies: Vec<Synergy> = all.filter(supported).collect();
    synergies.sort_by(|a, b| b.points.total_cmp(&a.points).then(a.index.cmp(&b.index)));
    synergies
}

fn synergy(table: &LeaveTable, detail: Option<&Detail>, index: usize) -> Synergy {
    let leave: Vec<u8> = table.ranking().unrank(index).tiles().map(Tile::kind).collect();
    let (mut points, mut bound) = (0.0, 0.0);
    for taken in 1..1u32 << leave.len() {
        let part: Vec<u8> = (0..leave.len()).filter(|at| taken >> at & 1 == 1).map(|at| leave[at]).collect();
        let Some(part_index) = table.ranking().rank_sorted(&part) else { continue };
        let sign = if (leave.len() - part.len()).is_multiple_of(2) { 1.0 } else { -1.0 };
        points += sign * table.values()[part_index].points();
        bound += detail.map_or(0.0, |detail| detail.standard_error[part_index]);
    }
    Synergy { index, points, error_bound: detail.map(|_| bound) }
}

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
    use tilewright_engine::equity::Equity;
    use tilewright_engine::rack::Rack;
    use tilewright_engine::tileset::{Tile, TileSet};

    use super::*;
    use crate::leaves::warnings::WELL_SUPPORTED;

    const SMALL: &str = r#"
        name = "small"
        board = "standard"
        total_tiles = 12
        total_points = 15
        blanks = 1
        letters = [
            { letter = "A", count = 6, value = 1, vowel = true },
            { letter = "CH", count = 4, value = 1 },
            { letter = "Q", count = 1, value = 5 },
        ]
        [rules]
        rack_size = 4
        bingo_bonus = 50
        exchange_minimum = 4
    "#;

    fn table(values: &[(&str, i32)]) -> (TileSet, LeaveTable) {
        let tileset = TileSet::from_toml(SMALL, "small").unwrap();
        let mut table = LeaveTable::zero(&tileset);
        for &(leave, points) in values {
            let index = table.ranking().rank(&Rack::parse(leave, &tileset).unwrap());
            table.set(index, Equity::from_points(points));
        }
        (tileset, table)
    }

    fn find(synergies: &[Synergy], leave: &str, table: &LeaveTable, tileset: &TileSet) -> Option<Synergy> {
        let index = table.ranking().rank(&Rack::parse(leave, tileset).unwrap());
        synergies.iter().find(|synergy| synergy.index == index).copied()
    }

    #[test]
    fn pairs_triples_and_duplicates_agree_with_sums_by_hand() {
        let values =
            [("A", 2), ("CH", -1), ("?", 20), ("AA", 1), ("ACH", 4), ("A?", 25), ("CH?", 18), ("AACH", 7), ("ACH?", 30)];
        let (tileset, table) = table(&values);
        let pairs = synergies(&table, None, 2);
        let points = |found: &[Synergy], leave| find(found, leave, &table, &tileset).unwrap().points;
        assert_eq!((points(&pairs, "AA"), points(&pairs, "ACH"), points(&pairs, "A?")), (-3.0, 3.0, 3.0));
        let triples = synergies(&table, None, 3);
        // 7 − AA 1 − ACH 4 − ACH 4 + A 2 + A 2 + CH −1, and 30 − 4 − 25 − 18 + 2 − 1 + 20.
        assert_eq!((points(&triples, "AACH"), points(&triples, "ACH?")), (1.0, 4.0));
        assert!(pairs.is_sorted_by(|a, b| a.points >= b.points));
        assert!(synergies(&table, None, 4).is_empty());
    }

    #[test]
    fn only_what_the_data_support_is_listed() {
        let (tileset, table) = table(&[("A", 2), ("CH", -1), ("ACH", 4), ("AQ", 40)]);
        let all = table.ranking().len();
        let mut detail = Detail { support: vec![WELL_SUPPORTED; all], standard_error: vec![0.5; all] };
        let pairs = synergies(&table, Some(&detail), 2);
        let pair = find(&pairs, "ACH", &table, &tileset).unwrap();
        assert_eq!((pair.points, pair.error_bound), (3.0, Some(1.5)), "three errors of a half; 3 exceeds 1.96 × 1.5");
        detail.standard_error[table.ranking().rank(&Rack::parse("ACH", &tileset).unwrap())] = 0.6;
        detail.support[table.ranking().rank(&Rack::parse("AQ", &tileset).unwrap())] = WELL_SUPPORTED - 1;
        let pairs = synergies(&table, Some(&detail), 2);
        assert!(find(&pairs, "ACH", &table, &tileset).is_none() && find(&pairs, "AQ", &table, &tileset).is_none());
    }

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
