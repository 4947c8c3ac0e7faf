//! The candidates as the loss needs them, in mini-batches of whole sets.

use std::ops::Range;

use tilewright_engine::evaluator::network::NetworkWeights;

use crate::linear::dataset::Dataset;

/// The candidates of a dataset, with the same number of places in every set.
#[derive(Clone)]
pub struct Examples<'a> {
    data: &'a Dataset,
    sets: Vec<Range<usize>>,
    places: usize,
    /// What each output learns: first that of the network, then the heads in the order of the parts.
    labels: Vec<Labels>,
}

/// What an output learns, by row.
#[derive(Clone)]
struct Labels {
    /// The label less what the skip connection says, in points.
    targets: Vec<f32>,
    weights: Vec<f32>,
}

/// The candidates of some sets, with the same number of places in every set.
pub struct Batch {
    /// By place and input.
    pub inputs: Vec<f32>,
    /// The places of a set.
    places: usize,
    /// By place: 1 where there is a candidate, divided by the number of candidates of the set.
    shares: Vec<f32>,
    /// By output.
    labels: Vec<BatchLabels>,
}

/// The labels of a batch for one output, by place.
struct BatchLabels {
    targets: Vec<f32>,
    /// 0 where there is no candidate.
    weights: Vec<f32>,
    total_weight: f64,
}

impl<'a> Examples<'a> {
    /// The examples of a dataset. `added` has what the skip connection adds to the prior by feature: first that of the network, then those
    /// of the heads.
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

    /// The sum of weight times square over what the layers of the network are to learn.
    pub fn squares(&self) -> f64 {
        let rows = self.sets.last().map_or(0, |rows| rows.end);
        let targets = self.labels.iter().take(1).flat_map(|labels| &labels.targets[..rows]);
        let weighed = self.data.targets.iter().zip(targets);
        weighed.map(|(label, &target)| label.weight * f64::from(target) * f64::from(target)).sum()
    }

    /// The batch of the sets with these numbers. `network` standardises the inputs.
    pub fn batch(&self, numbers: &[usize], network: &NetworkWeights) -> Batch {
        let (columns, places) = (network.mean.len(), self.places);
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
            let total_weight = weights.iter().map(|&weight| f64::from(weight)).sum();
            BatchLabels { targets: placed(&labels.targets), weights, total_weight }
        };
        let labels = self.labels.iter().map(labels).collect();
        Batch { inputs, places, shares, labels }
    }
}

impl Batch {
    /// The weighted mean square error of the output with this number, less the mean of each set, and its gradient; `values` are by place.
    pub fn loss(&self, number: usize, values: &[f32]) -> (f64, Vec<f32>) {
        let BatchLabels { targets, weights, total_weight } = &self.labels[number];
        let (mut loss, mut slopes) = (0.0, vec![0.0; values.len()]);
        for (at, slopes) in slopes.chunks_exact_mut(self.places).enumerate() {
            let places = at * self.places..(at + 1) * self.places;
            let shares = &self.shares[places.clone()];
            let mean: f32 = values[places.clone()].iter().zip(shares).map(|(value, share)| value * share).sum();
            for (slope, place) in slopes.iter_mut().zip(places) {
                let error = values[place] - mean - targets[place];
                loss += f64::from(weights[place] * error * error);
                *slope = 2.0 * weights[place] * error / *total_weight as f32;
            }
            let of_mean: f32 = slopes.iter().sum();
            slopes.iter_mut().zip(shares).for_each(|(slope, share)| *slope -= share * of_mean);
        }
        (loss / total_weight, slopes)
    }

    /// The sum of the weights of the network's own labels.
    pub fn total_weight(&self) -> f64 {
        self.labels.first().map_or(0.0, |labels| labels.total_weight)
    }
}
