//! Layers as tensors, for gradients. The parameters themselves stay plain numbers, so that a journal can keep them.

use burn_tensor::{Device, Gradients, Tensor, TensorData};
use tilewright_engine::evaluator::network::Dense;

/// A matrix.
pub fn tensor(values: Vec<f32>, rows: usize, columns: usize, device: &Device) -> Tensor<2> {
    Tensor::from_data(TensorData::new(values, [rows, columns]), device)
}

/// A layer as tensors.
pub struct Affine {
    weights: Tensor<2>,
    bias: Tensor<2>,
}

impl Affine {
    /// The tensors of a layer; `device` records gradients.
    pub fn new(Dense { weights, bias }: &Dense, device: &Device) -> Affine {
        let leaf = |values: &Vec<f32>, rows| tensor(values.clone(), rows, bias.len(), device).require_grad();
        Affine { weights: leaf(weights, weights.len() / bias.len().max(1)), bias: leaf(bias, 1) }
    }

    /// The outputs, by row of the inputs.
    pub fn output(&self, inputs: Tensor<2>) -> Tensor<2> {
        inputs.matmul(self.weights.clone()) + self.bias.clone()
    }

    /// The gradient of the layer.
    pub fn gradient(&self, found: &mut Gradients) -> Dense {
        let mut values = |leaf: &Tensor<2>| gradient(leaf, found).into_data().iter::<f32>().collect();
        Dense { weights: values(&self.weights), bias: values(&self.bias) }
    }
}

/// The gradient of a leaf; zeros if the loss does not depend on it.
pub fn gradient(leaf: &Tensor<2>, found: &mut Gradients) -> Tensor<2> {
    leaf.grad_remove(found).unwrap_or_else(|| leaf.clone().inner().zeros_like())
}
