//! What networks say of candidate sets, by the plain inference that plays.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::features::board_patches::PatchBoard;

use crate::linear::dataset::{Dataset, centre};

/// What the layers add to score and prior for each candidate, centred on its set, with the skip connection, in points. Sets are divided
/// among the threads.
pub fn predictions(network: &NetworkWeights, data: &Dataset, added: &[f64]) -> Vec<f64> {
    let of_set = |(number, rows)| {
        let rows = rows_of_set(network, data, number, rows);
        let mut values: Vec<f64> = rows.iter().map(|row| f64::from(network.added(row))).collect();
        centre(&mut values);
        values
    };
    let sets: Vec<_> = data.sets().map(|(rows, _)| rows).enumerate().collect();
    let values: Vec<Vec<f64>> = sets.into_par_iter().map(of_set).collect();
    let sum = |(skip, value): (f64, f64)| skip + value;
    data.predictions(added).into_iter().zip(values.into_iter().flatten()).map(sum).collect()
}

/// The rows of a set with this number: the inputs of its candidates, and behind them the outputs of the board layer.
pub fn rows_of_set(network: &NetworkWeights, data: &Dataset, number: usize, rows: Range<usize>) -> Vec<Vec<f32>> {
    let mut rows: Vec<Vec<f32>> = rows.map(|row| data.row(row).to_vec()).collect();
    if let (Some(layer), Some((contents, moves))) = (&network.board, data.board(number)) {
        layer.append(&mut PatchBoard::new(contents, layer.radius), moves, &mut rows);
    }
    rows
}

/// The share of the labels' variance that predictions explain; of the target beyond score and prior, or of a part.
pub fn explained(data: &Dataset, part: Option<usize>, predictions: &[f64]) -> f64 {
    let [mut errors, mut squares, mut weight] = [0.0; 3];
    for (row, prediction) in predictions.iter().enumerate() {
        let label = data.label(part, row);
        let error = label.points - prediction;
        errors += label.weight * error * error;
        squares += label.weight * label.points * label.points;
        weight += label.weight;
    }
    1.0 - errors / weight / f64::max(squares / weight, 1e-9)
}

/// The share of the labels' variance that is signal; the rest is noise of the deals.
pub fn signal(data: &Dataset, part: Option<usize>) -> f64 {
    let (mut noises, mut squares) = (0.0, 0.0);
    for label in (0..data.rows()).map(|row| data.label(part, row)) {
        noises += label.weight * label.noise;
        squares += label.weight * label.points.powi(2);
    }
    1.0 - noises / f64::max(squares, 1e-9)
}
