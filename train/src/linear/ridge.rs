//! Ridge regression with a strength per group of features.

use faer::linalg::solvers::{LltError, Solve};
use faer::{Mat, Scale, Side};
use tilewright_engine::features::Feature;

use super::dataset::Dataset;

/// The groups of features that share a strength.
pub const GROUPS: [&str; 3] = ["leave table", "leave", "placement"];
/// The strengths to choose from, in points for a feature of its size.
const STRENGTHS: [f64; 7] = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];
/// Differences from the mean of a set that are at most this share of it are errors of rounding: inputs have 24 bits.
const ROUNDING: f64 = 1e-10;
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
    /// The size of each feature: the root of the mean of weight · x², with x centred.
    scales: Vec<f64>,
}

impl NormalEquations {
    /// Sums over the labels of a dataset: its targets, or the labels of a part. Weights are divided by their mean and by the
    /// labels' mean square. Weights by the noise of each label would favour candidates whose few deals happened to agree.
    pub fn from_dataset(data: &Dataset, part: Option<usize>) -> NormalEquations {
        let columns = data.features.len();
        let mut sums = NormalEquations::empty(columns);
        for (rows, _) in data.sets() {
            let means = data.means(rows.clone());
            for row in rows {
                let centred = |(&value, &mean): (&f32, &f64)| {
                    let difference = f64::from(value) - mean;
                    // A feature that the moves of a turn share must not be weighed by its rounding errors.
                    if difference.abs() <= ROUNDING * mean.abs() { 0.0 } else { difference }
                };
                let values: Vec<f64> = data.row(row).iter().zip(&means).map(centred).collect();
                let label = data.labels(part)[row];
                sums.add(&values, label.points, label.weight);
            }
        }
        let rows = data.rows() as f64;
        sums.scales = (0..columns).map(|column| (sums.gram[(column, column)] / rows.max(1.0)).sqrt()).collect();
        let weight = rows / sums.total.max(1e-9);
        sums.gram *= Scale(weight);
        sums.right.iter_mut().for_each(|sum| *sum *= weight);
        sums.total *= weight;
        for one in 0..columns {
            for other in 0..one {
                sums.gram[(other, one)] = sums.gram[(one, other)];
            }
        }
        sums
    }

    fn empty(columns: usize) -> NormalEquations {
        let (gram, right) = (Mat::zeros(columns, columns), vec![0.0; columns]);
        NormalEquations { gram, right, total: 0.0, scales: vec![1.0; columns] }
    }

    /// Adds a row to the sums, with only the lower half of X′WX.
    fn add(&mut self, values: &[f64], residual: f64, weight: f64) {
        self.total += weight * residual * residual;
        for (one, &value) in values.iter().enumerate() {
            let weighted = weight * value;
            self.right[one] += weighted * residual;
            for (other, &second) in values[..=one].iter().enumerate() {
                self.gram[(one, other)] += weighted * second;
            }
        }
    }

    /// The solution with these strengths, by group, in points per unit of each feature.
    ///
    /// # Errors
    /// [`LltError`] if the equations have no stable solution.
    pub fn solve(&self, features: &[Feature], strengths: [f64; 3]) -> Result<Vec<f64>, LltError> {
        let mut matrix = self.gram.clone();
        for (column, (&feature, scale)) in features.iter().zip(&self.scales).enumerate() {
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

/// The weights β of the training data with the strengths that leave the least error on the validation data, and these strengths. They
/// explain the target, or the part with this number in [`Dataset::parts`].
///
/// # Errors
/// [`LltError`] if the equations have no stable solution.
pub fn fit(training: &Dataset, validation: &Dataset, part: Option<usize>) -> Result<(Vec<f64>, [f64; 3]), LltError> {
    let [sums, validation] = [training, validation].map(|data| NormalEquations::from_dataset(data, part));
    let mut strengths = [1.0; 3];
    let mut best = sums.solve(&training.features, strengths)?;
    let mut least = validation.error(&best);
    for group in (0..ROUNDS).flat_map(|_| 0..GROUPS.len()) {
        for strength in STRENGTHS {
            let mut tried = strengths;
            tried[group] = strength;
            let weights = sums.solve(&training.features, tried)?;
            let error = validation.error(&weights);
            if error < least {
                (best, least, strengths) = (weights, error, tried);
            }
        }
    }
    Ok((best, strengths))
}

#[cfg(test)]
mod tests {
    use tilewright_engine::features::Inputs;
    use tilewright_engine::moves::Move;
    use tilewright_engine::setup::Setup;
    use tilewright_engine::win_percentage::WinPercentage;

    use super::*;
    use crate::candidates::{TargetConfig, Targets, test_support::labelled_sets};

    /// Labels that are linear in the features give their weights back.
    #[test]
    fn planted_weights_are_found() {
        let setup = Setup::embedded("english").unwrap();
        let mut sets = labelled_sets(&setup);
        let table = WinPercentage::for_setup(&setup).0;
        let names = ["tiles_played", "vowel_imbalance", "blanks_kept", "triple_words_opened", "reply_30"];
        let features = names.map(|name| serde_json::from_value::<Feature>(name.into()).unwrap());
        let inputs = Inputs::new(&features, &[], &setup, None).unwrap();
        let planted = [-1.5, 0.25, 12.0, -0.75, -3.0];
        for set in &mut sets {
            let moves: Vec<Move> = set.candidates.iter().map(|candidate| candidate.chosen).collect();
            let values = set.at_turn(&setup, |turn| inputs.values(turn, &moves));
            for (candidate, values) in set.candidates.iter_mut().zip(values) {
                let sum: f64 = values.iter().zip(planted).map(|(&value, weight)| f64::from(value) * weight).sum();
                candidate.gain.sum = (4.0 * 1000.0 * (f64::from(candidate.chosen.score()) + sum)) as i64;
            }
        }
        // Labels are differences from the mean of their set.
        for set in &mut sets {
            let mean = set.candidates.iter().map(|candidate| candidate.gain.sum).sum::<i64>() / set.candidates.len() as i64;
            set.candidates.iter_mut().for_each(|candidate| candidate.gain.sum -= mean);
        }
        let (training, validation) = sets.split_at(sets.len() / 2);
        let [training, validation] = [training, validation].map(|sets| {
            let mut data = Dataset::new(features.to_vec(), inputs.count(), &[]);
            data.append(
                &sets.iter().collect::<Vec<_>>(),
                &inputs,
                &setup,
                Targets { config: TargetConfig::default(), deals: 4, win_percentage: &table },
            );
            data
        });
        let (found, _) = fit(&training, &validation, None).unwrap();
        for (found, planted) in found.iter().zip(planted) {
            assert!((found - planted).abs() < 0.02 * planted.abs(), "{found} {planted}");
        }
    }

    #[test]
    fn the_error_is_that_of_a_plain_sum() {
        let (rows, columns) = (50, 3);
        let value = |row: usize, column: usize| ((row * 7919 + column * 104_729) % 101) as f64 / 50.0 - 1.0;
        let target = |row: usize| 2.0 * value(row, 0) - value(row, 2) + 0.1 * value(row, 5);
        let mut sums = NormalEquations::empty(columns);
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
        let features = [Feature::all()[5], Feature::all()[6], Feature::all()[7]];
        let loose = sums.solve(&features, [1e6; 3]).unwrap();
        assert!((loose[0] - 2.0).abs() < 0.1 && loose[1].abs() < 0.1 && (loose[2] + 1.0).abs() < 0.1, "{loose:?}");
        assert!(sums.solve(&features, [1e-6; 3]).unwrap().iter().all(|weight| weight.abs() < 1e-6));
        assert!(sums.error(&loose) < plain);
    }
}
