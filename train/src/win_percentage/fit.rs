//! Fits the network to the tallies with full batches, so that a fit depends on tallies, config and seed only.

use burn_tensor::activation::{sigmoid, softmax};
use burn_tensor::{Device, Gradients, Tensor};
use rand::RngExt;
use rayon::ThreadPoolBuilder;
use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::network::Dense;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::rng::stream;
use tilewright_engine::win_percentage::States;

use super::drift::drifts;
use super::network::{Layer, Network, Shape, features, is_even, sigma};
use super::swings::{StateTally, SwingTally};
use crate::adam::Adam;
use crate::affine::{Affine, tensor};

/// The grid of leads of a state: this many on either side of even, and this many per σ where that is coarser than points.
const LEADS_EITHER_WAY: i32 = 100;
const LEADS_TO_SIGMA: f64 = 16.0;
/// The share of the loss that weighs leads by how often they occur; the rest weighs all leads equally, as Maven does.
const SHARE_OF_GAMES: f64 = 0.75;
/// Probabilities are clamped to this distance from 0 and 1, so that the loss is finite.
const SUREST: f64 = 1e-6;
/// The final learning rate as a share of the first.
const LAST_RATE: f64 = 0.01;

/// Training options.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// The size of the network.
    pub shape: Shape,
    /// Full-batch steps.
    pub steps: usize,
    /// Adam's learning rate at the start; it falls to a hundredth along half a cosine.
    pub learning_rate: f64,
    /// The seed of the first weights.
    pub seed: u64,
}

/// The data of the loss; rows are the states before the end of a game.
struct Data {
    /// Features, by state and feature.
    features: Vec<f32>,
    inputs: usize,
    /// 1 for states with symmetric curves, by state.
    even: Vec<f32>,
    /// The lead in σ, its win rate, and its weight in the loss, by state and lead.
    leads: Vec<f32>,
    wins: Vec<f32>,
    weights: Vec<f32>,
    rows: usize,
    variance_of_tile: f64,
}

impl Data {
    fn new(states: States, tally: &SwingTally) -> Data {
        let rows: Vec<_> = states.all().enumerate().filter(|(_, left)| !left.is_over()).collect();
        let variance_of_tile = variance_of_tile(states, tally);
        let mut data = Data {
            features: Vec::new(),
            inputs: 0,
            even: Vec::new(),
            leads: Vec::new(),
            wins: Vec::new(),
            weights: Vec::new(),
            rows: rows.len(),
            variance_of_tile,
        };
        let (drifts, all) = (drifts(states, tally), tally.turns().max(1) as f64);
        for (number, left) in rows {
            let inputs = features(states, left);
            data.inputs = inputs.len();
            data.features.extend(inputs);
            data.even.push(f32::from(u8::from(is_even(states, left))));
            let state = &tally.states[number];
            let (turns, sigma) = (state.turns(), sigma(variance_of_tile, left));
            let leads = Leads::new(state, sigma);
            let doubled = state.doubled_wins(leads.most);
            for (lead, weight) in leads.iter() {
                data.leads.push((f64::from(lead) / sigma) as f32);
                let worth = drifts[number].worth(f64::from(lead));
                data.wins.push((between(&doubled, worth + f64::from(leads.most)) / (2 * turns.max(1)) as f64) as f32);
                data.weights.push((weight / all) as f32);
            }
        }
        data
    }
}

/// The grid of leads of a state.
struct Leads {
    step: i32,
    most: i32,
    /// The weight of each lead in turns, from the lowest lead.
    weights: Vec<f64>,
}

impl Leads {
    /// The grid for a standard deviation of the rest of the game, in points.
    fn new(state: &StateTally, sigma: f64) -> Leads {
        let step = ((sigma / LEADS_TO_SIGMA).round() as i32).max(1);
        let most = LEADS_EITHER_WAY * step;
        let mut held = vec![0_u64; 2 * LEADS_EITHER_WAY as usize + 1];
        for (&spread, outcomes) in &state.outcomes {
            // Games with larger leads are decided.
            if spread.abs() <= most {
                held[((spread + most + step / 2) / step) as usize] += outcomes.turns;
            }
        }
        let uniform = state.turns() as f64 / held.len() as f64;
        let weigh = |held: u64| SHARE_OF_GAMES * held as f64 + (1.0 - SHARE_OF_GAMES) * uniform;
        Leads { step, most, weights: held.into_iter().map(weigh).collect() }
    }

    /// The leads in points, with their weights.
    fn iter(&self) -> impl Iterator<Item = (i32, f64)> + '_ {
        (0..).zip(&self.weights).map(|(at, &weight)| (at * self.step - self.most, weight))
    }
}

/// Linear interpolation between entries.
fn between(values: &[u64], place: f64) -> f64 {
    let place = place.clamp(0.0, (values.len() - 1) as f64);
    let (low, part) = (place.floor(), place.fract());
    let value = |at: f64| values[(at as usize).min(values.len() - 1)] as f64;
    value(low) + part * (value(low + 1.0) - value(low))
}

/// The σ² per tile that fits the swings best.
fn variance_of_tile(states: States, tally: &SwingTally) -> f64 {
    let (mut squares, mut tiles) = (0.0, 0.0);
    for (left, state) in states.all().zip(&tally.states) {
        let turns = state.turns() as f64;
        let mean = state.swings.iter().map(|(&swing, &turns)| f64::from(swing) * turns as f64).sum::<f64>() / turns.max(1.0);
        squares += state.swings.iter().map(|(&swing, &turns)| (f64::from(swing) - mean).powi(2) * turns as f64).sum::<f64>();
        tiles += turns * sigma(1.0, left).powi(2);
    }
    if squares > 0.0 { squares / tiles } else { 1.0 }
}

/// The layers under training, or their gradients.
struct Layers([Dense; 3]);

impl Layers {
    fn new(inputs: usize, training: &Training) -> Layers {
        let Shape { hidden, pairs } = training.shape;
        let mut draws = stream(training.seed, "win percentage network", 0);
        let parts = 2 * pairs;
        let mut layer = |from: usize, to: usize, most: f32| Dense {
            weights: (0..from * to).map(|_| draws.random_range(-most..most)).collect(),
            bias: vec![0.0; to],
        };
        let spread = |from: usize| (3.0 / from as f32).sqrt();
        let first = layer(inputs, hidden, spread(inputs));
        let second = layer(hidden, hidden, spread(hidden));
        // The last layer starts near its bias: evenly spread curves, which the data then move.
        let mut last = layer(hidden, 1 + 3 * parts, 0.01);
        for k in 0..parts {
            let place = (k as f32 + 0.5) / parts as f32 * 2.0 - 1.0;
            last.bias[1 + parts + k] = 1.5 * place;
            last.bias[1 + 2 * parts + k] = -1.2;
        }
        Layers([first, second, last])
    }

    /// Weights and bias of each layer.
    fn parameters(&self) -> impl Iterator<Item = &Vec<f32>> {
        self.0.iter().flat_map(|Dense { weights, bias }| [weights, bias])
    }

    /// The same, to be changed.
    fn parameters_mut(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        self.0.iter_mut().flat_map(|Dense { weights, bias }| [weights, bias])
    }

    fn tensors(&self, device: &Device) -> Tensors {
        Tensors(self.0.each_ref().map(|layer| Affine::new(layer, device)))
    }

    /// The network for plain inference.
    fn network(&self, states: States, pairs: usize, variance_of_tile: f64) -> Network {
        let layer = |Dense { weights, bias }: &Dense| Layer {
            weights: weights.chunks(bias.len()).map(<[f32]>::to_vec).collect(),
            bias: bias.clone(),
        };
        Network {
            rack_size: states.rack_size(),
            most_bag: states.most_bag(),
            pairs,
            variance_of_tile,
            layers: self.0.each_ref().map(layer),
        }
    }
}

/// The layers as tensors.
struct Tensors([Affine; 3]);

impl Tensors {
    /// The win probabilities, by state and lead.
    fn probabilities(&self, features: Tensor<2>, even: &Tensor<2>, leads: &Tensor<2>, pairs: usize) -> Tensor<2> {
        let [first, second, last] = &self.0;
        let output = last.output(second.output(first.output(features).tanh()).tanh());
        let parts = 2 * pairs;
        let [rows, leads_per_state] = leads.dims();
        let kind = |kind: usize| output.clone().slice([0..rows, 1 + kind * parts..1 + (kind + 1) * parts]);
        let shift = output.clone().slice([0..rows, 0..1]);
        let odd = even.clone().neg() + 1.0;
        let tied = |values: Tensor<2>, sign: f64| {
            let mirrored = (values.clone() + values.clone().flip([1]).mul_scalar(sign)).mul_scalar(0.5);
            values * odd.clone() + mirrored * even.clone()
        };
        let weights = softmax(tied(kind(0), 1.0), 1).reshape([rows, 1, parts]);
        let centres = (tied(kind(1), -1.0) - shift).reshape([rows, 1, parts]);
        let widths = tied(kind(2), 1.0).neg().exp().reshape([rows, 1, parts]);
        let leads = leads.clone().reshape([rows, leads_per_state, 1]);
        let curves = sigmoid((leads - centres) * widths);
        (curves * weights).sum_dim(2).reshape([rows, leads_per_state])
    }

    fn gradients(&self, mut found: Gradients) -> Layers {
        Layers(self.0.each_ref().map(|layer| layer.gradient(&mut found)))
    }
}

/// The log-likelihood of the outcomes.
fn likelihoods(probabilities: Tensor<2>, wins: &Tensor<2>) -> Tensor<2> {
    let probabilities = probabilities.clamp(SUREST, 1.0 - SUREST);
    let lost = probabilities.clone().neg() + 1.0;
    wins.clone() * probabilities.log() + (wins.clone().neg() + 1.0) * lost.log()
}

/// The learning rate at a step as a share of the first: half a cosine.
fn share_of_rate(step: usize, steps: usize) -> f64 {
    let progress = step as f64 / steps as f64;
    LAST_RATE + (1.0 - LAST_RATE) * f64::midpoint(1.0, (std::f64::consts::PI * progress).cos())
}

/// Fits the network. Returns it with the loss during training, in nats per turn above the lowest possible loss; `None` if
/// the monitor stops the fit.
pub fn fit(states: States, tally: &SwingTally, training: &Training, monitor: &dyn Monitor) -> Option<(Network, Vec<f64>)> {
    // One thread: a sum split among threads would depend on their number.
    let alone = ThreadPoolBuilder::new().num_threads(1).build().ok()?;
    alone.install(|| descend(states, tally, training, monitor))
}

fn descend(states: States, tally: &SwingTally, training: &Training, monitor: &dyn Monitor) -> Option<(Network, Vec<f64>)> {
    let device = Device::flex().autodiff();
    let data = Data::new(states, tally);
    let least: f64 = data.wins.iter().zip(&data.weights).map(|(&q, &w)| f64::from(w) * entropy(f64::from(q))).sum();
    let columns = data.leads.len() / data.rows;
    let features = tensor(data.features, data.rows, data.inputs, &device);
    let even = tensor(data.even, data.rows, 1, &device);
    let [leads, wins, weights] =
        [data.leads, data.wins, data.weights].map(|values| tensor(values, data.rows, columns, &device));
    let mut layers = Layers::new(data.inputs, training);
    let mut adam = Adam::new(layers.parameters());
    let mut losses = Vec::new();
    for step in 0..training.steps {
        if monitor.is_stopped() {
            return None;
        }
        let tensors = layers.tensors(&device);
        let probabilities = tensors.probabilities(features.clone(), &even, &leads, training.shape.pairs);
        let loss = (likelihoods(probabilities, &wins) * weights.clone()).sum().neg();
        if step % 50 == 0 || step + 1 == training.steps {
            losses.push(f64::from(loss.clone().into_scalar::<f32>()) - least);
        }
        let gradients = tensors.gradients(loss.backward());
        let rate = training.learning_rate * share_of_rate(step, training.steps);
        adam.step(layers.parameters_mut(), gradients.parameters(), rate, 0.0);
        monitor.advance(1);
    }
    Some((layers.network(states, training.shape.pairs, data.variance_of_tile), losses))
}

/// A network, and the largest difference between the probabilities of the trainer's tensors and of plain inference over all
/// states and leads of the loss.
#[cfg(test)]
pub(super) fn parity(states: States, tally: &SwingTally, training: &Training) -> (Network, f64) {
    let device = Device::flex().autodiff();
    let data = Data::new(states, tally);
    let layers = Layers::new(data.inputs, training);
    let columns = data.leads.len() / data.rows;
    let features = tensor(data.features.clone(), data.rows, data.inputs, &device);
    let even = tensor(data.even.clone(), data.rows, 1, &device);
    let leads = tensor(data.leads.clone(), data.rows, columns, &device);
    let probabilities: Vec<f32> = layers
        .tensors(&device)
        .probabilities(features, &even, &leads, training.shape.pairs)
        .into_data()
        .iter::<f32>()
        .collect();
    let network = layers.network(states, training.shape.pairs, data.variance_of_tile);
    let lefts = states.all().filter(|left| !left.is_over());
    let rows = lefts.zip(probabilities.chunks(columns)).zip(data.leads.chunks(columns));
    let gaps = rows.flat_map(|((left, probabilities), leads)| {
        let sigma = sigma(data.variance_of_tile, left);
        let gap = |(&chance, &lead): (&f32, &f32)| {
            (f64::from(chance) - network.win_probability(left, f64::from(lead) * sigma)).abs()
        };
        probabilities.iter().zip(leads).map(gap).collect::<Vec<_>>()
    });
    let most = gaps.fold(0.0, f64::max);
    (network, most)
}

/// The log-loss of the true probability, in nats.
fn entropy(probability: f64) -> f64 {
    let part = |p: f64| if p > 0.0 { -p * p.ln() } else { 0.0 };
    part(probability) + part(1.0 - probability)
}
