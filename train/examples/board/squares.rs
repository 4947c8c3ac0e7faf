//! A head per square: the probability that the next play covers it, as the board alone tells.

use burn::module::Module;
use burn::nn::conv::{Conv2d, Conv2dConfig};
use burn::tensor::activation::{relu, softplus};
use burn::tensor::{Device, Tensor};
use serde::Deserialize;

use crate::convolution::layers;
use crate::{Batch, BoardModel};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Filters of each layer.
    pub filters: Vec<usize>,
}

/// Estimates the log-odds of each square.
#[derive(Module, Debug)]
pub struct Squares {
    layers: Vec<Conv2d>,
    head: Conv2d,
}

impl Config {
    pub fn model(&self, device: &Device) -> Squares {
        let width = self.filters.last().map_or(crate::PLANES, |&filters| filters);
        Squares { layers: layers(&self.filters, device), head: Conv2dConfig::new([width, 1], [1, 1]).init(device) }
    }
}

impl BoardModel for Squares {
    fn loss(&self, positions: &Batch) -> Tensor<1> {
        let values = self.layers.iter().fold(positions.boards.clone(), |values, layer| relu(layer.forward(values)));
        let odds = self.head.forward(values);
        (softplus(odds.clone(), 1.0) - odds * positions.covered.clone()).mean()
    }

    fn loss_of_constant(positions: &Batch) -> f64 {
        let share: f64 = positions.covered.clone().mean().into_scalar::<f32>().into();
        -share * share.ln() - (1.0 - share) * (1.0 - share).ln()
    }
}
