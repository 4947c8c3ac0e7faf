//! The layers under training.

use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::network::Dense;

use super::shape::drawn_layers;

/// Hidden layers, and the outputs that see the last of them: that of the network, then the heads. The same shape holds their gradients.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layers {
    /// From the inputs on.
    pub hidden: Vec<Dense>,
    /// Layers with one output each; at least one.
    pub outputs: Vec<Dense>,
}

impl Layers {
    /// Layers from `inputs` through `hidden` to one output and this many heads. The outputs are zero; the hidden layers are drawn by seed.
    pub fn new(inputs: usize, hidden: &[usize], heads: usize, seed: u64) -> Layers {
        let mut layers = drawn_layers(inputs, hidden, seed);
        let mut outputs = layers.split_off(hidden.len());
        let units = hidden.last().copied().unwrap_or(inputs);
        outputs.resize(1 + heads, Dense { weights: vec![0.0; units], bias: vec![0.0] });
        Layers { hidden: layers, outputs }
    }

    /// The layers for plain inference of the output with this number; 0 is that of the network.
    pub fn up_to(&self, output: usize) -> Vec<Dense> {
        self.hidden.iter().chain([&self.outputs[output]]).cloned().collect()
    }

    /// Weights and bias of each layer, in one order.
    pub fn parameters(&self) -> impl Iterator<Item = &Vec<f32>> {
        self.hidden.iter().chain(&self.outputs).flat_map(|Dense { weights, bias }| [weights, bias])
    }

    /// The same, to be changed.
    pub fn parameters_mut(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        self.hidden.iter_mut().chain(&mut self.outputs).flat_map(|Dense { weights, bias }| [weights, bias])
    }
}
