//! Dense layers over the rows of a batch, forwards and backwards: matrix products, by faer on one thread.
//!
//! Matrices are plain numbers, row by row. A layer of m inputs and n units turns X (rows × m) into Y = X·W + b. If G (rows × n) is the
//! gradient of the loss to Y, the gradients to W, b and X are Xᵀ·G, the sums of the columns of G, and G·Wᵀ.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use tilewright_engine::evaluator::network::Dense;

/// The outputs of a layer, by row.
pub fn outputs(layer: &Dense, inputs: &[f32]) -> Vec<f32> {
    let (from, to) = sizes(layer);
    let mut outputs = layer.bias.repeat(inputs.len() / from);
    add_product(&mut outputs, matrix(inputs, from), matrix(&layer.weights, to));
    outputs
}

/// The gradient of a layer, given its inputs and the gradient of its outputs.
pub fn gradient(layer: &Dense, inputs: &[f32], of_outputs: &[f32]) -> Dense {
    let (from, to) = sizes(layer);
    let (mut weights, mut bias) = (vec![0.0; from * to], vec![0.0; to]);
    add_product(&mut weights, matrix(inputs, from).transpose(), matrix(of_outputs, to));
    for row in of_outputs.chunks_exact(to) {
        bias.iter_mut().zip(row).for_each(|(sum, slope)| *sum += slope);
    }
    Dense { weights, bias }
}

/// The gradient of the inputs of a layer, given that of its outputs.
pub fn gradient_of_inputs(layer: &Dense, of_outputs: &[f32]) -> Vec<f32> {
    let (from, to) = sizes(layer);
    let mut of_inputs = vec![0.0; of_outputs.len() / to * from];
    add_product(&mut of_inputs, matrix(of_outputs, to), matrix(&layer.weights, to).transpose());
    of_inputs
}

/// The numbers of inputs and of units.
fn sizes(layer: &Dense) -> (usize, usize) {
    (layer.weights.len() / layer.bias.len(), layer.bias.len())
}

fn matrix(values: &[f32], columns: usize) -> MatRef<'_, f32> {
    MatRef::from_row_major_slice(values, values.len() / columns, columns)
}

fn add_product(sum: &mut [f32], left: MatRef<'_, f32>, right: MatRef<'_, f32>) {
    let sum = MatMut::from_row_major_slice_mut(sum, left.nrows(), right.ncols());
    // One thread: a sum split among threads would depend on their number.
    matmul(sum, Accum::Add, left, right, 1.0, Par::Seq);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In whole numbers, which floating point adds exactly.
    #[test]
    fn products_are_those_of_plain_loops() {
        for (rows, from, to) in [(1, 1, 1), (5, 3, 4), (40, 17, 1), (33, 1, 9), (64, 130, 33)] {
            let drawn = |length: usize, salt: usize| -> Vec<f32> {
                (0..length).map(|at| ((at * 7919 + salt * 31) % 23) as f32 - 11.0).collect()
            };
            let layer = Dense { weights: drawn(from * to, 1), bias: drawn(to, 2) };
            let (inputs, slopes) = (drawn(rows * from, 3), drawn(rows * to, 4));
            let sums = |count: usize, others: [usize; 2], term: &dyn Fn(usize, [usize; 2]) -> f32| -> Vec<f32> {
                let places = (0..others[0]).flat_map(|one| (0..others[1]).map(move |two| [one, two]));
                places.map(|place| (0..count).map(|at| term(at, place)).sum()).collect()
            };
            let expected = sums(from, [rows, to], &|input, [row, unit]| {
                let once = if input == 0 { layer.bias[unit] } else { 0.0 };
                once + inputs[row * from + input] * layer.weights[input * to + unit]
            });
            assert_eq!(outputs(&layer, &inputs), expected);
            let weights = sums(rows, [from, to], &|row, [input, unit]| inputs[row * from + input] * slopes[row * to + unit]);
            let bias = sums(rows, [1, to], &|row, [_, unit]| slopes[row * to + unit]);
            assert_eq!(gradient(&layer, &inputs, &slopes), Dense { weights, bias });
            let of_inputs =
                sums(to, [rows, from], &|unit, [row, input]| slopes[row * to + unit] * layer.weights[input * to + unit]);
            assert_eq!(gradient_of_inputs(&layer, &slopes), of_inputs);
        }
    }
}
