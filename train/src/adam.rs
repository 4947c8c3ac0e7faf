//! Adam with decoupled weight decay (Loshchilov and Hutter, 2019), on plain numbers, so that a journal can keep its moments.
//!
//! With the gradient g of step t, the learning rate r and the weight decay d, each parameter p has the moments m and v and becomes
//!
//! ```text
//! m ← 0.9 · m + 0.1 · g        v ← 0.999 · v + 0.001 · g²
//! p ← (1 − r · d) · p − r · (m / (1 − 0.9ᵗ)) / (√(v / (1 − 0.999ᵗ)) + 10⁻⁸)
//! ```

use serde::{Deserialize, Serialize};

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The moments of all parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adam {
    steps: u64,
    first: Vec<Vec<f32>>,
    second: Vec<Vec<f32>>,
}

impl Adam {
    /// The moments before the first step, for lists of parameters with the lengths of these.
    pub fn new<'a>(parameters: impl Iterator<Item = &'a Vec<f32>>) -> Adam {
        let zeros: Vec<Vec<f32>> = parameters.map(|values| vec![0.0; values.len()]).collect();
        Adam { steps: 0, first: zeros.clone(), second: zeros }
    }

    /// The number of steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Takes a step down the gradients, which come in the order of the parameters.
    pub fn step<'a>(
        &mut self,
        parameters: impl Iterator<Item = &'a mut Vec<f32>>,
        gradients: impl Iterator<Item = &'a Vec<f32>>,
        rate: f64,
        weight_decay: f64,
    ) {
        self.steps += 1;
        let kept = (1.0 - rate * f64::from(weight_decay as f32)) as f32;
        let power = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let [first_share, second_share] = [FIRST, SECOND].map(|decay| 1.0 - decay.powi(power));
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((values, gradients), (first, second)) in parameters.zip(gradients).zip(moments) {
            let moments = first.iter_mut().zip(second);
            for ((value, gradient), (first, second)) in values.iter_mut().zip(gradients).zip(moments) {
                *first = *first * FIRST + gradient * (1.0 - FIRST);
                *second = *second * SECOND + gradient * gradient * (1.0 - SECOND);
                let change = *first / first_share / ((*second / second_share).sqrt() + EPSILON);
                *value = *value * kept - change * rate as f32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use burn::module::{Module, Param};
    use burn::optim::{AdamWConfig, GradientsParams};
    use burn::tensor::{Device, Tensor, TensorData};

    use super::*;

    #[derive(Module, Debug)]
    struct Matrices {
        matrices: Vec<Param<Tensor<2>>>,
    }

    /// Every parameter, bit by bit, over steps of different rates.
    #[test]
    fn steps_are_those_of_burn() {
        let device = Device::flex().autodiff();
        let tensor = |values: &Vec<f32>| -> Tensor<2> {
            Tensor::from_data(TensorData::new(values.clone(), [1, values.len()]), &device)
        };
        let drawn = |length: usize| (0..length).map(|at| ((at * 37 + length) % 19) as f32 / 9.0 - 1.0).collect::<Vec<f32>>();
        let mut parameters: Vec<Vec<f32>> = [20, 4, 12, 3].map(drawn).into();
        let matrices = parameters.iter().map(|values| Param::from_tensor(tensor(values)));
        let mut module = Matrices { matrices: matrices.collect() };
        let mut theirs = AdamWConfig::new().with_weight_decay(0.03).with_epsilon(1e-8).init();
        let mut ours = Adam::new(parameters.iter());
        for step in 0..40 {
            let mut gradients = parameters.clone();
            for (number, values) in gradients.iter_mut().enumerate() {
                let made_up = |at: usize| ((at * 7919 + number * 31 + step * 271) % 101) as f32 / 40.0 - 1.0;
                values.iter_mut().enumerate().for_each(|(at, value)| *value = made_up(at).powi(3));
            }
            let rate = 0.01 / (1.0 + step as f64);
            let products =
                module.matrices.iter().zip(&gradients).map(|(matrix, gradient)| (matrix.val() * tensor(gradient)).sum());
            let loss = products.reduce(|sum, product| sum + product).unwrap();
            let found = GradientsParams::from_grads(loss.backward(), &module);
            module = theirs.step(rate, module, found);
            ours.step(parameters.iter_mut(), gradients.iter(), rate, 0.03);
            for (values, matrix) in parameters.iter().zip(&module.matrices) {
                let expected: Vec<u32> = matrix.val().into_data().iter::<f32>().map(f32::to_bits).collect();
                assert_eq!(values.iter().map(|value| value.to_bits()).collect::<Vec<u32>>(), expected, "step {step}");
            }
        }
    }
}
