//! The layers under training, as tensors.

use burn::module::{Module, Param};
use burn::tensor::activation::relu;
use burn::tensor::{Device, Tensor, TensorData};
use rand::RngExt;
use tilewright_engine::evaluator::network::Dense;
use tilewright_engine::rng::stream;

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
        let mut draws = stream(seed, "network", 0);
        let mut layers = Layers { weights: Vec::new(), biases: Vec::new() };
        let mut from = inputs;
        for (number, &to) in hidden.iter().chain(&[1]).enumerate() {
            let most = if number == hidden.len() { 0.0 } else { (6.0 / from as f32).sqrt() };
            let weights = (0..from * to).map(|_| (2.0 * draws.random::<f32>() - 1.0) * most).collect();
            layers.weights.push(Param::from_tensor(tensor(weights, from, to, device)));
            layers.biases.push(Param::from_tensor(tensor(vec![0.0; to], 1, to, device)));
            from = to;
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
