//! The calibration of a network: simulated gains by predicted gain.
//!
//! The candidates of a stage are divided into bins of equal size by their prediction. If a point of prediction is a point of
//! gain, the means of a bin agree. The candidates of one set share their deals and their mean, so the interval counts sets,
//! not candidates. With residuals e = gain − mean gain of the bin and n candidates in the bin,
//!
//! ```text
//! variance of the mean = Σ over sets of (Σ over its candidates in the bin of e)² / n²
//! ```
//!
//! **Sources.** Which part of the future a network foresees.
//!
//! A label of a part, such as the points of the opponent's next turn, is a difference from the mean of the set, with noise of known
//! variance. With the correction c, the label y, its noise variance v and the weights w of the candidates,
//!
//! ```text
//! signal      = Σ w·(y² − v) / Σ w·y²
//! correlation = Σ w·c·y / √(Σ w·c² · Σ w·(y² − v))
//! share       = correlation²
//! ```
//!
//! The noise has no correlation with the correction, so only the denominator needs the subtraction. `share` is the share of the signal
//! that a regression on the correction explains. The two parts are not independent of each other, so their shares need not add up to
//! anything. A part that score and prior foresee already, such as the own next turn by the value of the leave, may have a low share.

use serde::{Deserialize, Serialize};
use tilewright_engine::series::Estimate;

use crate::candidates::Target;
use crate::linear::dataset::Dataset;
use crate::linear::run::{STAGES, stage_of};

/// Bins per stage.
const BINS: usize = 10;

/// The bins of a stage, from the lowest prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Calibration {
    /// The stage, or `all`.
    pub stage: String,
    /// The bins.
    pub bins: Vec<Bin>,
}

/// Candidates with similar predictions. Values are differences from the mean of their set, in points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Bin {
    /// Candidates.
    pub candidates: u64,
    /// The mean prediction.
    pub predicted: f64,
    /// The mean target, which mixes gain and win probability as the network learned them.
    pub target: f64,
    /// The mean simulated gain.
    pub simulated: Estimate,
}

/// The calibration by stage, and last of all sets, given the corrections of the network by row.
pub fn calibrate(data: &Dataset, corrections: &[f64]) -> Vec<Calibration> {
    let predicted: Vec<f64> = data.priors.iter().zip(corrections).map(|(prior, correction)| prior + correction).collect();
    let stages = STAGES.iter().enumerate().map(|(number, &(name, _))| (name, Some(number)));
    let one = |(stage, number): (&str, Option<usize>)| {
        let sets = data.sets().enumerate().filter(|(_, (_, bag))| number.is_none_or(|number| stage_of(*bag) == number));
        // Rows with the numbers of their sets.
        let mut rows: Vec<(usize, usize)> = sets.flat_map(|(set, (rows, _))| rows.map(move |row| (row, set))).collect();
        rows.sort_by(|(a, _), (b, _)| predicted[*a].total_cmp(&predicted[*b]).then(a.cmp(b)));
        let of_bin = |number: usize| &rows[number * rows.len() / BINS..(number + 1) * rows.len() / BINS];
        let bins = (0..BINS).map(of_bin).filter(|rows| !rows.is_empty()).map(|rows| Bin::new(data, &predicted, rows));
        Calibration { stage: stage.into(), bins: bins.collect() }
    };
    stages.chain([("all", None)]).map(one).collect()
}

impl Bin {
    /// The bin of some rows, at least one, each with the number of its set.
    fn new(data: &Dataset, predicted: &[f64], rows: &[(usize, usize)]) -> Bin {
        let count = rows.len() as f64;
        let mean = |value: &dyn Fn(usize) -> f64| rows.iter().map(|&(row, _)| value(row)).sum::<f64>() / count;
        let simulated = mean(&|row| data.gains[row]);
        let mut by_set = rows.to_vec();
        by_set.sort_unstable();
        let of_set = |rows: &[(usize, usize)]| rows.iter().map(|&(row, _)| data.gains[row] - simulated).sum::<f64>();
        let squares: f64 = by_set.chunk_by(|(_, a), (_, b)| a == b).map(|rows| of_set(rows).powi(2)).sum();
        Bin {
            candidates: rows.len() as u64,
            predicted: mean(&|row| predicted[row]),
            target: mean(&|row| data.priors[row] + data.targets[row].points),
            simulated: Estimate::normal(simulated, squares.sqrt() / count),
        }
    }
}

/// How the correction of a network goes with one part of the future, in one stage of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Source {
    /// The part: `reply`, the points of the opponent's next turn, or `next_turn`, the points of the player's own.
    pub part: String,
    /// The stage, or `all`.
    pub stage: String,
    /// The share of the variance of the label that is signal. The rest is noise of the deals.
    pub signal: f64,
    /// The correlation of correction and signal, or `None` if one of them is missing. Noise may take it beyond 1.
    pub correlation: Option<f64>,
    /// Its square.
    pub share: Option<f64>,
}

impl Source {
    /// The figures by stage, and last of all sets, of the part with this number in a dataset. Corrections are by row.
    pub fn by_stage(data: &Dataset, number: usize, corrections: &[f64]) -> Vec<Source> {
        let (part, labels) = &data.parts[number];
        let stages = STAGES.iter().enumerate().map(|(number, &(name, _))| (name, Some(number)));
        let one = |(stage, number): (&str, Option<usize>)| {
            let sets = data.sets().filter(|&(_, bag)| number.is_none_or(|number| stage_of(bag) == number));
            Source::new(&part.to_string(), stage, sets.flat_map(|(rows, _)| rows), corrections, labels)
        };
        stages.chain([("all", None)]).map(one).collect()
    }

    fn new(part: &str, stage: &str, rows: impl Iterator<Item = usize>, corrections: &[f64], labels: &[Target]) -> Source {
        let [mut of_corrections, mut of_labels, mut noise, mut of_both] = [0.0; 4];
        for row in rows {
            let (correction, label, weight) = (corrections[row], labels[row], labels[row].weight);
            of_corrections += weight * correction * correction;
            of_labels += weight * label.points * label.points;
            noise += weight * label.noise;
            of_both += weight * correction * label.points;
        }
        let product = of_corrections * (of_labels - noise);
        let correlation = (product > 0.0).then(|| of_both / product.sqrt());
        let signal = 1.0 - noise / f64::max(of_labels, 1e-9);
        Source { part: part.into(), stage: stage.into(), signal, correlation, share: correlation.map(|value| value * value) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    /// Every candidate is in the bin of its rank, and the interval is that of a plain sum over all pairs of one set.
    #[test]
    fn bins_are_those_of_plain_sums() {
        sample(|evaluation, _| {
            let data = &evaluation.data;
            let corrections: Vec<f64> = (0..data.rows()).map(|row| (row * 37 % 11) as f64 - 5.0).collect();
            let calibration = calibrate(data, &corrections);
            let predicted = |row: usize| data.priors[row] + corrections[row];
            let rank = |row: usize| {
                let is_before = |other: &usize| (predicted(*other), *other) < (predicted(row), row);
                (0..data.rows()).filter(is_before).count()
            };
            let all = &calibration[STAGES.len()];
            assert_eq!((all.stage.as_str(), all.bins.len()), ("all", BINS));
            assert!(all.bins.is_sorted_by(|a, b| a.predicted <= b.predicted));
            for (number, bin) in all.bins.iter().enumerate() {
                let bounds = number * data.rows() / BINS..(number + 1) * data.rows() / BINS;
                let rows: Vec<usize> = (0..data.rows()).filter(|&row| bounds.contains(&rank(row))).collect();
                let mean = rows.iter().map(|&row| data.gains[row]).sum::<f64>() / rows.len() as f64;
                let mut variance = 0.0;
                for (set, _) in data.sets() {
                    for (&a, &b) in rows.iter().flat_map(|a| rows.iter().map(move |b| (a, b))) {
                        if set.contains(&a) && set.contains(&b) {
                            variance += (data.gains[a] - mean) * (data.gains[b] - mean) / (rows.len() as f64).powi(2);
                        }
                    }
                }
                assert_eq!(bin.candidates, rows.len() as u64);
                let expected = Estimate::normal(mean, variance.sqrt());
                assert!((bin.simulated.mean - mean).abs() < 1e-9 && (bin.simulated.low - expected.low).abs() < 1e-6);
            }
            let candidates = |stage: &Calibration| stage.bins.iter().map(|bin| bin.candidates).sum::<u64>();
            assert_eq!(calibration[..STAGES.len()].iter().map(candidates).sum::<u64>(), data.rows() as u64);
        });
    }

    #[test]
    fn a_planted_correlation_is_found_through_the_noise() {
        // The signal is −2 · correction + an independent part of the same size; the noise is as large as the signal.
        let rows = 40_000;
        let draw = |row: usize, number: u64| {
            use rand::RngExt;
            tilewright_engine::rng::stream(number, "test", row as u64).random::<f64>() - 0.5
        };
        let corrections: Vec<f64> = (0..rows).map(|row| draw(row, 1)).collect();
        let signal: Vec<f64> = (0..rows).map(|row| -2.0 * corrections[row] + 2.0 * draw(row, 2)).collect();
        let size = f64::sqrt(8.0);
        let label = |row: usize| Target { points: signal[row] + size * draw(row, 3), noise: 8.0 / 12.0, weight: 0.7 };
        let labels: Vec<Target> = (0..rows).map(label).collect();
        let source = Source::new("reply", "all", 0..rows, &corrections, &labels);
        assert!((source.signal - 0.5).abs() < 0.02, "{source:?}");
        assert!((source.correlation.unwrap() + f64::sqrt(0.5)).abs() < 0.02, "{source:?}");
        assert!((source.share.unwrap() - 0.5).abs() < 0.03, "{source:?}");
        let silent = Source::new("reply", "all", 0..rows, &vec![0.0; rows], &labels);
        assert_eq!((silent.correlation, silent.share), (None, None));
    }
}
