//! The learned state of a network, and the steps that change it.

use std::collections::BTreeSet;

use burn::module::{Module, Param};
use burn::nn::Linear;
use burn::optim::GradientsParams;
use burn::tensor::Tensor;
use burn::tensor::activation::relu;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::linear::varies_by_move;
use tilewright_engine::evaluator::network::Dense;

use super::super::config::Part;
use super::super::trajectory::{Rule, Trajectory};
use super::value::{Errors, Observed, STATE_VALUE_TERMS, STATE_VALUE_UNIT, Value};
use crate::models::{Adam, linear, matrix, parameters};

/// State value, skip connection and dense layers.
#[derive(Module, Debug)]
pub struct ValueModel {
    state_value: Linear,
    skip: Linear,
    layers: Vec<Linear>,
}

/// The inputs of the values of some moves, by move.
pub struct Rows {
    state_value: Tensor<2>,
    skip: Tensor<2>,
    inputs: Tensor<2>,
}

impl ValueModel {
    /// The model with these [parameters](Value::parameters). The state value and the parts in `learn` change when it is trained.
    pub fn new(parameters: &[Vec<f32>], learn: &BTreeSet<Part>) -> ValueModel {
        let mut lists = parameters.iter().cloned();
        let mut next = || lists.next().unwrap_or_default();
        let [state_value, skip] = [(); 2].map(|()| Linear { weight: Param::from_tensor(matrix(next(), 1)), bias: None });
        let learns = |part, layer: Linear| if learn.contains(&part) { layer } else { layer.no_grad() };
        let count = parameters.len() / 2 - 1;
        let layer = |number| {
            let part = if number == count { Part::Output } else { Part::Layers };
            let (weights, bias) = (next(), next());
            learns(part, linear(Dense { weights, bias }))
        };
        ValueModel { layers: (1..=count).map(layer).collect(), state_value, skip: learns(Part::Skip, skip) }
    }

    /// The values, by move.
    pub fn forward(&self, rows: Rows) -> Tensor<2> {
        let through = |values, (number, layer): (usize, &Linear)| {
            let values = layer.forward(values);
            if number < self.layers.len() { relu(values) } else { values }
        };
        let of_layers = (1..).zip(&self.layers).fold(rows.inputs, through);
        of_layers + self.state_value.forward(rows.state_value) + self.skip.forward(rows.skip)
    }
}

impl Rows {
    /// The rows of some moves. Features of the position have no skip weight.
    pub fn new<'a>(value: &Value, moves: impl Iterator<Item = &'a Observed> + Clone) -> Rows {
        let network = &value.network;
        let features = network.settings.features.iter().zip(&network.scale);
        let skip = |seen: &'a Observed| {
            let features = features.clone().zip(&seen.inputs);
            features.map(|((&feature, scale), input)| if varies_by_move(feature) { input / scale } else { 0.0 })
        };
        let state_value = moves.clone().flat_map(|seen| seen.state_value).map(|term| term * STATE_VALUE_UNIT);
        Rows {
            state_value: matrix(state_value.collect(), STATE_VALUE_TERMS),
            skip: matrix(moves.clone().flat_map(skip).collect(), network.skip.len()),
            inputs: matrix(moves.flat_map(|seen| network.seen(&seen.inputs)).collect(), network.mean.len()),
        }
    }
}

/// The parameters, and the moments of the optimiser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkLearner {
    /// The parameters, as `Value::parameters` lists them.
    pub parameters: Vec<Vec<f32>>,
    adam: Adam,
}

impl NetworkLearner {
    /// A learner that begins with a value.
    pub fn new(start: &Value) -> NetworkLearner {
        let parameters = start.parameters();
        NetworkLearner { adam: Adam::new(&parameters), parameters }
    }

    /// Learns from some games in one step. `start` has the shape of the network. Returns the sum of the squared differences
    /// and their number. The games are read in parallel, and added up in their order.
    pub fn learn(
        &mut self,
        games: &[[Trajectory<Observed>; 2]],
        rule: &Rule,
        learn: &BTreeSet<Part>,
        start: &Value,
    ) -> (f64, u64) {
        let value = start.with_parameters(&self.parameters);
        let errors: Vec<Errors<'_>> = games.par_iter().map(|game| value.errors(game, rule)).collect();
        let moves = errors.iter().flat_map(|game| &game.moves);
        let factors: Vec<f32> = moves.clone().map(|&(_, factor)| factor).collect();
        if !factors.is_empty() {
            let model = ValueModel::new(&self.parameters, learn);
            let values = model.forward(Rows::new(&value, moves.map(|&(seen, _)| seen)));
            let loss = (values * matrix(factors, 1)).sum().neg();
            let gradients = GradientsParams::from_grads(loss.backward(), &model);
            self.parameters = parameters(&self.adam.step(model, gradients, rule.rate, 0.0));
        }
        (errors.iter().map(|game| game.squares).sum(), errors.iter().map(|game| game.differences).sum())
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use tilewright_engine::rng::stream;

    use super::super::super::trajectory::{Step, Target};
    use super::super::test_support::{observed, value};
    use super::*;
    use crate::models::{numbers, parameters};

    #[test]
    fn what_is_trained_is_what_is_predicted() {
        let mut value = value(&[6, 4], 3);
        // A feature of the position.
        value.network.skip[1] = 0.0;
        let model = ValueModel::new(&value.parameters(), &BTreeSet::from([Part::Layers]));
        assert_eq!(parameters(&model), value.parameters());
        let mut draws = stream(8, "moves", 0);
        let moves: Vec<Observed> = (0..20).map(|_| observed(&mut draws)).collect();
        for (found, seen) in numbers(model.forward(Rows::new(&value, moves.iter()))).into_iter().zip(&moves) {
            let expected = value.of(seen);
            assert!((f64::from(found) - expected).abs() < 1e-4 * (1.0 + expected.abs()), "{found} {expected}");
        }
    }

    /// Whether a player holds each of two tiles, as a network sees it.
    fn holding(held: [bool; 2]) -> Observed {
        let [one, other] = held.map(|held| f32::from(i8::from(held)) * 2.0 - 1.0);
        Observed { state_value: [1.0, 0.0, 0.0, 0.0], inputs: vec![one, 0.0, one, other, 0.0] }
    }

    /// A chain of turns: a player that holds exactly one of two tiles gains 5 points on average by the next turn, and otherwise loses 5.
    fn chain(game: u64) -> Trajectory<Observed> {
        let mut draws = stream(4, "chain", game);
        let (mut spread, mut steps) = (0, Vec::new());
        for _ in 0..12 {
            let held = [(); 2].map(|()| draws.random_bool(0.5));
            steps.push(Step { observed: holding(held), spread, explored: false });
            spread += draws.random_range(-12..=12) + if held[0] == held[1] { -5 } else { 5 };
        }
        Trajectory { steps, final_spread: spread }
    }

    /// Learns from 6,000 games, 20 at a time.
    fn learned(start: &Value, learn: &[Part], lambda: f64) -> Value {
        let learn = learn.iter().copied().collect();
        let mut learner = NetworkLearner::new(start);
        for step in 0..300u64 {
            let games: Vec<_> = (20 * step..20 * (step + 1)).map(|game| [chain(2 * game), chain(2 * game + 1)]).collect();
            let rate = 0.03 / (1.0 + step as f64 / 60.0);
            learner.learn(&games, &Rule { target: Target::Points, lambda, rate }, &learn, start);
        }
        start.with_parameters(&learner.parameters)
    }

    #[test]
    fn a_network_learns_what_no_linear_terms_could() {
        let mut start = value(&[8], 2);
        (start.network.mean, start.network.scale) = (vec![0.0; 5], vec![1.0; 5]);
        for lambda in [0.0, 0.7] {
            let value = learned(&start, &[Part::Layers, Part::Output, Part::Skip], lambda);
            for held in [[false, false], [false, true], [true, false], [true, true]] {
                let (found, wanted) = (value.of(&holding(held)), if held[0] == held[1] { -5.0 } else { 5.0 });
                assert!((found - wanted).abs() < 1.5, "{lambda} {held:?} {found}");
            }
        }
    }

    #[test]
    fn only_the_named_parts_change() {
        let start = value(&[8], 2);
        let changed = |learn: &[Part]| {
            let value = learned(&start, learn, 0.5).network;
            let [hidden, output] = [0, 1].map(|layer: usize| value.layers[layer] != start.network.layers[layer]);
            (value.skip != start.network.skip, hidden, output)
        };
        assert_eq!(changed(&[Part::Output]), (false, false, true));
        assert_eq!(changed(&[Part::Layers]), (false, true, false));
        assert_eq!(changed(&[Part::Skip]), (true, false, false));
    }
}
