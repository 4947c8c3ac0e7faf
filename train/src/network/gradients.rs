//! The gradients of a batch, and how much of those of the heads reaches the hidden layers.
//!
//! The outputs see the activations A of the last hidden layer. With L₀ the loss of the network's own output and Lₕ that of a head, the
//! layer of each output follows the gradient of its own loss, and the hidden layers follow
//!
//! ```text
//! ∂L₀/∂A + Σ over heads of cₕ · ∂Lₕ/∂A,    cₕ = share(h) · mean ‖∂L₀/∂A‖ / mean ‖∂Lₕ/∂A‖
//! ```
//!
//! with running means over about a hundred steps. So a head has its share in what the hidden layers learn, whatever the size of its
//! labels, and it learns at full speed itself.

use serde::{Deserialize, Serialize};

use super::examples::Batch;
use super::layers::Layers;
use crate::affine;

/// The weight of the last step in the running means.
const NEWEST: f64 = 0.01;

/// The running means of the gradients' norms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// By head.
    shares: Vec<f64>,
    /// By output, that of the network first.
    norms: Vec<f64>,
}

impl Balance {
    /// The balance of heads with these shares, before the first step.
    pub fn new(shares: Vec<f64>) -> Balance {
        Balance { norms: vec![0.0; 1 + shares.len()], shares }
    }

    /// Takes the norms of a step, by output. Returns cₕ by head; 0 while a head has no gradient.
    fn scales(&mut self, norms: &[f64]) -> Vec<f64> {
        for (mean, norm) in self.norms.iter_mut().zip(norms) {
            *mean += NEWEST * (norm - *mean);
        }
        let own = self.norms.first().copied().unwrap_or_default();
        let scale = |(share, &norm): (&f64, &f64)| if norm > 0.0 { share * own / norm } else { 0.0 };
        self.shares.iter().zip(self.norms.iter().skip(1)).map(scale).collect()
    }
}

/// The gradients of a batch, and the error of the network's own output.
pub fn gradients(layers: &Layers, batch: &Batch, balance: &mut Balance) -> (Layers, f64) {
    // What each layer sees; the outputs see the last.
    let mut seen = vec![batch.inputs.clone()];
    for (number, layer) in layers.hidden.iter().enumerate() {
        let mut values = affine::outputs(layer, &seen[number]);
        for value in &mut values {
            *value = value.max(0.0);
        }
        seen.push(values);
    }
    let activations = seen.pop().unwrap_or_default();
    let (mut outputs, mut error, mut passed, mut norms) = (Vec::new(), 0.0, Vec::new(), Vec::new());
    for (number, layer) in layers.outputs.iter().enumerate() {
        let (loss, slopes) = batch.loss(number, &affine::outputs(layer, &activations));
        if number == 0 {
            error = loss;
        }
        outputs.push(affine::gradient(layer, &activations, &slopes));
        let of_activations = affine::gradient_of_inputs(layer, &slopes);
        norms.push(of_activations.iter().map(|&slope| f64::from(slope) * f64::from(slope)).sum::<f64>().sqrt());
        passed.push(of_activations);
    }
    let mut passed = passed.into_iter();
    let mut slopes = passed.next().unwrap_or_default();
    for (of_head, scale) in passed.zip(balance.scales(&norms)) {
        slopes.iter_mut().zip(of_head).for_each(|(slope, of_head)| *slope += of_head * scale as f32);
    }
    let mut hidden = Vec::new();
    let mut rectified = &activations;
    for (layer, seen) in layers.hidden.iter().zip(&seen).rev() {
        slopes.iter_mut().zip(rectified).filter(|(_, value)| **value <= 0.0).for_each(|(slope, _)| *slope = 0.0);
        hidden.push(affine::gradient(layer, seen, &slopes));
        // Nothing before the first layer has parameters.
        if hidden.len() < layers.hidden.len() {
            slopes = affine::gradient_of_inputs(layer, &slopes);
        }
        rectified = seen;
    }
    hidden.reverse();
    (Layers { hidden, outputs }, error)
}

#[cfg(test)]
mod tests {
    use super::super::examples::Examples;
    use super::super::test_support::{CONFIG, bare, layers, with_run};
    use super::*;
    use crate::linear::dataset::Dataset;
    use crate::linear::run::Regression;

    const HEADS: &str = "[heads]\nreply = 0.5\nwin = 0.25\n";
    const SHARES: [f64; 2] = [0.25, 0.5];

    /// The loss of each output, and the norm of its gradient to the activations, by plain sums over all sets.
    fn slow(parameters: &[Vec<f64>], hidden: usize, data: &Dataset) -> Vec<(f64, f64)> {
        let affine = |number: usize, row: &[f64]| -> Vec<f64> {
            let (weights, bias) = (&parameters[2 * number], &parameters[2 * number + 1]);
            let output = |to: usize| -> f64 {
                bias[to] + row.iter().enumerate().map(|(from, value)| value * weights[from * bias.len() + to]).sum::<f64>()
            };
            (0..bias.len()).map(output).collect()
        };
        let activations = |row: usize| {
            let inputs: Vec<f64> = data.row(row).iter().map(|&value| f64::from(value) / 3.0).collect();
            let rectified = |values: Vec<f64>| values.into_iter().map(|value| value.max(0.0)).collect::<Vec<f64>>();
            (0..hidden).fold(inputs, |values, number| rectified(affine(number, &values)))
        };
        let seen: Vec<Vec<f64>> = (0..data.rows()).map(activations).collect();
        let of_output = |output: usize| {
            let label = |row: usize| data.labels(output.checked_sub(1))[row];
            let total: f64 = (0..data.rows()).map(|row| label(row).weight).sum();
            let (mut loss, mut squares) = (0.0, 0.0);
            for (rows, _) in data.sets() {
                let values: Vec<f64> = rows.clone().map(|row| affine(hidden + output, &seen[row])[0]).collect();
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                let errors = rows.zip(&values).map(|(row, value)| (label(row).weight, value - mean - label(row).points));
                let errors: Vec<(f64, f64)> = errors.collect();
                loss += errors.iter().map(|(weight, error)| weight * error * error).sum::<f64>() / total;
                let slopes: Vec<f64> = errors.iter().map(|(weight, error)| 2.0 * weight * error / total).collect();
                let common = slopes.iter().sum::<f64>() / slopes.len() as f64;
                squares += slopes.iter().map(|slope| (slope - common).powi(2)).sum::<f64>();
            }
            let weights: f64 = parameters[2 * (hidden + output)].iter().map(|weight| weight * weight).sum();
            (loss, (squares * weights).sqrt())
        };
        (0..parameters.len() / 2 - hidden).map(of_output).collect()
    }

    /// Sets of different sizes share a batch; the places that are left over count nothing.
    #[test]
    fn gradients_are_the_slopes_of_plain_sums_and_heads_pass_on_their_share() {
        with_run(&CONFIG.replace("[candidates]", &format!("{HEADS}\n[candidates]")), |_, regression| {
            let Regression { training, .. } = regression();
            let layers = layers(training.columns(), &[6, 4], 2);
            let mut network = bare(layers.up_to(0), training.columns());
            network.scale.fill(3.0);
            let sizes: Vec<usize> = training.sets().map(|(rows, _)| rows.len()).collect();
            assert!(sizes.iter().any(|&size| size != sizes[0]));
            let examples = Examples::new(&training, &vec![vec![0.0; training.features().len()]; 3]);
            let batch = examples.batch(&(0..examples.sets()).collect::<Vec<_>>(), &network);
            let (found, error) = gradients(&layers, &batch, &mut Balance::new(SHARES.to_vec()));

            let parameters: Vec<Vec<f64>> =
                layers.parameters().map(|values| values.iter().map(|&value| f64::from(value)).collect()).collect();
            let plain = slow(&parameters, 2, &training);
            assert!((error - plain[0].0).abs() < 1e-4 * error, "{error} {plain:?}");
            let scale = |output: usize| if output == 0 { 1.0 } else { SHARES[output - 1] * plain[0].1 / plain[output].1 };
            let mut compared = 0;
            for (number, found) in found.parameters().enumerate() {
                for (at, &found) in found.iter().enumerate().step_by(3) {
                    let losses = |change: f64| {
                        let mut changed = parameters.clone();
                        changed[number][at] += change;
                        slow(&changed, 2, &training)
                    };
                    let (more, less) = (losses(1e-6), losses(-1e-6));
                    let slope = |output: usize| (more[output].0 - less[output].0) / 2e-6;
                    // The first four lists are those of the hidden layers.
                    let expected: f64 = match number {
                        4..10 => slope((number - 4) / 2),
                        _ => (0..3).map(|output| scale(output) * slope(output)).sum(),
                    };
                    assert!(
                        (f64::from(found) - expected).abs() < 1e-3 * (1.0 + expected.abs()),
                        "{number} {at} {found} {expected}"
                    );
                    compared += usize::from(expected.abs() > 0.01);
                }
            }
            assert!(compared > 15, "{compared}");
        });
    }

    #[test]
    fn heads_are_balanced_by_running_means() {
        let mut balance = Balance::new(vec![0.5, 2.0]);
        assert_eq!(balance.scales(&[0.0, 0.0, 3.0]), [0.0, 0.0]);
        for _ in 0..2000 {
            balance.scales(&[6.0, 2.0, 3.0]);
        }
        let scales = balance.scales(&[6.0, 2.0, 3.0]);
        assert!((scales[0] - 1.5).abs() < 1e-6 && (scales[1] - 4.0).abs() < 1e-6, "{scales:?}");
        // One batch of large gradients hardly counts.
        let scales = balance.scales(&[6.0, 20.0, 3.0]);
        assert!(scales[0] > 1.3 && (scales[1] - 4.0).abs() < 1e-6, "{scales:?}");
    }

    /// The layers under training and plain inference give the same output.
    #[test]
    fn what_is_trained_is_what_plays() {
        let layers = layers(5, &[7, 3], 0);
        let inputs: Vec<f32> = (0..50).map(|at| (at * 37 % 23) as f32 / 7.0 - 1.5).collect();
        let last = layers.hidden.iter().fold(inputs.clone(), |values, layer| {
            affine::outputs(layer, &values).into_iter().map(|value| value.max(0.0)).collect()
        });
        let network = bare(layers.up_to(0), 5);
        for (row, output) in inputs.chunks(5).zip(affine::outputs(&layers.outputs[0], &last)) {
            assert!((network.added(row) - output).abs() < 1e-5, "{output}");
            assert!(output != 0.0);
        }
    }
}
