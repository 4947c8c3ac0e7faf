//! The difference between two leave tables, weighted by how much it matters in play.

use serde::Serialize;
use tilewright_engine::{LeaveTable, Rack, TileSet};

/// Two tables compared leave by leave. The weight of a leave is how often a random full rack contains it, on average.
#[derive(Clone, Debug)]
pub struct Difference {
    /// One row per length, and at the end one for all lengths together.
    pub by_length: Vec<LengthDifference>,
    weights: Vec<f64>,
    /// The share of each leave in the weighted sum of squared differences, beyond the squared errors of its values.
    matter: Vec<f64>,
    are_equal: bool,
}

/// The comparison of the leaves of one length.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LengthDifference {
    /// Tiles per leave, or `None` for all lengths together.
    pub tiles: Option<usize>,
    /// The number of leaves.
    pub leaves: usize,
    /// Weighted correlation of the two values, or 0 if one does not vary.
    pub correlation: f64,
    /// Weighted mean of A less B, points.
    pub mean: f64,
    /// Weighted mean of the absolute difference, points.
    pub mean_absolute: f64,
    /// Root of the weighted mean squared difference, points.
    pub root_mean_square: f64,
}

impl Difference {
    /// Compares two tables of the same tile set. `error` is the standard error of a difference by the number of its leave,
    /// in points, or 0 if the tables have no errors.
    pub fn between(a: &LeaveTable, b: &LeaveTable, tileset: &TileSet, error: impl Fn(usize) -> f64) -> Difference {
        let ranking = a.ranking();
        let weights: Vec<f64> = (0..ranking.len()).map(|index| expected_count(&ranking.unrank(index), tileset)).collect();
        let squares = a.values().iter().zip(b.values()).map(|(&a, &b)| (a - b).points().powi(2));
        let beyond = |((index, square), weight): ((usize, f64), &f64)| weight * (square - error(index).powi(2)).max(0.0);
        let matter = squares.enumerate().zip(&weights).map(beyond).collect();
        let row = |tiles: Option<usize>| {
            let range = tiles.map_or(1..ranking.len(), |tiles| ranking.indices_of_size(tiles));
            compare(tiles, range, a, b, &weights)
        };
        let lengths = (1..=ranking.max_size()).map(Some).chain([None]);
        Difference { by_length: lengths.map(row).collect(), weights, matter, are_equal: a.values() == b.values() }
    }

    /// The weight of a leave by its number: the expected number of times that a random full rack contains it.
    pub fn weight(&self, index: usize) -> f64 {
        self.weights[index]
    }

    /// Whether the tables are equal.
    pub fn is_none(&self) -> bool {
        self.are_equal
    }

    /// The leaves whose differences matter most in play: by the squared difference beyond its error, times the weight.
    /// Leaves without such a difference are left out.
    pub fn largest(&self, many: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (1..self.matter.len()).filter(|&index| self.matter[index] > 0.0).collect();
        order.sort_by(|&x, &y| self.matter[y].total_cmp(&self.matter[x]).then(x.cmp(&y)));
        order.truncate(many);
        order
    }
}

fn compare(
    tiles: Option<usize>,
    range: std::ops::Range<usize>,
    a: &LeaveTable,
    b: &LeaveTable,
    weights: &[f64],
) -> LengthDifference {
    let leaves = range.len();
    let pairs: Vec<(f64, f64, f64)> =
        range.map(|index| (weights[index], a.values()[index].points(), b.values()[index].points())).collect();
    let total: f64 = pairs.iter().map(|(weight, ..)| weight).sum();
    let mean =
        |value: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|&(weight, a, b)| weight * value(a, b)).sum::<f64>() / total;
    let (mean_a, mean_b) = (mean(&|a, _| a), mean(&|_, b| b));
    let covariance = mean(&|a, b| (a - mean_a) * (b - mean_b));
    let deviations = (mean(&|a, _| (a - mean_a).powi(2)) * mean(&|_, b| (b - mean_b).powi(2))).sqrt();
    LengthDifference {
        tiles,
        leaves,
        correlation: if deviations > 0.0 { covariance / deviations } else { 0.0 },
        mean: mean_a - mean_b,
        mean_absolute: mean(&|a, b| (a - b).abs()),
        root_mean_square: mean(&|a, b| (a - b).powi(2)).sqrt(),
    }
}

/// The expected number of times that a random full rack contains a leave: the probability that a random rack of the leave's
/// size is the leave, times the ways to choose that many tiles from a full rack.
pub fn expected_count(leave: &Rack, tileset: &TileSet) -> f64 {
    let choose = |from: usize, many: usize| (0..many).map(|step| (from - step) as f64 / (step + 1) as f64).product::<f64>();
    let ways: f64 =
        leave.kinds().map(|(kind, count)| choose(tileset.kinds()[kind as usize].count as usize, count as usize)).product();
    let rack_size = tileset.rules().rack_size;
    ways * choose(rack_size, leave.size()) / choose(tileset.total_tiles(), leave.size())
}

#[cfg(test)]
mod tests {
    use tilewright_engine::equity::Equity;

    use super::*;

    #[test]
    fn a_shifted_table_correlates_fully_and_differs_by_the_shift() {
        let english = TileSet::embedded("english").unwrap();
        let mut a = LeaveTable::zero(&english);
        let mut b = a.clone();
        for index in 1..a.values().len() {
            let value = Equity((index * 7919 % 20_011) as i32);
            a.set(index, value);
            b.set(index, value + Equity::from_points(2));
        }
        let q = a.ranking().rank(&Rack::parse("Q", &english).unwrap());
        b.set(q, a.values()[q] + Equity::from_points(50));
        let difference = Difference::between(&a, &b, &english, |_| 0.0);
        assert_eq!((difference.by_length.len(), difference.largest(1)), (7, vec![q]));
        let pairs = &difference.by_length[1];
        assert_eq!((pairs.tiles, pairs.leaves), (Some(2), 373));
        // B is higher.
        assert!((pairs.mean + 2.0).abs() < 1e-9);
        assert!((pairs.correlation - 1.0).abs() < 1e-9 && (pairs.root_mean_square - 2.0).abs() < 1e-9);
        assert!(!difference.is_none() && difference.largest(usize::MAX).len() == a.values().len() - 1);
        // An error as large as the difference leaves nothing.
        let uncertain = Difference::between(&a, &b, &english, |index| if index == q { 50.0 } else { 0.0 });
        assert!(!uncertain.largest(usize::MAX).contains(&q));
        let same = Difference::between(&a, &a, &english, |_| 0.0);
        assert!(same.is_none() && same.largest(10).is_empty());
        // A full rack of 7 from 100 tiles holds the one Q with probability 7 / 100.
        assert!((difference.weight(q) - 0.07).abs() < 1e-12);
    }
}
