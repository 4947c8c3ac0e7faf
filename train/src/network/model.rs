//! The model under training: dense layers, an output and the heads.

use burn::module::Module;
use burn::nn::Linear;
use burn::tensor::Tensor;
use burn::tensor::activation::relu;
use tilewright_engine::evaluator::network::Dense;

use super::shape::drawn_layers;
use crate::models::{dense, linear};

/// Hidden layers and, on top of the last of them, the outputs: first the network's own, then the heads.
#[derive(Module, Debug)]
pub struct Layers {
    hidden: Vec<Linear>,
    outputs: Vec<Linear>,
}

impl Layers {
    /// Layers from `inputs` through `hidden` to one output and `heads` heads. Outputs are zero, the rest is drawn by seed.
    pub fn new(inputs: usize, hidden: &[usize], heads: usize, seed: u64) -> Layers {
        let mut layers = drawn_layers(inputs, hidden, seed);
        let outputs = vec![layers.split_off(hidden.len()); 1 + heads].concat();
        let [hidden, outputs] = [layers, outputs].map(|layers| layers.into_iter().map(linear).collect());
        Layers { hidden, outputs }
    }

    /// The outputs, each with one value by row of the inputs.
    pub fn forward(&self, inputs: Tensor<2>) -> Vec<Tensor<2>> {
        let activations = self.hidden.iter().fold(inputs, |values, layer| relu(layer.forward(values)));
        self.outputs.iter().map(|layer| layer.forward(activations.clone())).collect()
    }

    /// The layers for plain inference of the output with this number. 0 is the network's own.
    pub fn up_to(&self, output: usize) -> Vec<Dense> {
        self.hidden.iter().chain([&self.outputs[output]]).map(dense).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::Examples;
    use super::super::test_support::{CONFIG, bare, layers, with_run};
    use super::*;
    use crate::linear::dataset::Dataset;
    use crate::linear::run::Regression;
    use crate::models::{device, matrix, numbers};

    /// The loss of an output by plain sums over all sets.
    fn slow(layers: &[Dense], output: usize, data: &Dataset) -> f64 {
        let network = bare(layers.to_vec(), data.columns);
        let label = |row: usize| data.labels(output.checked_sub(1))[row];
        let total: f64 = (0..data.rows()).map(|row| label(row).weight).sum();
        let of_set = |rows: std::ops::Range<usize>| {
            let value =
                |row: usize| f64::from(network.added(&data.row(row).iter().map(|value| value / 3.0).collect::<Vec<f32>>()));
            let mean = rows.clone().map(value).sum::<f64>() / rows.len() as f64;
            rows.map(|row| label(row).weight * (value(row) - mean - label(row).points).powi(2)).sum::<f64>()
        };
        data.sets().map(|(rows, _)| of_set(rows)).sum::<f64>() / total
    }

    /// Sets of different sizes share a batch; the places that are left over count nothing.
    #[test]
    fn losses_are_plain_sums() {
        let heads = "[heads]\nreply = 0.5\nwin = 0.25\n\n[candidates]";
        with_run(&CONFIG.replace("[candidates]", heads), |_, regression| {
            let Regression { training, .. } = regression();
            let layers = layers(training.columns, &[6, 4], 2);
            let mut network = bare(layers.up_to(0), training.columns);
            network.scale.fill(3.0);
            let sizes: Vec<usize> = training.sets().map(|(rows, _)| rows.len()).collect();
            assert!(sizes.iter().any(|&size| size != sizes[0]));
            let examples = Examples::new(&training, &vec![vec![0.0; training.features.len()]; 3]);
            let batch = examples.batch(&(0..examples.sets()).collect::<Vec<_>>(), &network, &device());
            for (number, values) in layers.forward(batch.inputs.clone()).into_iter().enumerate() {
                let found = f64::from(batch.loss(number, values).into_scalar::<f32>());
                let expected = slow(&layers.up_to(number), number, &training);
                assert!((found - expected).abs() < 1e-4 * expected, "{number} {found} {expected}");
            }
        });
    }

    /// The layers under training and plain inference give the same output.
    #[test]
    fn what_is_trained_is_what_plays() {
        let layers = layers(5, &[7, 3], 0);
        let inputs: Vec<f32> = (0..50).map(|at| (at * 37 % 23) as f32 / 7.0 - 1.5).collect();
        let network = bare(layers.up_to(0), 5);
        let outputs = numbers(layers.forward(matrix(inputs.clone(), 5)).remove(0));
        for (row, output) in inputs.chunks(5).zip(outputs) {
            assert!((network.added(row) - output).abs() < 1e-5, "{output}");
            assert!(output != 0.0);
        }
    }
}
