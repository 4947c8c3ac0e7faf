//! Predictions of networks for candidate sets, by the plain inference that plays.
//!
//! **The prior of a simulation.** The distance of the equities from simulated gains. A simulation that starts from them needs it.
//!
//! In a set of k candidates with labels of d deals, the label of a candidate less the network's prediction, both as
//! differences from the mean of the set, has the variance
//!
//! ```text
//! (1 − 1/k) · (variance of the network's errors + noise of a playout / d)
//! ```
//!
//! and the noise of the deals is known from the labels. Sets of games outside the training give both, stage by stage.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tilewright_engine::evaluator::Prior;
use tilewright_engine::evaluator::network::NetworkWeights;

use crate::linear::dataset::{Dataset, centre};

/// The correction by layers and skip connection for each candidate, centred on its set, in points. It comes on top of score
/// and prior. Sets are divided among the threads.
pub fn predictions(network: &NetworkWeights, data: &Dataset, added: &[f64]) -> Vec<f64> {
    let of_set = |rows: Range<usize>| {
        let mut values: Vec<f64> = rows.map(|row| f64::from(network.added(data.row(row)))).collect();
        centre(&mut values);
        values
    };
    let sets: Vec<_> = data.sets().map(|(rows, _)| rows).collect();
    let values: Vec<Vec<f64>> = sets.into_par_iter().map(of_set).collect();
    let sum = |(skip, value): (f64, f64)| skip + value;
    data.predictions(added).into_iter().zip(values.into_iter().flatten()).map(sum).collect()
}

/// The share of the labels' variance that predictions explain. Labels are targets beyond score and prior, or of a part.
pub fn explained(data: &Dataset, part: Option<usize>, predictions: &[f64]) -> f64 {
    let [mut errors, mut squares, mut weight] = [0.0; 3];
    for (label, prediction) in data.labels(part).iter().zip(predictions) {
        let error = label.points - prediction;
        errors += label.weight * error * error;
        squares += label.weight * label.points * label.points;
        weight += label.weight;
    }
    1.0 - errors / weight / f64::max(squares / weight, 1e-9)
}

/// The share of the labels' variance that is signal. The rest is noise of the deals.
pub fn signal(data: &Dataset, part: Option<usize>) -> f64 {
    let (mut noises, mut squares) = (0.0, 0.0);
    for label in data.labels(part) {
        noises += label.weight * label.noise;
        squares += label.weight * label.points.powi(2);
    }
    1.0 - noises / f64::max(squares, 1e-9)
}

/// The stages, by the most tiles in the bag. The last one has all that come after the others.
const STAGES: [usize; 4] = [10, 30, 60, 1000];
/// The fewest sets that give the errors of a stage.
const FEWEST_SETS: f64 = 50.0;
/// The least variance, in points². Smaller errors of a network cannot be told from this.
const LEAST: f64 = 0.1;

/// The errors by stage on sets with labels of `deals` deals. `predictions` are the network's, beyond score and prior.
/// `full_bag` is the number of tiles in the bag when a game begins. A stage with few sets is left out.
pub fn by_stage(data: &Dataset, predictions: &[f64], deals: u64, full_bag: usize) -> Vec<Prior> {
    let errors = |row: usize| {
        let label = data.targets[row];
        (label.points - predictions[row], label.noise)
    };
    let sets = data.sets().map(|(rows, share)| ((share * full_bag as f64).round() as usize, rows.map(errors).collect()));
    of_sets(sets, deals)
}

/// The errors by stage, from the tiles in the bag of each set and, for each candidate, the error and the variance of its label.
fn of_sets(sets: impl Iterator<Item = (usize, Vec<(f64, f64)>)>, deals: u64) -> Vec<Prior> {
    // By stage: the sets, and the sums of their mean squared errors and of their mean noises.
    let mut sums = [[0.0; 3]; STAGES.len()];
    for (bag, candidates) in sets.filter(|(_, candidates)| candidates.len() > 1) {
        let stage = STAGES.iter().position(|&most| bag <= most).unwrap_or(STAGES.len() - 1);
        let freedom = candidates.len() as f64 - 1.0;
        let squares: f64 = candidates.iter().map(|(error, _)| error * error).sum();
        let noises: f64 = candidates.iter().map(|(_, noise)| noise).sum();
        sums[stage].iter_mut().zip([1.0, squares / freedom, noises / freedom]).for_each(|(sum, part)| *sum += part);
    }
    let stages = STAGES.into_iter().zip(sums).filter(|(_, [sets, ..])| *sets >= FEWEST_SETS);
    let prior = |(bag, [sets, squares, noises]): (usize, [f64; 3])| {
        let (variance, noise) = ((squares - noises) / sets, noises * deals as f64 / sets);
        Prior { bag, variance: variance.max(LEAST), noise: noise.max(LEAST) }
    };
    stages.map(prior).collect()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::candidates::Label;

    #[test]
    fn planted_errors_and_noise_are_found() {
        // Errors of variance 6 and 12, noise of variance 100 and 400, in sets of six candidates on eight deals.
        let mut draws = tilewright_engine::rng::stream(1, "test", 0);
        let mut normal = |variance: f64| {
            let sum: f64 = (0..12).map(|_| draws.random::<f64>()).sum();
            variance.sqrt() * (sum - 6.0)
        };
        let mut set = |bag: usize, variance: f64, noise: f64| {
            let errors: Vec<f64> = (0..6).map(|_| normal(variance)).collect();
            let deal = |_| {
                let luck = normal(900.0);
                errors.iter().map(|error| (1e3 * (error + luck + normal(noise))) as i64).collect()
            };
            let deals: Vec<Vec<i64>> = (0..8).map(deal).collect();
            let (labels, _) = Label::of_deals(&deals, 6, |&result| result);
            // The network says nothing, so all that the labels say is error.
            (bag, labels.iter().map(|label| (label.mean(8) / 1e3, label.variance(8) / 1e6)).collect())
        };
        let mut sets: Vec<(usize, Vec<(f64, f64)>)> = (0..4000).map(|_| set(70, 6.0, 100.0)).collect();
        sets.extend((0..4000).map(|_| set(10, 12.0, 400.0)));
        sets.extend((0..3).map(|_| set(25, 12.0, 400.0)));
        let [late, early] = of_sets(sets.into_iter(), 8)[..] else { panic!("two stages have enough sets") };
        assert_eq!((late.bag, early.bag), (10, STAGES[3]));
        for (found, planted) in [(late.variance, 12.0), (late.noise, 400.0), (early.variance, 6.0), (early.noise, 100.0)] {
            assert!((found / planted - 1.0).abs() < 0.08, "{found} {planted}");
        }
    }
}
