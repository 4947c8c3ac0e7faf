//! Training of the layers in mini-batches of candidate sets.

use burn::optim::{AdamWConfig, GradientsParams};
use burn::tensor::{Device, Tensor};
use rand::RngExt;
use rayon::ThreadPoolBuilder;
use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::rng::stream;

use super::config::NetworkConfig;
use super::layers::{Layers, tensor};
use crate::linear::dataset::{Dataset, centre};

/// The final learning rate as a share of the first.
const LAST_RATE: f64 = 0.01;

/// One pass over the candidate sets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// The mean square error of the training sets during the pass, as a share of that of the skip connection.
    pub error: f64,
    /// The share of the variance of the validation labels beyond score and prior that the network explains after the pass, 0–1.
    pub explained: f64,
}

/// The candidates as the loss needs them, with the same number of places in every set.
struct Examples<'a> {
    data: &'a Dataset,
    sets: Vec<std::ops::Range<usize>>,
    places: usize,
    /// By row: the target less score and skip connection.
    targets: Vec<f32>,
}

/// The tensors of a batch: inputs by place and feature; the others by set and place.
struct Batch {
    inputs: Tensor<2>,
    targets: Tensor<2>,
    /// The weights; 0 where there is no candidate.
    weights: Tensor<2>,
    /// 1 where there is a candidate, divided by the number of candidates of the set.
    shares: Tensor<2>,
    total_weight: f64,
}

impl<'a> Examples<'a> {
    fn new(data: &'a Dataset, added: &[f64]) -> Examples<'a> {
        let sets: Vec<_> = data.sets().map(|(rows, _)| rows).collect();
        let places = sets.iter().map(ExactSizeIterator::len).max().unwrap_or(1);
        let predictions = data.predictions(added);
        let targets = data.residuals.iter().zip(predictions).map(|(residual, value)| (residual - value) as f32).collect();
        Examples { data, sets, places, targets }
    }

    fn batch(&self, numbers: &[usize], network: &NetworkWeights, device: &Device) -> Batch {
        let (columns, places) = (network.mean.len(), self.places);
        let cells = numbers.len() * places;
        let mut inputs = vec![0.0; cells * columns];
        let [mut targets, mut weights, mut shares] = [vec![0.0; cells], vec![0.0; cells], vec![0.0; cells]];
        for (at, &number) in numbers.iter().enumerate() {
            let rows = self.sets[number].clone();
            let share = 1.0 / rows.len() as f32;
            for (cell, row) in (at * places..).zip(rows) {
                let standardised = self.data.row(row).iter().zip(network.mean.iter().zip(&network.scale));
                for (input, (value, (mean, scale))) in inputs[cell * columns..].iter_mut().zip(standardised) {
                    *input = (value - mean) / scale;
                }
                (targets[cell], weights[cell], shares[cell]) = (self.targets[row], self.data.weights[row] as f32, share);
            }
        }
        let total_weight = weights.iter().map(|&weight| f64::from(weight)).sum();
        let [targets, weights, shares] =
            [targets, weights, shares].map(|values| tensor(values, numbers.len(), places, device));
        Batch { inputs: tensor(inputs, cells, columns, device), targets, weights, shares, total_weight }
    }
}

impl Batch {
    /// The weighted mean square error.
    fn loss(&self, layers: &Layers) -> Tensor<1> {
        let [sets, places] = self.targets.dims();
        let output = layers.output(self.inputs.clone()).reshape([sets, places]);
        let mean = (output.clone() * self.shares.clone()).sum_dim(1);
        let errors = output - mean - self.targets.clone();
        (errors.clone() * errors * self.weights.clone()).sum().div_scalar(self.total_weight)
    }
}

/// Trains the layers of `network`, whose other parts are ready, and keeps the epoch that explains most of the validation data. Returns
/// the course; `None` if the monitor stops it.
pub fn train(
    network: &mut NetworkWeights,
    (training, validation): (&Dataset, &Dataset),
    added: &[f64],
    config: &NetworkConfig,
    monitor: &dyn Monitor,
) -> Option<Vec<Epoch>> {
    // One thread: a sum split among threads would depend on their number.
    let alone = ThreadPoolBuilder::new().num_threads(1).build().ok()?;
    alone.install(|| descend(network, (training, validation), added, config, monitor))
}

fn descend(
    network: &mut NetworkWeights,
    (training, validation): (&Dataset, &Dataset),
    added: &[f64],
    config: &NetworkConfig,
    monitor: &dyn Monitor,
) -> Option<Vec<Epoch>> {
    let device = Device::flex().autodiff();
    let examples = Examples::new(training, added);
    let mut layers = Layers::new(network.mean.len(), &config.hidden, config.seed, &device);
    let mut optimizer = AdamWConfig::new().with_weight_decay(config.weight_decay as f32).with_epsilon(1e-8).init();
    let squares = training.mean_square(examples.targets.iter().map(|&target| f64::from(target)));
    let weight: f64 = training.weights.iter().sum();
    let mut order: Vec<usize> = (0..examples.sets.len()).collect();
    let steps = (order.len().div_ceil(config.batch_sets) * config.epochs) as f64;
    let (mut course, mut step) = (Vec::new(), 0.0);
    network.layers = layers.dense();
    let (mut best, mut most) = (network.layers.clone(), explained(network, validation, added));
    for epoch in 0..config.epochs {
        if monitor.is_stopped() {
            return None;
        }
        let mut draws = stream(config.seed, "network batches", epoch as u64);
        for place in (1..order.len()).rev() {
            order.swap(place, draws.random_range(0..=place));
        }
        let mut errors = 0.0;
        for numbers in order.chunks(config.batch_sets) {
            let batch = examples.batch(numbers, network, &device);
            let loss = batch.loss(&layers);
            errors += f64::from(loss.clone().into_scalar::<f32>()) * batch.total_weight;
            let gradients = GradientsParams::from_grads(loss.backward(), &layers);
            let share = LAST_RATE + (1.0 - LAST_RATE) * f64::midpoint(1.0, (std::f64::consts::PI * step / steps).cos());
            layers = optimizer.step(config.learning_rate * share, layers, gradients);
            step += 1.0;
        }
        network.layers = layers.dense();
        let now =
            Epoch { error: errors / f64::max(weight * squares, 1e-9), explained: explained(network, validation, added) };
        if now.explained > most {
            (most, best) = (now.explained, network.layers.clone());
        }
        course.push(now);
        monitor.note(&format!("explains {:.2} % of the variance of the validation games", 100.0 * now.explained));
        monitor.advance(1);
    }
    network.layers = best;
    Some(course)
}

/// What the layers add to score and prior for each candidate, centred on its set, with the skip connection, in points.
pub fn predictions(network: &NetworkWeights, data: &Dataset, added: &[f64]) -> Vec<f64> {
    let mut predictions = data.predictions(added);
    for (rows, _) in data.sets() {
        let value = |row: usize| f64::from(network.added(data.row(row)));
        let mut values: Vec<f64> = rows.clone().map(value).collect();
        centre(&mut values);
        predictions[rows].iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    predictions
}

/// The share of the labels' variance beyond score and prior that the network explains.
fn explained(network: &NetworkWeights, data: &Dataset, added: &[f64]) -> f64 {
    let predictions = predictions(network, data, added);
    let errors = data.residuals.iter().zip(&predictions).map(|(residual, value)| residual - value);
    1.0 - data.mean_square(errors) / data.mean_square(data.residuals.iter().copied()).max(1e-9)
}

#[cfg(test)]
mod tests {
    use tilewright_engine::features::{ExtraInput, Feature, Inputs, LeaveFeature};
    use tilewright_engine::setup::Setup;
    use tilewright_engine::win_percentage::WinPercentage;

    use super::*;
    use crate::candidates::{TargetConfig, Targets, samples::labelled_sets};

    /// Sets of different sizes share a batch; the places that are left over count nothing.
    #[test]
    fn the_loss_is_that_of_a_plain_sum_over_the_candidates() {
        let device = Device::flex();
        let setup = Setup::embedded("english").unwrap();
        let sets = labelled_sets(&setup);
        let table = WinPercentage::for_setup(&setup).0;
        let inputs = Inputs::new(
            &[Feature::Leave(LeaveFeature::TilesPlayed)],
            &[ExtraInput::Score, ExtraInput::LeaveTiles],
            &setup,
            None,
        )
        .unwrap();
        let mut data = Dataset::new(vec![Feature::Leave(LeaveFeature::TilesPlayed)], inputs.count());
        data.append(
            &sets.iter().collect::<Vec<_>>(),
            &inputs,
            &setup,
            Targets {
                config: TargetConfig { win_probability: 0.5, ..TargetConfig::default() },
                deals: 4,
                win_percentage: &table,
            },
        );
        assert!(sets.iter().any(|set| set.candidates.len() != sets[0].candidates.len()));
        let mut layers = Layers::new(inputs.count(), &[6], 4, &device);
        layers.replace_last(&Layers::new(6, &[1, 1], 9, &device));
        let mut network = super::super::run::bare(layers.dense(), inputs.count());
        network.scale.fill(3.0);
        let added = [0.7];
        let examples = Examples::new(&data, &added);
        let numbers: Vec<usize> = (0..sets.len()).collect();
        let loss: f32 = examples.batch(&numbers, &network, &device).loss(&layers).into_scalar();
        let (mut sum, mut weight) = (0.0, 0.0);
        for (row, value) in predictions(&network, &data, &added).into_iter().enumerate() {
            sum += data.weights[row] * (value - data.residuals[row]).powi(2);
            weight += data.weights[row];
        }
        let plain = sum / weight;
        assert!((f64::from(loss) - plain).abs() < 1e-3 * plain, "{loss} {plain}");
    }

    /// Tensors and plain inference give the same output.
    #[test]
    fn what_is_trained_is_what_plays() {
        let device = Device::flex();
        let mut layers = Layers::new(5, &[7, 3], 4, &device);
        // The last layer is zero at the start; give it the values of another one.
        let other = Layers::new(3, &[1, 1], 9, &device);
        layers.replace_last(&other);
        let inputs: Vec<f32> = (0..50).map(|at| (at * 37 % 23) as f32 / 7.0 - 1.5).collect();
        let output: Vec<f32> = layers.output(tensor(inputs.clone(), 10, 5, &device)).into_data().iter::<f32>().collect();
        let network = super::super::run::bare(layers.dense(), 5);
        for (row, output) in inputs.chunks(5).zip(output) {
            assert!((network.added(row) - output).abs() < 1e-5, "{output}");
            assert!(output != 0.0);
        }
    }
}
