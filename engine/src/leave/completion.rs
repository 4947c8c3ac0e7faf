//! Estimates for the leaves that a file does not contain.

use super::{LeaveTable, MAX_POINTS};
use crate::equity::Equity;
use crate::tileset::Tile;

impl LeaveTable {
    /// Estimates the value of every leave from the values of smaller leaves unless `known[number]` is true, and counts the
    /// estimates in [`LeaveTable::estimated`].
    ///
    /// If the value of tile t in leave L does not depend on whether tile u is in it, v(L) = v(L − t) + v(L − u) − v(L − t −
    /// u). The estimate is the mean of the right side over all pairs of tiles. A single tile, which has no pair, stays at 0.
    pub(crate) fn complete(&mut self, known: &[bool]) {
        self.estimated = 0;
        // Numbers rise with the size of the leave, so the values of smaller leaves are ready.
        for (index, _) in known.iter().enumerate().skip(1).filter(|&(_, &known)| !known) {
            self.estimated += 1;
            let kinds: Vec<u8> = self.ranking.unrank(index).tiles().map(Tile::kind).collect();
            let points = estimate(self, &kinds);
            self.values[index] = Equity::from_fractional_points(points.clamp(-MAX_POINTS, MAX_POINTS));
        }
    }
}

/// The estimate for a leave in points. `kinds` are its tiles in ascending order.
fn estimate(table: &LeaveTable, kinds: &[u8]) -> f64 {
    let mut rest = Vec::with_capacity(kinds.len());
    let mut value_without = |first: usize, second: usize| {
        rest.clear();
        rest.extend((0..kinds.len()).filter(|&place| place != first && place != second).map(|place| kinds[place]));
        table.ranking.rank_sorted(&rest).map_or(0.0, |index| table.values[index].points())
    };
    // In the sum over all pairs, each leave without one tile occurs once for every other tile.
    let others = kinds.len() as f64 - 1.0;
    let mut sum = 0.0;
    for first in 0..kinds.len() {
        sum += others * value_without(first, first);
        for second in first + 1..kinds.len() {
            sum -= value_without(first, second);
        }
    }
    let pairs = kinds.len() as f64 * others / 2.0;
    if pairs == 0.0 { 0.0 } else { sum / pairs }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rack::Rack;
    use crate::tileset::TileSet;

    /// A table of additive values with 0 for leaves that `named` rejects; all values; and whether each leave is named.
    fn additive(named: impl Fn(usize, &Rack) -> bool) -> (LeaveTable, Vec<Equity>, Vec<bool>) {
        let mut table = LeaveTable::zero(&TileSet::embedded("english").unwrap());
        let leaves: Vec<Rack> = (0..table.ranking.len()).map(|index| table.ranking.unrank(index)).collect();
        let value = |leave: &Rack| leave.tiles().map(|tile| i32::from(tile.kind()) * 700 - 9000).sum::<i32>();
        let values: Vec<Equity> = leaves.iter().map(|leave| Equity(value(leave))).collect();
        let named: Vec<bool> = leaves.iter().enumerate().map(|(index, leave)| named(index, leave)).collect();
        for index in 0..values.len() {
            table.values[index] = if named[index] { values[index] } else { Equity::ZERO };
        }
        (table, values, named)
    }

    #[test]
    fn additive_values_are_found_from_the_single_tiles() {
        let (mut table, values, named) = additive(|_, leave| leave.size() <= 1);
        table.complete(&named);
        assert_eq!((table.estimated(), &table.values), (914_624 - 27, &values));
    }

    #[test]
    fn named_leaves_keep_their_values_and_determine_larger_ones() {
        let (mut table, values, mut named) = additive(|index, leave| leave.size() <= 2 || index % 3 == 0);
        let [pair, triple] = ["EE", "EEE"]
            .map(|text| table.ranking.rank(&Rack::parse(text, &TileSet::embedded("english").unwrap()).unwrap()));
        table.values[pair] = Equity(values[pair].0 - 4000);
        named[triple] = false;
        table.complete(&named);
        assert_eq!(table.values[pair], Equity(values[pair].0 - 4000));
        // EE is 4 points below the sum of its tiles, and the estimate of EEE is 2 · EE − E.
        assert_eq!(table.values[triple], Equity(values[triple].0 - 8000));
        assert!((0..values.len()).all(|index| !named[index] || index == pair || table.values[index] == values[index]));
    }

    #[test]
    fn wild_values_stay_within_bounds() {
        let mut table = LeaveTable::zero(&TileSet::embedded("english").unwrap());
        let mut named = vec![false; table.ranking.len()];
        for (index, named) in named.iter_mut().enumerate().take(400) {
            table.set(index, Equity(if index % 2 == 0 { 100_000_000 } else { -100_000_000 }));
            *named = true;
        }
        table.complete(&named);
        assert!(table.values.iter().all(|value| value.points().abs() <= MAX_POINTS));
    }
}
