//! The value of a move by a network with a state value, and the errors from which moves learn.

use tilewright_engine::evaluator::network::{Dense, NetworkWeights};
use tilewright_engine::turn::Turn;

use super::super::trajectory::{Rule, Trajectory};

/// The terms of the state value.
pub const STATE_VALUE_NAMES: [&str; 4] = ["level", "level_bag", "level_spread", "level_late_spread"];
/// Their number.
pub const STATE_VALUE_TERMS: usize = STATE_VALUE_NAMES.len();
/// A step of rate 1 changes the weights of the state value by about this many points.
pub const STATE_VALUE_UNIT: f32 = 30.0;
/// The spread that counts as 1, in points.
const SPREAD_UNIT: f32 = 100.0;

/// The inputs of the value of a move.
#[derive(Clone, Debug, Default, PartialEq)]
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

/// A network with its state value.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The weights of the state value, in points.
    pub state_value: [f32; STATE_VALUE_TERMS],
    /// The network.
    pub network: NetworkWeights,
}

/// The errors of some moves of a game.
#[derive(Default)]
pub struct Errors<'a> {
    /// The inputs of each move's value, and its error times the slope of the prediction, in points.
    pub moves: Vec<(&'a Observed, f32)>,
    /// The sum of the squared differences, in square points.
    pub squares: f64,
    /// The number of differences.
    pub differences: u64,
}

impl Value {
    /// The parameters, each in a unit of about a point: the weights of the state value in [`STATE_VALUE_UNIT`], the skip weights in points
    /// per standard deviation of their feature, and layer by layer the weights and the biases.
    pub fn parameters(&self) -> Vec<Vec<f32>> {
        let NetworkWeights { skip, scale, layers, .. } = &self.network;
        let state_value = self.state_value.iter().map(|weight| weight * (1.0 / STATE_VALUE_UNIT)).collect();
        let skip = skip.iter().zip(scale).map(|(weight, scale)| weight * scale).collect();
        let layers = layers.iter().flat_map(|Dense { weights, bias }| [weights.clone(), bias.clone()]);
        [state_value, skip].into_iter().chain(layers).collect()
    }

    /// The same network with other parameters.
    pub fn with_parameters(&self, parameters: &[Vec<f32>]) -> Value {
        let mut value = self.clone();
        let [state_value, skip, layers @ ..] = parameters else { return value };
        let NetworkWeights { skip: own_skip, scale, layers: own_layers, .. } = &mut value.network;
        // Unchanged parameters keep their bits.
        let put = |own: &mut f32, weight: f32, unit: f32| {
            if (*own * unit).to_bits() != weight.to_bits() {
                *own = weight / unit;
            }
        };
        value.state_value.iter_mut().zip(state_value).for_each(|(own, &weight)| put(own, weight, 1.0 / STATE_VALUE_UNIT));
        own_skip.iter_mut().zip(skip.iter().zip(scale)).for_each(|(own, (&weight, scale))| put(own, weight, *scale));
        for (own, pair) in own_layers.iter_mut().zip(layers.chunks_exact(2)) {
            *own = Dense { weights: pair[0].clone(), bias: pair[1].clone() };
        }
        value
    }

    /// The value of a move beyond its score, in points.
    pub fn of(&self, seen: &Observed) -> f64 {
        let sum = |values: &[f32], weights: &[f32]| -> f64 {
            values.iter().zip(weights).map(|(&value, &weight)| f64::from(value) * f64::from(weight)).sum()
        };
        let skip = sum(&seen.inputs, &self.network.skip);
        sum(&seen.state_value, &self.state_value) + skip + f64::from(self.network.added(&seen.inputs))
    }

    /// The errors of the moves of one game.
    pub fn errors<'a>(&self, game: &'a [Trajectory<Observed>; 2], rule: &Rule) -> Errors<'a> {
        let mut errors = Errors::default();
        for trajectory in game {
            let steps = trajectory.steps.iter();
            let predictions: Vec<f64> = steps.map(|step| rule.target.prediction(step, self.of(&step.observed))).collect();
            // The sum of the traces of TD(λ): each step learns from its difference and, by λ, from later ones.
            let mut error = 0.0;
            for (number, step) in trajectory.steps.iter().enumerate().rev() {
                if trajectory.explores_after(number) {
                    error = 0.0;
                    continue;
                }
                let (prediction, next) = (predictions[number], predictions.get(number + 1).copied());
                let difference = trajectory.difference(number, rule.target, prediction, next);
                errors.squares += difference * difference;
                errors.differences += 1;
                error = difference + rule.lambda * error;
                errors.moves.push((&step.observed, (error * rule.target.slope(prediction)) as f32));
            }
        }
        errors
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use tilewright_engine::rng::stream;

    use super::super::super::trajectory::{Step, Target};
    use super::super::test_support::{observed, value};
    use super::*;

    #[test]
    fn parameters_are_read_and_replaced() {
        let value = value(&[6, 4], 3);
        let parameters = value.parameters();
        let lengths: Vec<usize> = parameters.iter().map(Vec::len).collect();
        assert_eq!(lengths, [STATE_VALUE_TERMS, 2, 5 * 6, 6, 6 * 4, 4, 4, 1]);
        let doubled: Vec<Vec<f32>> = parameters.iter().map(|list| list.iter().map(|value| 2.0 * value).collect()).collect();
        let twice = value.with_parameters(&doubled);
        let nearly = |one: f32, other: f32| (one - other).abs() < 1e-5 * other.abs();
        assert!(twice.state_value.iter().zip(&value.state_value).all(|(&one, &other)| nearly(one, 2.0 * other)));
        assert!(twice.network.skip.iter().zip(&value.network.skip).all(|(&one, &other)| nearly(one, 2.0 * other)));
        assert!(nearly(twice.network.layers[2].weights[3], 2.0 * value.network.layers[2].weights[3]));
    }

    /// Each move learns from all later differences up to a move that explored, by λ to the power of their distance.
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
            let predictions: Vec<f64> =
                trajectory.steps.iter().map(|step| target.prediction(step, value.of(&step.observed))).collect();
            let difference =
                |at: usize| trajectory.difference(at, target, predictions[at], predictions.get(at + 1).copied());
            let (mut expected, mut squares) = (Vec::new(), 0.0);
            for number in (0..15).rev().filter(|&number| !trajectory.explores_after(number)) {
                let later = (number..15).take_while(|&later| !trajectory.explores_after(later));
                let error: f64 = later.map(|later| 0.7f64.powi((later - number) as i32) * difference(later)).sum();
                expected.push((&trajectory.steps[number].observed, error * target.slope(predictions[number])));
                squares += difference(number).powi(2);
            }
            let game = [trajectory.clone(), Trajectory::default()];
            let errors = value.errors(&game, &rule);
            assert_eq!(errors.differences, expected.len() as u64);
            assert!((errors.squares - squares).abs() < 1e-6 * squares);
            for ((seen, found), (wanted_seen, wanted)) in errors.moves.into_iter().zip(expected) {
                assert_eq!(seen, wanted_seen);
                assert!((f64::from(found) - wanted).abs() < 1e-3 * (1.0 + wanted.abs()), "{found} {wanted}");
            }
        }
    }
}
