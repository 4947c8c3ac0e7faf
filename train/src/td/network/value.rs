//! The value of a move by a network with a state value, and its gradient.

use std::collections::BTreeSet;

use tilewright_engine::evaluator::linear::varies_by_move;
use tilewright_engine::evaluator::network::{Dense, NetworkWeights};
use tilewright_engine::turn::Turn;

use super::super::config::Part;
use super::super::trajectory::{Rule, Trajectory};

/// The terms of the state value.
pub const STATE_VALUE_NAMES: [&str; 4] = ["level", "level_bag", "level_spread", "level_late_spread"];
/// Their number.
pub const STATE_VALUE_TERMS: usize = STATE_VALUE_NAMES.len();
/// A step of rate 1 changes the weights of the state value by this many points.
const STATE_VALUE_UNIT: f32 = 30.0;
/// The spread that counts as 1, in points.
const SPREAD_UNIT: f32 = 100.0;

/// What the value of a move is computed from.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// The terms of the state value.
    pub state_value: [f32; STATE_VALUE_TERMS],
    /// The inputs of the network.
    pub inputs: Vec<f32>,
}

/// The terms of the state value before a move: a constant, the share of the tiles of a full bag that are left, the spread in hundreds of points,
/// and the spread once more as far as the bag is used up.
pub fn state_value_terms(turn: &Turn<'_>) -> [f32; STATE_VALUE_TERMS] {
    let tileset = &turn.setup.tileset;
    let full = tileset.total_tiles().saturating_sub(2 * tileset.rules().rack_size).max(1);
    let (bag, spread) = (turn.bag as f32 / full as f32, turn.spread as f32 / SPREAD_UNIT);
    [1.0, bag, spread, spread * (1.0 - bag)]
}

/// A network with its state value. Its parameters are, in this order: the weights of the state value, the skip weights, and layer by layer the weights
/// and the biases.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The weights of the state value, in points.
    pub state_value: [f32; STATE_VALUE_TERMS],
    /// The network.
    pub network: NetworkWeights,
}

/// The gradient of some games.
pub struct Gradient {
    /// By parameter, the sum over steps of the error times the derivative of the prediction.
    pub sums: Vec<f32>,
    /// The sum of the squared differences, in square points.
    pub squares: f64,
    /// The number of differences.
    pub differences: u64,
}

impl Value {
    /// All parameters.
    pub fn parameters(&self) -> Vec<f32> {
        let layers = self.network.layers.iter().flat_map(|layer| layer.weights.iter().chain(&layer.bias));
        self.state_value.iter().chain(&self.network.skip).chain(layers).copied().collect()
    }

    /// The same network with other parameters.
    pub fn with_parameters(&self, parameters: &[f32]) -> Value {
        let mut value = self.clone();
        let layers = value.network.layers.iter_mut().flat_map(|layer| layer.weights.iter_mut().chain(&mut layer.bias));
        let all = value.state_value.iter_mut().chain(&mut value.network.skip).chain(layers);
        all.zip(parameters).for_each(|(own, &parameter)| *own = parameter);
        value
    }

    /// By parameter, how much a step of rate 1 changes it; 0 if it does not learn. The unit of a skip weight is a point per standard
    /// deviation of its feature.
    pub fn units(&self, learn: &BTreeSet<Part>) -> Vec<f32> {
        let unit = |part| f32::from(u8::from(learn.contains(&part)));
        let NetworkWeights { settings, scale, layers, .. } = &self.network;
        let learns = settings.features.iter().map(|&feature| f32::from(u8::from(varies_by_move(feature))));
        let skip = learns.zip(scale).map(|(learns, scale)| learns * unit(Part::Skip) / scale);
        let mut units: Vec<f32> = [STATE_VALUE_UNIT; STATE_VALUE_TERMS].into_iter().chain(skip).collect();
        for (number, Dense { weights, bias }) in (1..).zip(layers) {
            let part = if number == layers.len() { Part::Output } else { Part::Layers };
            units.resize(units.len() + weights.len() + bias.len(), unit(part));
        }
        units
    }

    /// By parameter, what its unit of size 1 is worth in points, or about so; to see which has grown too large.
    pub fn sizes(&self) -> Vec<f32> {
        let mut sizes = self.parameters();
        let scaled = self.network.skip.iter().zip(&self.network.scale).map(|(skip, scale)| skip * scale);
        sizes[STATE_VALUE_TERMS..].iter_mut().zip(scaled).for_each(|(size, scaled)| *size = scaled);
        sizes
    }

    /// The value of a move beyond its score, in points.
    pub fn of(&self, seen: &Observed) -> f64 {
        let sum = |values: &[f32], weights: &[f32]| -> f64 {
            values.iter().zip(weights).map(|(&value, &weight)| f64::from(value) * f64::from(weight)).sum()
        };
        let skip = sum(&seen.inputs, &self.network.skip);
        sum(&seen.state_value, &self.state_value) + skip + f64::from(self.network.added(&seen.inputs))
    }

    /// The gradient of the parameters of the layers from number `first` on and of all others, over one game.
    pub fn gradient(&self, game: &[Trajectory<Observed>; 2], rule: &Rule, first: usize) -> Gradient {
        let count = self.units(&BTreeSet::new()).len();
        let mut gradient = Gradient { sums: vec![0.0; count], squares: 0.0, differences: 0 };
        for trajectory in game {
            let steps = trajectory.steps.iter();
            let predictions: Vec<f64> = steps.map(|step| rule.target.prediction(step, self.of(&step.observed))).collect();
            // What the traces of TD(λ) add up to: each step learns from its difference and, by λ, from later ones.
            let mut error = 0.0;
            for (number, step) in trajectory.steps.iter().enumerate().rev() {
                if trajectory.explores_after(number) {
                    error = 0.0;
                    continue;
                }
                let (prediction, next) = (predictions[number], predictions.get(number + 1).copied());
                let difference = trajectory.difference(number, rule.target, prediction, next);
                gradient.squares += difference * difference;
                gradient.differences += 1;
                error = difference + rule.lambda * error;
                let factor = (error * rule.target.slope(prediction)) as f32;
                self.add_gradient(&step.observed, factor, first, &mut gradient.sums);
            }
        }
        gradient
    }

    /// Adds `factor` times the gradient of the value of a move. Layers before number `first` are left out.
    fn add_gradient(&self, seen: &Observed, factor: f32, first: usize, sums: &mut [f32]) {
        let add = |sums: &mut [f32], values: &[f32], factor: f32| {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
        };
        let (state_value, rest) = sums.split_at_mut(STATE_VALUE_TERMS);
        let (skip, layers) = rest.split_at_mut(self.network.skip.len());
        add(state_value, &seen.state_value, factor);
        add(skip, &seen.inputs, factor);
        let rows = self.rows(&seen.inputs);
        // By output of a layer, the derivative of the value.
        let mut slopes = vec![factor];
        let mut end = layers.len();
        for (number, layer) in self.network.layers.iter().enumerate().skip(first).rev() {
            let begin = end - layer.weights.len() - layer.bias.len();
            let (weights, bias) = layers[begin..end].split_at_mut(layer.weights.len());
            add(bias, &slopes, 1.0);
            for (&value, sums) in
                rows[number].iter().zip(weights.chunks_mut(slopes.len())).filter(|(value, _)| **value != 0.0)
            {
                add(sums, &slopes, value);
            }
            if number > first {
                // A rectified output of 0 does not change.
                let slope = |(&value, weights): (&f32, &[f32])| {
                    let sum = || weights.iter().zip(&slopes).map(|(weight, slope)| weight * slope).sum();
                    if value > 0.0 { sum() } else { 0.0 }
                };
                slopes = rows[number].iter().zip(layer.weights.chunks(slopes.len())).map(slope).collect();
            }
            end = begin;
        }
    }

    /// What each dense layer computes from: what the first one sees, and the rectified outputs of the layer before.
    fn rows(&self, inputs: &[f32]) -> Vec<Vec<f32>> {
        let layers = &self.network.layers;
        let mut rows = vec![self.network.seen(inputs)];
        for (number, Dense { weights, bias }) in layers[..layers.len() - 1].iter().enumerate() {
            let mut outputs = bias.clone();
            for (&value, weights) in rows[number].iter().zip(weights.chunks(bias.len())) {
                outputs.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
            }
            for output in &mut outputs {
                *output = output.max(0.0);
            }
            rows.push(outputs);
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use tilewright_engine::rng::{Stream, stream};

    use super::super::super::trajectory::{Step, Target};
    use super::super::test_support::value;
    use super::*;

    fn observed(draws: &mut Stream) -> Observed {
        let mut draw = || draws.random_range(-2.0..2.0f32);
        Observed { state_value: [(); STATE_VALUE_TERMS].map(|()| draw()), inputs: (0..5).map(|_| draw()).collect() }
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let value = value(&[6, 4], 3);
        let parameters = value.parameters();
        assert_eq!(parameters.len(), STATE_VALUE_TERMS + 2 + (5 * 6 + 6) + (6 * 4 + 4) + (4 + 1));
        assert_eq!(value.with_parameters(&parameters), value);
        let mut draws = stream(8, "moves", 0);
        for _ in 0..20 {
            let seen = observed(&mut draws);
            let mut sums = vec![0.0; parameters.len()];
            value.add_gradient(&seen, 3.0, 0, &mut sums);
            for (number, &sum) in sums.iter().enumerate() {
                let changed = |by: f32| {
                    let mut changed = parameters.clone();
                    changed[number] += by;
                    value.with_parameters(&changed).of(&seen)
                };
                // Where a unit begins to be rectified, the slope is that of one side.
                let slopes = [0.002, 0.0].map(|to| 3.0 * (changed(to) - changed(to - 0.002)) / 0.002);
                let sum = f64::from(sum);
                let is_between =
                    slopes.iter().any(|slope| *slope < sum + 0.01) && slopes.iter().any(|slope| *slope > sum - 0.01);
                assert!(is_between, "parameter {number}: {sum} {slopes:?}");
            }
            // Without the first layers, the others are the same.
            let mut last = vec![0.0; parameters.len()];
            value.add_gradient(&seen, 3.0, 2, &mut last);
            let (layers, output) = (STATE_VALUE_TERMS + 2, parameters.len() - 5);
            assert!(last[..layers] == sums[..layers] && last[output..] == sums[output..]);
            assert!(last[layers..output].iter().all(|&sum| sum == 0.0));
        }
    }

    /// The sum over a game is what eligibility traces add up to, with weights that do not change.
    #[test]
    fn errors_reach_back_like_eligibility_traces() {
        let value = value(&[4], 5);
        for target in [Target::Points, Target::WinProbability] {
            let mut draws = stream(9, "games", 0);
            let rule = Rule { target, lambda: 0.7, rate: 1.0 };
            let steps = (0..15).map(|_| Step {
                observed: observed(&mut draws),
                spread: draws.random_range(-40..40),
                explored: draws.random_bool(0.2),
            });
            let trajectory = Trajectory { steps: steps.collect(), final_spread: 13 };
            assert!((1..14).any(|number| trajectory.explores_after(number)));
            let [mut traces, mut sums] = [(); 2].map(|()| vec![0.0f32; value.parameters().len()]);
            let (mut squares, mut differences) = (0.0, 0);
            for (number, step) in trajectory.steps.iter().enumerate() {
                let prediction = target.prediction(step, value.of(&step.observed));
                for trace in &mut traces {
                    *trace *= 0.7;
                }
                value.add_gradient(&step.observed, target.slope(prediction) as f32, 0, &mut traces);
                if trajectory.explores_after(number) {
                    traces.fill(0.0);
                    continue;
                }
                let next = trajectory.steps.get(number + 1);
                let next = next.map(|next| target.prediction(next, value.of(&next.observed)));
                let difference = trajectory.difference(number, target, prediction, next);
                sums.iter_mut().zip(&traces).for_each(|(sum, trace)| *sum += difference as f32 * trace);
                squares += difference * difference;
                differences += 1;
            }
            let gradient = value.gradient(&[trajectory, Trajectory::default()], &rule, 0);
            assert_eq!(gradient.differences, differences);
            assert!((gradient.squares - squares).abs() < 1e-6 * squares);
            for (found, wanted) in gradient.sums.iter().zip(&sums) {
                assert!((found - wanted).abs() < 1e-3 * (1.0 + wanted.abs()), "{found} {wanted}");
            }
        }
    }
}
