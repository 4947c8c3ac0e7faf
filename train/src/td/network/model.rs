//! The model under training: the value of moves.

use std::collections::BTreeSet;

use burn::module::{Module, Param};
use burn::nn::Linear;
use burn::tensor::Tensor;
use burn::tensor::activation::relu;
use tilewright_engine::evaluator::linear::varies_by_move;
use tilewright_engine::evaluator::network::Dense;

use super::super::config::Part;
use super::value::{Observed, STATE_VALUE_TERMS, STATE_VALUE_UNIT, Value};
use crate::models::{linear, matrix};

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

#[cfg(test)]
mod tests {
    use tilewright_engine::rng::stream;

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
}
