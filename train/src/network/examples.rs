//! The candidates as the loss needs them, in mini-batches of whole sets.

use std::ops::Range;

use burn::tensor::{Device, Tensor};
use tilewright_engine::evaluator::network::NetworkWeights;

use crate::linear::dataset::Dataset;
use crate::models::matrix;

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
