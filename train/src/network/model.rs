//! The candidates as the loss needs them, in mini-batches of whole sets, and the layers of the network under training.

use std::ops::Range;

use burn::module::Module;
use burn::nn::Linear;
use burn::tensor::activation::relu;
use burn::tensor::{Device, Tensor};
use tilewright_engine::evaluator::network::{Dense, NetworkWeights};

use super::shape::drawn_layers;
use crate::linear::dataset::Dataset;
use crate::models::{dense, linear, matrix};

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

/// The candidates of a dataset, with the same number of places in every set.
#[derive(Clone)]
pub struct Examples<'a> {
    data: &'a Dataset,
    sets: Vec<Range<usize>>,
    places: usize,
    /// The labels of each output: first of the network, then of the heads in the order of the parts.
    labels: Vec<Labels>,
}

/// The labels of an output, by row.
#[derive(Clone)]
struct Labels {
    /// The label less the prediction of the skip connection, in points.
    targets: Vec<f32>,
    weights: Vec<f32>,
}

/// The candidates of some sets, with the same number of places in every set.
pub struct Batch {
    /// By place and input. The places of the sets follow each other.
    pub inputs: Tensor<2>,
    /// By set and place: 1 where there is a candidate, divided by the number of candidates of the set.
    shares: Tensor<2>,
    /// By output.
    labels: Vec<BatchLabels>,
}

/// The labels of a batch for one output, by set and place.
struct BatchLabels {
    targets: Tensor<2>,
    /// 0 where there is no candidate.
    weights: Tensor<2>,
    total_weight: f32,
}

impl<'a> Examples<'a> {
    /// The examples of a dataset. `added` has the weights of the skip connections less the prior, by feature: first of the
    /// network, then of the heads.
    pub fn new(data: &'a Dataset, added: &[Vec<f64>]) -> Examples<'a> {
        let sets: Vec<_> = data.sets().map(|(rows, _)| rows).collect();
        let places = sets.iter().map(ExactSizeIterator::len).max().unwrap_or(1);
        let labels = |(number, added): (usize, &Vec<f64>)| {
            let labels = data.labels(number.checked_sub(1)).iter();
            let targets = labels.clone().zip(data.predictions(added)).map(|(label, value)| (label.points - value) as f32);
            Labels { targets: targets.collect(), weights: labels.map(|label| label.weight as f32).collect() }
        };
        let labels = added.iter().enumerate().map(labels).collect();
        Examples { data, sets, places, labels }
    }

    /// The first of this many parts of the sets.
    #[must_use]
    pub fn first_of(mut self, parts: usize) -> Examples<'a> {
        self.sets.truncate(self.sets.len().div_ceil(parts));
        self
    }

    /// The number of sets.
    pub fn sets(&self) -> usize {
        self.sets.len()
    }

    /// The weighted sum of the squares of an output's targets.
    pub fn squares(&self, output: usize) -> f64 {
        let rows = self.sets.last().map_or(0, |rows| rows.end);
        let Labels { targets, weights } = &self.labels[output];
        let square = |(target, weight): (&f32, &f32)| f64::from(*weight) * f64::from(*target) * f64::from(*target);
        targets[..rows].iter().zip(weights).map(square).sum()
    }

    /// The batch of the sets with these numbers, on a device. `network` standardises the inputs.
    pub fn batch(&self, numbers: &[usize], network: &NetworkWeights, device: &Device) -> Batch {
        let (columns, places) = (network.mean.len(), self.places);
        let matrix = |values, columns| matrix(values, columns).to_device(device);
        let cells = numbers.len() * places;
        let (mut inputs, mut shares) = (vec![0.0; cells * columns], vec![0.0; cells]);
        for (at, &number) in numbers.iter().enumerate() {
            let rows = self.sets[number].clone();
            shares[at * places..][..rows.len()].fill(1.0 / rows.len() as f32);
            for (cell, row) in (at * places..).zip(rows) {
                let standardised = self.data.row(row).iter().zip(network.mean.iter().zip(&network.scale));
                for (input, (value, (mean, scale))) in inputs[cell * columns..].iter_mut().zip(standardised) {
                    *input = (value - mean) / scale;
                }
            }
        }
        let placed = |values: &[f32]| {
            let mut cells = vec![0.0; cells];
            for (cells, &number) in cells.chunks_mut(places).zip(numbers) {
                let values = &values[self.sets[number].clone()];
                cells[..values.len()].copy_from_slice(values);
            }
            cells
        };
        let labels = |labels: &Labels| {
            let weights = placed(&labels.weights);
            let total_weight = weights.iter().sum();
            BatchLabels { targets: matrix(placed(&labels.targets), places), weights: matrix(weights, places), total_weight }
        };
        let labels = self.labels.iter().map(labels).collect();
        Batch { inputs: matrix(inputs, columns), shares: matrix(shares, places), labels }
    }
}

impl Batch {
    /// The weighted mean square error of the output with this number, less the mean of each set. `values` are by place.
    pub fn loss(&self, number: usize, values: Tensor<2>) -> Tensor<1> {
        let BatchLabels { targets, weights, total_weight } = &self.labels[number];
        let values = values.reshape(self.shares.dims());
        let means = (values.clone() * self.shares.clone()).sum_dim(1);
        let errors = values - means - targets.clone();
        (errors.square() * weights.clone()).sum() / *total_weight
    }

    /// The sum of the weights of the network's own labels.
    pub fn total_weight(&self) -> f64 {
        self.labels.first().map_or(0.0, |labels| labels.total_weight.into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::Examples;
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
