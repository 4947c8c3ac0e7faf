//! Ridge regression with a strength per group of features.

use faer::linalg::solvers::{LltError, Solve};
use faer::{Mat, Side};
use tilewright_engine::features::Feature;

use super::dataset::Dataset;

/// The groups of features that share a strength.
pub const GROUPS: [&str; 3] = ["leave table", "leave", "placement"];
/// The strengths to choose from, in points per standard deviation of a feature.
const STRENGTHS: [f64; 7] = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];
/// Rounds of choosing the strength of one group after the other.
const ROUNDS: usize = 3;

/// The group of a feature, as an index of [`GROUPS`].
pub fn group(feature: Feature) -> usize {
    match feature {
        feature if feature.needs_leaves() => 0,
        Feature::Score | Feature::Position(_) | Feature::Leave(_) => 1,
        Feature::Placed(_) => 2,
    }
}

/// The sums of a weighted regression: X′WX, X′Wr and r′Wr.
pub struct NormalEquations {
    gram: Mat<f64>,
    right: Vec<f64>,
    total: f64,
}

impl NormalEquations {
    /// Sums over a dataset, each candidate with weight 1 / (τ² + the variance of its label); `effect` is τ².
    pub fn from_dataset(data: &Dataset, effect: f64) -> NormalEquations {
        let columns = data.features().len();
        let mut sums = NormalEquations { gram: Mat::zeros(columns, columns), right: vec![0.0; columns], total: 0.0 };
        for row in 0..data.rows() {
            let (weight, residual) = (1.0 / (effect + data.noises[row]), data.residuals[row]);
            let values = data.row(row);
            sums.total += weight * residual * residual;
            for (one, &value) in values.iter().enumerate() {
                let weighted = weight * f64::from(value);
                sums.right[one] += weighted * residual;
                for (other, &value) in values[..=one].iter().enumerate() {
                    sums.gram[(one, other)] += weighted * f64::from(value);
                }
            }
        }
        for one in 0..columns {
            for other in 0..one {
                sums.gram[(other, one)] = sums.gram[(one, other)];
            }
        }
        sums
    }

    /// The solution with these strengths, by group, in points per unit of each feature; `scales` are the standard deviations of the
    /// features.
    ///
    /// # Errors
    /// [`LltError`] if the equations have no stable solution.
    pub fn solve(&self, features: &[Feature], scales: &[f64], strengths: [f64; 3]) -> Result<Vec<f64>, LltError> {
        let mut matrix = self.gram.clone();
        for (column, (&feature, scale)) in features.iter().zip(scales).enumerate() {
            matrix[(column, column)] += (scale.max(1e-9) / strengths[group(feature)]).powi(2);
        }
        let right = Mat::from_fn(features.len(), 1, |column, _| self.right[column]);
        Ok(matrix.llt(Side::Lower)?.solve(right).col(0).iter().copied().collect())
    }

    /// The weighted sum of squared errors that weights leave.
    pub fn error(&self, weights: &[f64]) -> f64 {
        let mut error = self.total;
        for (one, weight) in weights.iter().enumerate() {
            let row: f64 = weights.iter().enumerate().map(|(other, value)| self.gram[(one, other)] * value).sum();
            error += weight * (row - 2.0 * self.right[one]);
        }
        error
    }
}

/// The weights β of the training data with the strengths that leave the least error on the held-out data, and these strengths.
///
/// # Errors
/// [`LltError`] if the equations have no stable solution.
pub fn fit(training: &Dataset, held_out: &NormalEquations, effect: f64) -> Result<(Vec<f64>, [f64; 3]), LltError> {
    let sums = NormalEquations::from_dataset(training, effect);
    let scales = scales(training);
    let mut strengths = [1.0; 3];
    let mut best = sums.solve(training.features(), &scales, strengths)?;
    let mut least = held_out.error(&best);
    for group in (0..ROUNDS).flat_map(|_| 0..GROUPS.len()) {
        for strength in STRENGTHS {
            let mut tried = strengths;
            tried[group] = strength;
            let weights = sums.solve(training.features(), &scales, tried)?;
            let error = held_out.error(&weights);
            if error < least {
                (best, least, strengths) = (weights, error, tried);
            }
        }
    }
    Ok((best, strengths))
}

/// The standard deviation of each centred feature.
fn scales(data: &Dataset) -> Vec<f64> {
    let mut squares = vec![0.0; data.features().len()];
    for row in 0..data.rows() {
        squares.iter_mut().zip(data.row(row)).for_each(|(sum, &value)| *sum += f64::from(value).powi(2));
    }
    squares.into_iter().map(|sum| (sum / data.rows().max(1) as f64).sqrt()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_that_of_a_plain_sum() {
        let (rows, columns) = (50, 3);
        let value = |row: usize, column: usize| ((row * 7919 + column * 104_729) % 101) as f64 / 50.0 - 1.0;
        let target = |row: usize| 2.0 * value(row, 0) - value(row, 2) + 0.1 * value(row, 5);
        let mut sums = NormalEquations { gram: Mat::zeros(columns, columns), right: vec![0.0; columns], total: 0.0 };
        for row in 0..rows {
            sums.total += target(row).powi(2);
            for one in 0..columns {
                sums.right[one] += value(row, one) * target(row);
                (0..columns).for_each(|other| sums.gram[(one, other)] += value(row, one) * value(row, other));
            }
        }
        let weights = [1.5, 0.5, -1.0];
        let error = |row: usize| target(row) - (0..columns).map(|at| weights[at] * value(row, at)).sum::<f64>();
        let plain: f64 = (0..rows).map(|row| error(row).powi(2)).sum();
        assert!((sums.error(&weights) - plain).abs() < 1e-9);
        let features = [Feature::ALL[5], Feature::ALL[6], Feature::ALL[7]];
        let loose = sums.solve(&features, &[1.0; 3], [1e6; 3]).unwrap();
        assert!((loose[0] - 2.0).abs() < 0.1 && loose[1].abs() < 0.1 && (loose[2] + 1.0).abs() < 0.1, "{loose:?}");
        assert!(sums.solve(&features, &[1.0; 3], [1e-6; 3]).unwrap().iter().all(|weight| weight.abs() < 1e-6));
        assert!(sums.error(&loose) < plain);
    }
}
