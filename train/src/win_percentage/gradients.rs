//! The loss of the network over all states and leads, and its gradient.
//!
//! The last layer puts out m and, by curve, a, c and t; with w the softmax of the a,
//!
//! ```text
//! P(lead s) = Σ over curves of w · logistic((s − c + m) · e⁻ᵗ)
//! ```
//!
//! In states with symmetric curves, a and t are first averaged with their mirror image, and c with the opposite of its own.

use rayon::prelude::*;
use tilewright_engine::evaluator::network::Dense;

use crate::affine;

/// Probabilities are clamped to this distance from 0 and 1, so that the loss is finite.
const SUREST: f32 = 1e-6;

/// The data of the loss; rows are the states before the end of a game.
pub struct Data {
    /// Features, by state and feature.
    pub features: Vec<f32>,
    /// Whether the curves are symmetric, by state.
    pub even: Vec<bool>,
    /// By state and lead: the lead in σ, its win rate, and its weight in the loss.
    pub leads: Vec<f32>,
    pub wins: Vec<f32>,
    pub weights: Vec<f32>,
}

impl Data {
    /// The leads of a state.
    pub fn columns(&self) -> usize {
        self.leads.len() / self.even.len()
    }

    /// The loss of a state, and its gradient to the output of the last layer.
    fn loss(&self, state: usize, output: &[f32]) -> (f64, Vec<f32>) {
        let columns = self.columns();
        let leads = state * columns..(state + 1) * columns;
        let outcomes = self.wins[leads.clone()].iter().zip(&self.weights[leads.clone()]);
        let mixture = Mixture::new(output, self.even[state]);
        let (mut loss, mut values, mut slopes) = (0.0, Vec::new(), mixture.slopes());
        for (&lead, (&wins, &weight)) in self.leads[leads].iter().zip(outcomes) {
            let exact = mixture.probability(lead, &mut values);
            let probability = exact.clamp(SUREST, 1.0 - SUREST);
            loss -= f64::from(weight * (wins * probability.ln() + (1.0 - wins) * (1.0 - probability).ln()));
            if (SUREST..=1.0 - SUREST).contains(&exact) {
                let slope = weight * ((1.0 - wins) / (1.0 - probability) - wins / probability);
                mixture.add_slopes(lead, slope, &values, &mut slopes);
            }
        }
        (loss, mixture.gradient_of_output(&slopes))
    }
}

/// The layers under training, or their gradients.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers(pub [Dense; 3]);

impl Layers {
    /// Weights and bias of each layer.
    pub fn parameters(&self) -> impl Iterator<Item = &Vec<f32>> {
        self.0.iter().flat_map(|Dense { weights, bias }| [weights, bias])
    }

    /// The same, to be changed.
    pub fn parameters_mut(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        self.0.iter_mut().flat_map(|Dense { weights, bias }| [weights, bias])
    }

    /// The activations of both hidden layers and the output of the last, by state.
    fn pass(&self, features: &[f32]) -> [Vec<f32>; 3] {
        let [first, second, last] = &self.0;
        let activations = |layer: &Dense, inputs: &[f32]| -> Vec<f32> {
            affine::outputs(layer, inputs).into_iter().map(f32::tanh).collect()
        };
        let lower = activations(first, features);
        let upper = activations(second, &lower);
        let output = affine::outputs(last, &upper);
        [lower, upper, output]
    }

    /// The win probabilities, by state and lead.
    #[cfg(test)]
    pub fn probabilities(&self, data: &Data) -> Vec<f32> {
        let [.., output] = self.pass(&data.features);
        let states = output.chunks_exact(self.0[2].bias.len()).zip(data.leads.chunks_exact(data.columns()));
        let of_state = |((output, leads), &is_even): ((&[f32], &[f32]), &bool)| {
            let mixture = Mixture::new(output, is_even);
            leads.iter().map(|&lead| mixture.probability(lead, &mut Vec::new())).collect::<Vec<f32>>()
        };
        states.zip(&data.even).flat_map(of_state).collect()
    }

    /// The weighted log-loss of the outcomes in nats, and its gradient; the same at any number of threads.
    pub fn gradients(&self, data: &Data) -> (f64, Layers) {
        let [lower, upper, output] = self.pass(&data.features);
        let states = output.par_chunks_exact(self.0[2].bias.len()).enumerate();
        let (losses, of_output): (Vec<f64>, Vec<Vec<f32>>) = states.map(|(state, output)| data.loss(state, output)).unzip();
        let of_output = of_output.concat();
        let [first, second, last] = &self.0;
        let of_upper = through_tanh(affine::gradient_of_inputs(last, &of_output), &upper);
        let of_lower = through_tanh(affine::gradient_of_inputs(second, &of_upper), &lower);
        let gradients = [
            affine::gradient(first, &data.features, &of_lower),
            affine::gradient(second, &lower, &of_upper),
            affine::gradient(last, &upper, &of_output),
        ];
        (losses.iter().sum(), Layers(gradients))
    }
}

/// The gradient before a tanh, given that of its values.
fn through_tanh(mut gradient: Vec<f32>, values: &[f32]) -> Vec<f32> {
    gradient.iter_mut().zip(values).for_each(|(slope, value)| *slope *= 1.0 - value * value);
    gradient
}

/// A number for each curve of a state.
struct Curve {
    weight: f32,
    /// The lead that wins half of the games, in σ.
    centre: f32,
    /// One over the width, in 1/σ.
    steepness: f32,
}

/// The curves of a state.
struct Mixture {
    curves: Vec<Curve>,
    is_even: bool,
}

impl Mixture {
    /// The curves that an output of the last layer describes.
    fn new(output: &[f32], is_even: bool) -> Mixture {
        let parts = (output.len() - 1) / 3;
        let mut kinds = output[1..].chunks_exact(parts).zip([1.0, -1.0, 1.0]).map(|(kind, sign)| tied(kind, sign, is_even));
        let [logits, centres, widths] = [(); 3].map(|()| kinds.next().unwrap_or_default());
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        let powers: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let sum: f32 = powers.iter().sum();
        let curves = powers.iter().zip(&centres).zip(&widths);
        let curves = curves.map(|((power, centre), width)| Curve {
            weight: power / sum,
            centre: centre - output[0],
            steepness: (-width).exp(),
        });
        Mixture { curves: curves.collect(), is_even }
    }

    /// The win probability at a lead in σ, and that of each curve alone.
    fn probability(&self, lead: f32, values: &mut Vec<f32>) -> f32 {
        values.clear();
        values.extend(self.curves.iter().map(|curve| 1.0 / (1.0 + ((curve.centre - lead) * curve.steepness).exp())));
        self.curves.iter().zip(values).map(|(curve, value)| curve.weight * *value).sum()
    }

    /// The gradient to the curves before anything is added to it.
    fn slopes(&self) -> Vec<Curve> {
        self.curves.iter().map(|_| Curve { weight: 0.0, centre: 0.0, steepness: 0.0 }).collect()
    }

    /// Adds what the probability at a lead gives to the gradient, where `slope` is the gradient to that probability.
    fn add_slopes(&self, lead: f32, slope: f32, values: &[f32], slopes: &mut [Curve]) {
        for ((curve, sums), value) in self.curves.iter().zip(slopes).zip(values) {
            let of_argument = slope * curve.weight * value * (1.0 - value);
            sums.weight += slope * value;
            sums.centre -= of_argument * curve.steepness;
            sums.steepness += of_argument * (lead - curve.centre);
        }
    }

    /// The gradient to the output of the last layer, given that to the curves.
    fn gradient_of_output(&self, slopes: &[Curve]) -> Vec<f32> {
        let both = || self.curves.iter().zip(slopes);
        let of_sum: f32 = both().map(|(curve, slope)| curve.weight * slope.weight).sum();
        let logits: Vec<f32> = both().map(|(curve, slope)| curve.weight * (slope.weight - of_sum)).collect();
        let centres: Vec<f32> = slopes.iter().map(|slope| slope.centre).collect();
        let widths: Vec<f32> = both().map(|(curve, slope)| -curve.steepness * slope.steepness).collect();
        let shift = -centres.iter().sum::<f32>();
        // Averaging with the mirror image is its own transpose.
        let kinds = [(logits, 1.0), (centres, -1.0), (widths, 1.0)];
        let kinds = kinds.into_iter().flat_map(|(kind, sign)| tied(&kind, sign, self.is_even));
        [shift].into_iter().chain(kinds).collect()
    }
}

/// In states with symmetric curves, the average with the mirror image times `sign`; otherwise the values.
fn tied(values: &[f32], sign: f32, is_even: bool) -> Vec<f32> {
    let mirrored = values.iter().zip(values.iter().rev());
    mirrored.map(|(value, mirrored)| if is_even { 0.5 * (value + sign * mirrored) } else { *value }).collect()
}

#[cfg(test)]
mod tests {
    use burn::tensor::activation::{sigmoid, softmax};
    use burn::tensor::{Device, Tensor, TensorData};

    use super::*;

    const PAIRS: usize = 2;

    /// Numbers from −1 to 1.
    fn drawn(length: usize, salt: usize) -> Vec<f32> {
        (0..length).map(|at| ((at * 7919 + salt * 271) % 101) as f32 / 50.0 - 1.0).collect()
    }

    fn sample() -> (Layers, Data) {
        let (states, inputs, hidden, leads, outputs) = (6, 4, 5, 9, 1 + 6 * PAIRS);
        let layer = |from, to, salt| Dense { weights: drawn(from * to, salt), bias: drawn(to, salt + 1) };
        let layers = Layers([layer(inputs, hidden, 1), layer(hidden, hidden, 3), layer(hidden, outputs, 5)]);
        let to_share = |values: Vec<f32>| values.into_iter().map(|value| f32::midpoint(value, 1.0)).collect::<Vec<f32>>();
        let data = Data {
            features: drawn(states * inputs, 7),
            even: (0..states).map(|state| state % 2 == 0).collect(),
            leads: drawn(states * leads, 8).into_iter().map(|lead| 3.0 * lead).collect(),
            wins: to_share(drawn(states * leads, 9)),
            weights: to_share(drawn(states * leads, 10)),
        };
        (layers, data)
    }

    /// The same by burn: the network as tensors, and its gradient by automatic differentiation.
    fn by_burn(layers: &Layers, data: &Data) -> (f64, Vec<f32>, Vec<Vec<f32>>) {
        let device = Device::flex().autodiff();
        let matrix = |values: &[f32], columns: usize| -> Tensor<2> {
            Tensor::from_data(TensorData::new(values.to_vec(), [values.len() / columns, columns]), &device)
        };
        let leaves: Vec<[Tensor<2>; 2]> = layers
            .0
            .iter()
            .map(|Dense { weights, bias }| {
                [matrix(weights, bias.len()).require_grad(), matrix(bias, bias.len()).require_grad()]
            })
            .collect();
        let (states, leads, parts) = (data.even.len(), data.columns(), 2 * PAIRS);
        let output = |layer: usize, inputs: Tensor<2>| inputs.matmul(leaves[layer][0].clone()) + leaves[layer][1].clone();
        let features = matrix(&data.features, data.features.len() / states);
        let output = output(2, output(1, output(0, features).tanh()).tanh());
        let even = matrix(&data.even.iter().map(|&is_even| f32::from(u8::from(is_even))).collect::<Vec<f32>>(), 1);
        let odd = even.clone().neg() + 1.0;
        let tied = |kind: usize, sign: f64| {
            let values = output.clone().slice([0..states, 1 + kind * parts..1 + (kind + 1) * parts]);
            let mirrored = (values.clone() + values.clone().flip([1]).mul_scalar(sign)).mul_scalar(0.5);
            values * odd.clone() + mirrored * even.clone()
        };
        let shift = output.clone().slice([0..states, 0..1]);
        let weights = softmax(tied(0, 1.0), 1).reshape([states, 1, parts]);
        let centres = (tied(1, -1.0) - shift).reshape([states, 1, parts]);
        let steepness = tied(2, 1.0).neg().exp().reshape([states, 1, parts]);
        let curves = sigmoid((matrix(&data.leads, leads).reshape([states, leads, 1]) - centres) * steepness);
        let probabilities: Tensor<2> = (curves * weights).sum_dim(2).reshape([states, leads]);
        let lost = probabilities.clone().neg() + 1.0;
        let wins = matrix(&data.wins, leads);
        let likelihoods = wins.clone() * probabilities.clone().log() + (wins.neg() + 1.0) * lost.log();
        let loss = (likelihoods * matrix(&data.weights, leads)).sum().neg();
        let found = loss.backward();
        let gradient = |leaf: &Tensor<2>| leaf.grad(&found).unwrap().into_data().iter::<f32>().collect();
        let gradients = leaves.iter().flatten().map(gradient).collect();
        (f64::from(loss.into_scalar::<f32>()), probabilities.into_data().iter::<f32>().collect(), gradients)
    }

    #[test]
    fn gradients_are_those_of_automatic_differentiation() {
        let (layers, data) = sample();
        let (loss, probabilities, expected) = by_burn(&layers, &data);
        let is_near = |a: f32, b: f32| (a - b).abs() < 2e-5 * (1.0 + b.abs());
        assert!(layers.probabilities(&data).iter().zip(&probabilities).all(|(&a, &b)| is_near(a, b)));
        let (found_loss, found) = layers.gradients(&data);
        assert!((found_loss - loss).abs() < 1e-5 * loss, "{found_loss} {loss}");
        let mut large = 0;
        for (found, expected) in found.parameters().zip(&expected) {
            assert_eq!(found.len(), expected.len());
            for (&a, &b) in found.iter().zip(expected) {
                assert!(is_near(a, b), "{a} {b}");
                large += usize::from(b.abs() > 0.05);
            }
        }
        assert!(large > 50, "{large}");
    }
}
