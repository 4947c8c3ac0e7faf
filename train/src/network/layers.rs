//! The layers under training, as tensors.

use burn::module::{Module, Param};
use burn::tensor::activation::relu;
use burn::tensor::{Device, Tensor, TensorData};
use tilewright_engine::evaluator::network::Dense;

use super::shape::drawn_layers;

/// Dense layers.
#[derive(Module, Debug)]
pub struct Layers {
    weights: Vec<Param<Tensor<2>>>,
    biases: Vec<Param<Tensor<2>>>,
}

/// A matrix of these values, row after row.
pub fn tensor(values: Vec<f32>, rows: usize, columns: usize, device: &Device) -> Tensor<2> {
    Tensor::from_data(TensorData::new(values, [rows, columns]), device)
}

impl Layers {
    /// Layers from `inputs` through `hidden` to one output. The last layer is zero, the others are drawn by seed.
    pub fn new(inputs: usize, hidden: &[usize], seed: u64, device: &Device) -> Layers {
        let mut layers = Layers { weights: Vec::new(), biases: Vec::new() };
        for Dense { weights, bias } in drawn_layers(inputs, hidden, seed) {
            let (from, to) = (weights.len() / bias.len(), bias.len());
            layers.weights.push(Param::from_tensor(tensor(weights, from, to, device)));
            layers.biases.push(Param::from_tensor(tensor(bias, 1, to, device)));
        }
        layers
    }

    /// The output for each row of inputs, one column.
    pub fn output(&self, inputs: Tensor<2>) -> Tensor<2> {
        let mut values = inputs;
        for (number, (weights, bias)) in self.weights.iter().zip(&self.biases).enumerate() {
            values = values.matmul(weights.val()) + bias.val();
            if number + 1 < self.weights.len() {
                values = relu(values);
            }
        }
        values
    }

    /// Takes the first layer of `other` as the last one, with a bias of 1/2.
    #[cfg(test)]
    pub fn replace_last(&mut self, other: &Layers) {
        let last = self.weights.len() - 1;
        self.weights[last] = other.weights[0].clone();
        self.biases[last] = Param::from_tensor(tensor(vec![0.5], 1, 1, &Device::flex()));
    }

    /// The layers for plain inference.
    pub fn dense(&self) -> Vec<Dense> {
        let values = |tensor: Tensor<2>| tensor.into_data().iter::<f32>().collect::<Vec<f32>>();
        let layers = self.weights.iter().zip(&self.biases);
        layers.map(|(weights, bias)| Dense { weights: values(weights.val()), bias: values(bias.val()) }).collect()
    }
}
