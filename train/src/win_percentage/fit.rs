//! Fits the network to the tallies with full batches, so that a fit depends on tallies, config and seed only.
//!
//! **The model,** and its loss over all states and leads.
//!
//! The last layer puts out m and, by curve, a, c and t. With w the softmax of the a,
//!
//! ```text
//! P(lead s) = Σ over curves of w · logistic((s − c + m) · e⁻ᵗ)
//! ```
//!
//! In states with symmetric curves, a and t are first averaged with their mirror image, and c with the opposite of its own.

use burn::module::Module;
use burn::nn::Linear;
use burn::optim::GradientsParams;
use burn::tensor::Tensor;
use burn::tensor::activation::{sigmoid, softmax};
use rand::RngExt;
use tilewright_engine::evaluator::network::Dense;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::rng::stream;
use tilewright_engine::win_percentage::States;

use super::config::WinPercentageConfig;
use super::network::{Layer, Network, features, is_even, sigma};
use super::remaining_spreads::{RemainingSpreads, StateTally, drifts};
use crate::models::{Adam, dense, linear, matrix, numbers, parameters, share_of_rate};

/// The grid of leads of a state: this many on either side of even, and this many per σ where that is coarser than points.
const LEADS_EITHER_WAY: i32 = 100;
const LEADS_TO_SIGMA: f64 = 16.0;
/// The share of the loss that weighs leads by how often they occur. The rest weighs all leads equally, as Maven does.
const SHARE_OF_GAMES: f64 = 0.75;

/// The data of the loss for the states of games, the σ² per tile that leads are measured in, and the least possible loss.
fn data(states: States, tally: &RemainingSpreads) -> (Data, f64, f64) {
    let variance_of_tile = variance_of_tile(states, tally);
    let (drifts, all) = (drifts(states, tally), tally.turns().max(1) as f64);
    let [mut inputs, mut even, mut scaled, mut wins, mut weights] = [(); 5].map(|()| Vec::new());
    for (number, left) in states.all().enumerate().filter(|(_, left)| !left.is_over()) {
        inputs.extend(features(states, left));
        even.push(f32::from(u8::from(is_even(states, left))));
        let state = &tally.states[number];
        let (turns, sigma) = (state.turns(), sigma(variance_of_tile, left));
        let leads = leads(state, sigma);
        let most = leads.last().map_or(0, |&(lead, _)| lead);
        let doubled = state.doubled_wins(most);
        for (lead, weight) in leads {
            scaled.push((f64::from(lead) / sigma) as f32);
            let worth = drifts[number].worth(f64::from(lead));
            wins.push((between(&doubled, worth + f64::from(most)) / (2 * turns.max(1)) as f64) as f32);
            weights.push((weight / all) as f32);
        }
    }
    let least = wins.iter().zip(&weights).map(|(&q, &w)| f64::from(w) * entropy(f64::from(q))).sum();
    let (rows, columns, leads) = (even.len(), inputs.len() / even.len(), wins.len() / even.len());
    let data = Data {
        features: matrix(inputs, columns),
        even: matrix(even, 1),
        leads: Tensor::stack(vec![matrix(scaled, leads), matrix(vec![1.0; rows * leads], leads)], 1),
        wins: matrix(wins, leads),
        weights: matrix(weights, leads),
    };
    (data, variance_of_tile, least)
}

/// The grid of leads of a state, each with its weight in turns, for a standard deviation of the rest of the game. All in points.
fn leads(state: &StateTally, sigma: f64) -> Vec<(i32, f64)> {
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
    (0..).zip(held).map(|(at, held)| (at * step - most, weigh(held))).collect()
}

/// Linear interpolation between entries.
fn between(values: &[u64], place: f64) -> f64 {
    let place = place.clamp(0.0, (values.len() - 1) as f64);
    let (low, part) = (place.floor(), place.fract());
    let value = |at: f64| values[(at as usize).min(values.len() - 1)] as f64;
    value(low) + part * (value(low + 1.0) - value(low))
}

/// The σ² per tile that fits the remaining spreads best.
fn variance_of_tile(states: States, tally: &RemainingSpreads) -> f64 {
    let (mut squares, mut tiles) = (0.0, 0.0);
    for (left, state) in states.all().zip(&tally.states) {
        squares += state.moments().1;
        tiles += state.turns() as f64 * sigma(1.0, left).powi(2);
    }
    if squares > 0.0 { squares / tiles } else { 1.0 }
}

/// The model before the first step.
fn drawn(data: &Data, config: &WinPercentageConfig) -> Curves {
    let [_, inputs] = data.features.dims();
    let WinPercentageConfig { hidden, pairs, seed, .. } = *config;
    let mut draws = stream(seed, "win percentage network", 0);
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
    Curves { first: linear(first), second: linear(second), last: linear(last) }
}

/// The network for plain inference.
fn network(model: &Curves, states: States, pairs: usize, variance_of_tile: f64) -> Network {
    let layer = |layer| {
        let Dense { weights, bias } = dense(layer);
        Layer { weights: weights.chunks(bias.len()).map(<[f32]>::to_vec).collect(), bias }
    };
    let States { rack_size, most_bag } = states;
    let layers = [&model.first, &model.second, &model.last].map(layer);
    Network { rack_size, most_bag, pairs, variance_of_tile, layers }
}

/// The fitted network, and its loss in training in nats per turn above the lowest possible. `None` if the monitor stops it.
pub fn fit(
    states: States,
    tally: &RemainingSpreads,
    config: &WinPercentageConfig,
    monitor: &dyn Monitor,
) -> Option<(Network, Vec<f64>)> {
    let (data, variance_of_tile, least) = data(states, tally);
    let mut model = drawn(&data, config);
    let mut adam = Adam::new(&parameters(&model));
    let mut course = Vec::new();
    for step in 0..config.steps {
        if monitor.is_stopped() {
            return None;
        }
        let losses = model.losses(&data);
        if step % 50 == 0 || step + 1 == config.steps {
            course.push(numbers(losses.clone()).into_iter().map(f64::from).sum::<f64>() - least);
        }
        let gradients = GradientsParams::from_grads(losses.sum().backward(), &model);
        let rate = config.learning_rate * share_of_rate(step as f64 / config.steps as f64);
        model = adam.step(model, gradients, rate, 0.0);
        monitor.advance(1);
    }
    Some((network(&model, states, config.pairs, variance_of_tile), course))
}

/// The log-loss of the true probability, in nats.
fn entropy(probability: f64) -> f64 {
    let part = |p: f64| if p > 0.0 { -p * p.ln() } else { 0.0 };
    part(probability) + part(1.0 - probability)
}

/// Probabilities are clamped to this distance from 0 and 1, so that the loss is finite.
const SUREST: f32 = 1e-6;

/// The data of the loss. Rows are the states before the end of a game.
pub struct Data {
    /// By state and feature.
    pub features: Tensor<2>,
    /// By state: 1 if its curves are symmetric, else 0.
    pub even: Tensor<2>,
    /// By state, the leads in σ, and as many ones.
    pub leads: Tensor<3>,
    /// By state and lead: the win rate, and its weight in the loss.
    pub wins: Tensor<2>,
    pub weights: Tensor<2>,
}

/// Two hidden layers, and the layer of the curves.
#[derive(Module, Debug)]
pub struct Curves {
    pub first: Linear,
    pub second: Linear,
    pub last: Linear,
}

impl Curves {
    /// The win probabilities, by state and lead.
    pub fn forward(&self, data: &Data) -> Tensor<2> {
        let hidden = self.second.forward(self.first.forward(data.features.clone()).tanh()).tanh();
        let output = self.last.forward(hidden);
        let ([states, outputs], [_, _, leads]) = (output.dims(), data.leads.dims());
        let curves = (outputs - 1) / 3;
        // The averages with the mirror image times `sign` where curves are symmetric.
        let tied = |kind: usize, sign: f32| {
            let values = output.clone().narrow(1, 1 + kind * curves, curves);
            let mirrored = values.clone().flip([1]) * sign;
            values.clone() + (mirrored - values) * (data.even.clone() * 0.5)
        };
        let weights = softmax(tied(0, 1.0), 1).reshape([states, 1, curves]);
        let centres = tied(1, -1.0) - output.clone().narrow(1, 0, 1);
        let steepness = tied(2, 1.0).neg().exp();
        // As products of matrices by state, which are much faster than sums over a tensor with a curve for each lead.
        let lines = Tensor::stack(vec![steepness.clone(), (centres * steepness).neg()], 2);
        weights.matmul(sigmoid(lines.matmul(data.leads.clone()))).reshape([states, leads])
    }

    /// The weighted log-loss of the outcomes in nats, by state and lead.
    pub fn losses(&self, data: &Data) -> Tensor<2> {
        let probabilities = self.forward(data).clamp(SUREST, 1.0 - SUREST);
        let lost = data.wins.clone().neg() + 1.0;
        let likelihoods = data.wins.clone() * probabilities.clone().log() + lost * (probabilities.neg() + 1.0).log();
        (likelihoods * data.weights.clone()).neg()
    }
}

/// A network, and the largest difference between the probabilities of the layers under training and of plain inference over all states
/// and leads of the loss.
#[cfg(test)]
pub(super) fn parity(states: States, tally: &RemainingSpreads, config: &WinPercentageConfig) -> (Network, f64) {
    let (data, variance_of_tile, _) = data(states, tally);
    let model = drawn(&data, config);
    let network = network(&model, states, config.pairs, variance_of_tile);
    let [_, _, columns] = data.leads.dims();
    let [probabilities, leads] = [model.forward(&data), data.leads.narrow(1, 0, 1).squeeze_dim(1)].map(numbers);
    let lefts = states.all().filter(|left| !left.is_over());
    let rows = lefts.zip(probabilities.chunks(columns)).zip(leads.chunks(columns));
    let gaps = rows.flat_map(|((left, probabilities), leads)| {
        let sigma = sigma(variance_of_tile, left);
        let gap = |(&chance, &lead): (&f32, &f32)| {
            (f64::from(chance) - network.win_probability(left, f64::from(lead) * sigma)).abs()
        };
        probabilities.iter().zip(leads).map(gap).collect::<Vec<_>>()
    });
    let most = gaps.fold(0.0, f64::max);
    (network, most)
}
