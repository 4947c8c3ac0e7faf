//! The model under training, and its loss over all states and leads.
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
use burn::tensor::Tensor;
use burn::tensor::activation::{sigmoid, softmax};

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
