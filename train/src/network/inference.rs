//! Predictions of networks for candidate sets, by the plain inference that plays.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
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
