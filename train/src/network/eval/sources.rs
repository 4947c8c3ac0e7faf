//! Which part of the future a network foresees.
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

use crate::candidates::Target;
use crate::linear::dataset::Dataset;
use crate::linear::report::{STAGES, stage_of};

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
    use super::*;

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
