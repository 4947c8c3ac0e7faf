//! A convolution over the board: layers of 3 × 3 filters, their mean over all squares, and with the rack one output.

use burn::module::Module;
use burn::nn::conv::{Conv2d, Conv2dConfig};
use burn::nn::{Linear, LinearConfig, PaddingConfig2d};
use burn::tensor::activation::relu;
use burn::tensor::{Device, Tensor};
use serde::Deserialize;

use crate::{Batch, BoardModel, PLANES};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Filters of each layer.
    pub filters: Vec<usize>,
    /// Kinds of tiles.
    pub kinds: usize,
}

/// Estimates the remaining spread of the player to move.
#[derive(Module, Debug)]
pub struct Convolution {
    layers: Vec<Conv2d>,
    output: Linear,
}

/// Layers of 3 × 3 filters that keep the size of the board.
pub fn layers(filters: &[usize], device: &Device) -> Vec<Conv2d> {
    let inputs = [PLANES].into_iter().chain(filters.iter().copied());
    let layer = |(from, &to): (usize, &usize)| {
        Conv2dConfig::new([from, to], [3, 3]).with_padding(PaddingConfig2d::Explicit(1, 1, 1, 1)).init(device)
    };
    inputs.zip(filters).map(layer).collect()
}

impl Config {
    pub fn model(&self, device: &Device) -> Convolution {
        let width = self.filters.last().map_or(PLANES, |&filters| filters) + self.kinds;
        Convolution { layers: layers(&self.filters, device), output: LinearConfig::new(width, 1).init(device) }
    }
}

impl BoardModel for Convolution {
    fn loss(&self, positions: &Batch) -> Tensor<1> {
        let boards = self.layers.iter().fold(positions.boards.clone(), |values, layer| relu(layer.forward(values)));
        let means = boards.mean_dim(3).mean_dim(2).flatten::<2>(1, 3);
        let estimates = self.output.forward(Tensor::cat(vec![means, positions.racks.clone()], 1));
        (estimates - positions.remaining.clone()).powi_scalar(2).mean()
    }

    fn loss_of_constant(positions: &Batch) -> f64 {
        let mean = positions.remaining.clone().mean_dim(0);
        (positions.remaining.clone() - mean).powi_scalar(2).mean().into_scalar::<f32>().into()
    }
}
