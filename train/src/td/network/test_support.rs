//! A made-up network for tests.

use rand::RngExt;
use tilewright_engine::evaluator::network::{NetworkSettings, NetworkWeights};
use tilewright_engine::features::{ExtraInput, Feature, LeaveFeature, PositionFeature, VERSION};
use tilewright_engine::rng::{Stream, stream};

use super::value::{Observed, STATE_VALUE_TERMS, Value};
use crate::network::shape::drawn_layers;

/// A drawn network of these hidden layers on five inputs, first a feature of the leave and one of the position.
pub fn value(hidden: &[usize], seed: u64) -> Value {
    let mut draws = stream(seed, "made-up network", 0);
    let mut layers = drawn_layers(5, hidden, seed);
    for layer in &mut layers {
        layer.weights.iter_mut().chain(&mut layer.bias).for_each(|weight| *weight += draws.random_range(-0.5..0.5));
    }
    let settings = NetworkSettings {
        feature_version: VERSION,
        leaves: None,
        features: vec![Feature::Leave(LeaveFeature::TilesPlayed), Feature::Position(PositionFeature::TilesInBag)],
        extra_inputs: vec![ExtraInput::Score; 3],
        candidate_moves: 1,
        margin: 1.0,
        prior: Vec::new(),
    };
    let mut draw =
        |least: f32, most: f32, count: usize| -> Vec<f32> { (0..count).map(|_| draws.random_range(least..most)).collect() };
    let (skip, mean, scale) = (draw(-1.0, 1.0, 2), draw(-1.0, 1.0, 5), draw(0.5, 2.0, 5));
    let state_value = draw(-1.0, 1.0, STATE_VALUE_TERMS);
    let network = NetworkWeights { settings, skip, mean, scale, layers };
    Value { state_value: std::array::from_fn(|term| state_value[term]), network }
}

/// A move that nobody made.
pub fn observed(draws: &mut Stream) -> Observed {
    let mut draw = || draws.random_range(-2.0..2.0f32);
    Observed { state_value: [(); STATE_VALUE_TERMS].map(|()| draw()), inputs: (0..5).map(|_| draw()).collect() }
}
