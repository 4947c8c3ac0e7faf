//! Models of burn under training: parameters as plain numbers for the journal, and steps of Adam with decoupled weight decay
//! (Loshchilov and Hutter, 2019).
//!
//! A model is a [`Module`]. Its parameters are lists in the order of its fields. Everything is computed on one thread of the
//! CPU or on a GPU ([`Processor`]). A sum that is split among threads of the CPU would depend on their number.

use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::nn::Linear;
use burn::optim::{AdamW, AdamWConfig, AdamWState, AdaptiveMomentumState, GradientsParams, Optimizer};
use burn::tensor::{Device, Tensor, TensorData};
use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::network::Dense;

use crate::run::RunError;

/// The processor that computes the steps of a training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Processor {
    /// One thread of the CPU: the same bytes on every machine.
    #[default]
    Cpu,
    /// The fastest GPU with a driver for Vulkan, Metal or DirectX 12. Its sums depend on the GPU and its driver. Needs the feature `gpu`.
    Gpu,
}

impl Processor {
    /// The device with automatic differentiation.
    ///
    /// # Errors
    /// There is no GPU, or the build has no feature `gpu`.
    pub fn device(self) -> Result<Device, RunError> {
        match self {
            Processor::Cpu => Ok(device()),
            Processor::Gpu => gpu().map_err(|reason| RunError::Input(format!("device = \"gpu\": {reason}"))),
        }
    }
}

#[cfg(feature = "gpu")]
fn gpu() -> Result<Device, String> {
    // A process opens it once.
    static GPU: std::sync::OnceLock<Result<Device, String>> = std::sync::OnceLock::new();
    let open = || Device::wgpu_options().init().map(Device::autodiff).map_err(|error| error.to_string());
    GPU.get_or_init(open).clone()
}

#[cfg(not(feature = "gpu"))]
fn gpu() -> Result<Device, String> {
    Err("this build has no support for GPUs; build with --features gpu".into())
}

/// The thread of the CPU on which models are trained, with automatic differentiation.
pub fn device() -> Device {
    Device::flex().autodiff()
}

/// A matrix on the CPU's [device], from `values` row after row.
pub fn matrix(values: Vec<f32>, columns: usize) -> Tensor<2> {
    let rows = values.len() / columns;
    Tensor::from_data(TensorData::new(values, [rows, columns]), &device())
}

/// The numbers of a tensor.
pub fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().iter().collect()
}

/// A dense layer as a module.
pub fn linear(Dense { weights, bias }: Dense) -> Linear {
    let units = bias.len();
    let bias = Tensor::from_data(TensorData::new(bias, [units]), &device());
    Linear { weight: Param::from_tensor(matrix(weights, units)), bias: Some(Param::from_tensor(bias)) }
}

/// A dense layer for plain inference.
pub fn dense(layer: &Linear) -> Dense {
    let bias = layer.bias.as_ref().map_or_else(Vec::new, |bias| numbers(bias.val()));
    Dense { weights: numbers(layer.weight.val()), bias }
}

/// The parameters of a model.
pub fn parameters<M: Module>(model: &M) -> Vec<Vec<f32>> {
    struct Lists(Vec<Vec<f32>>);
    impl ModuleVisitor for Lists {
        fn visit_float<const D: usize>(&mut self, parameter: &Param<Tensor<D>>) {
            self.0.push(numbers(parameter.val()));
        }
    }
    let mut lists = Lists(Vec::new());
    model.visit(&mut lists);
    lists.0
}

/// A model with these parameters instead of its own, which have the same lengths.
pub fn with_parameters<M: Module>(model: M, lists: &[Vec<f32>]) -> M {
    struct Given<'a>(std::slice::Iter<'a, Vec<f32>>);
    impl ModuleMapper for Given<'_> {
        fn map_float<const D: usize>(&mut self, parameter: Param<Tensor<D>>) -> Param<Tensor<D>> {
            let (id, tensor, mapper) = parameter.consume();
            let (shape, device) = (tensor.shape(), tensor.device());
            let given = self.0.next().map(|list| Tensor::from_data(TensorData::new(list.clone(), shape), &device));
            Param::from_mapped_value(id, given.map_or(tensor, Tensor::require_grad), mapper)
        }
    }
    model.map(&mut Given(lists.iter()))
}

/// The last learning rate of a training as a share of the first.
const LAST_RATE: f64 = 0.01;

/// The learning rate as a share of the first once this share of the steps has passed: half a cosine.
pub fn share_of_rate(passed: f64) -> f64 {
    LAST_RATE + (1.0 - LAST_RATE) * f64::midpoint(1.0, (std::f64::consts::PI * passed).cos())
}

/// The moments of the optimiser, by parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adam {
    /// The number of steps so far.
    pub steps: usize,
    moments: Vec<[Vec<f32>; 2]>,
}

/// A step of [`Adam`], parameter by parameter.
struct Step<'a> {
    steps: usize,
    moments: std::slice::IterMut<'a, [Vec<f32>; 2]>,
    gradients: GradientsParams,
    optimizer: AdamW,
    rate: f64,
}

impl Adam {
    /// The moments of these parameters before the first step.
    pub fn new(parameters: &[Vec<f32>]) -> Adam {
        let zeros = |values: &Vec<f32>| [(); 2].map(|()| vec![0.0; values.len()]);
        Adam { steps: 0, moments: parameters.iter().map(zeros).collect() }
    }

    /// The model after a step down the gradients. Parameters without a gradient stay.
    pub fn step<M: Module>(&mut self, model: M, gradients: GradientsParams, rate: f64, weight_decay: f64) -> M {
        let optimizer = AdamWConfig::new().with_epsilon(1e-8).with_weight_decay(weight_decay as f32).build();
        let moments = self.moments.iter_mut();
        let model = model.map(&mut Step { steps: self.steps, moments, gradients, optimizer, rate });
        self.steps += 1;
        model
    }
}

impl ModuleMapper for Step<'_> {
    fn map_float<const D: usize>(&mut self, parameter: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let (id, mut tensor, mapper) = parameter.consume();
        if let (Some(moments), Some(gradient)) = (self.moments.next(), self.gradients.remove::<D>(id)) {
            let [first, second] = moments.each_mut().map(|moment| {
                let moment = TensorData::new(std::mem::take(moment), gradient.shape());
                Tensor::<D>::from_data(moment, &gradient.device())
            });
            let state = AdamWState::new(AdaptiveMomentumState::new(self.steps, first, second));
            let (stepped, state) = self.optimizer.step(self.rate, tensor.inner(), gradient, Some(state));
            if let Some(AdamWState { momentum }) = state {
                *moments = [momentum.moment_1, momentum.moment_2].map(numbers);
            }
            tensor = Tensor::from_inner(stepped).require_grad();
        }
        Param::from_mapped_value(id, tensor, mapper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Module, Debug)]
    struct Two {
        one: Linear,
        other: Vec<Linear>,
    }

    fn drawn(length: usize, salt: usize) -> Vec<f32> {
        (0..length).map(|at| ((at * 7919 + salt * 271) % 101) as f32 / 50.0 - 1.0).collect()
    }

    fn two() -> (Two, Vec<Vec<f32>>) {
        let lists: Vec<Vec<f32>> = [20, 4, 12, 3].into_iter().zip(1..).map(|(length, salt)| drawn(length, salt)).collect();
        let layer = |at: usize| linear(Dense { weights: lists[at].clone(), bias: lists[at + 1].clone() });
        (Two { one: layer(0), other: vec![layer(2)] }, lists)
    }

    #[test]
    fn parameters_are_read_and_replaced_in_order() {
        let (model, lists) = two();
        assert_eq!(parameters(&model), lists);
        let others: Vec<Vec<f32>> = lists.iter().map(|list| drawn(list.len(), 9)).collect();
        let model = with_parameters(model, &others);
        assert_eq!(parameters(&model), others);
        assert_eq!(dense(&model.one), Dense { weights: others[0].clone(), bias: others[1].clone() });
    }

    /// Every parameter against the formulas of the paper in double precision; one layer has no gradient.
    #[test]
    fn steps_are_those_of_the_paper() {
        let (mut model, lists) = two();
        let mut adam = Adam::new(&lists);
        let mut expected: Vec<Vec<[f64; 3]>> =
            lists.iter().map(|list| list.iter().map(|&value| [value.into(), 0.0, 0.0]).collect()).collect();
        let slope =
            |step: usize, list: usize, at: usize| (((at * 37 + list * 31 + step * 271) % 101) as f32 / 40.0 - 1.0).powi(3);
        for step in 0..40 {
            let rate = 0.01 / (1.0 + step as f64);
            let slopes = |list: usize| (0..lists[list].len()).map(|at| slope(step, list, at)).collect::<Vec<f32>>();
            let weights = matrix(slopes(0), 4) * model.one.weight.val();
            let bias = matrix(slopes(1), 4).reshape([4]) * model.one.bias.as_ref().unwrap().val();
            let gradients = GradientsParams::from_grads((weights.sum() + bias.sum()).backward(), &model);
            model = adam.step(model, gradients, rate, 0.03);
            for (list, values) in expected.iter_mut().enumerate().take(2) {
                for (at, [value, first, second]) in values.iter_mut().enumerate() {
                    let slope = f64::from(slope(step, list, at));
                    *first = 0.9 * *first + 0.1 * slope;
                    *second = 0.999 * *second + 0.001 * slope * slope;
                    let [first, second] =
                        [*first / (1.0 - 0.9f64.powi(step as i32 + 1)), *second / (1.0 - 0.999f64.powi(step as i32 + 1))];
                    *value = (1.0 - rate * 0.03) * *value - rate * first / (second.sqrt() + 1e-8);
                }
            }
        }
        assert_eq!((adam.steps, &parameters(&model)[2..]), (40, &lists[2..]));
        for (found, expected) in parameters(&model).into_iter().flatten().zip(expected.iter().flatten()) {
            assert!((f64::from(found) - expected[0]).abs() < 1e-5, "{found} {expected:?}");
        }
        assert!(parameters(&model)[0].iter().zip(&lists[0]).all(|(now, before)| (now - before).abs() > 1e-3));
    }
}
