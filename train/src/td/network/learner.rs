//! What a network has learned, and the steps that change it.

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use super::super::config::Part;
use super::super::trajectory::{Rule, Trajectory};
use super::value::{Gradient, Observed, Value};

/// The shares of the old means in Adam's means of the gradient and of its square.
const KEPT: [f32; 2] = [0.9, 0.999];
/// Gradients far below this, in points times units of a parameter, count as 0.
const TINY: f32 = 1e-6;

/// The parameters, and Adam's means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkLearner {
    /// The parameters, as the value of the network lists them.
    pub parameters: Vec<f32>,
    /// By parameter, the mean of its gradients.
    means: Vec<f32>,
    /// By parameter, the mean of their squares.
    squares: Vec<f32>,
    /// Steps so far.
    steps: u64,
}

impl NetworkLearner {
    /// A learner that begins with these parameters.
    pub fn new(parameters: Vec<f32>) -> NetworkLearner {
        let [means, squares] = [(); 2].map(|()| vec![0.0; parameters.len()]);
        NetworkLearner { parameters, means, squares, steps: 0 }
    }

    /// Learns from some games in one step; `start` has the shape of the network. Returns the sum of the squared differences and their
    /// number. Games are looked at in parallel, and added up in their order.
    pub fn learn(
        &mut self,
        games: &[[Trajectory<Observed>; 2]],
        rule: &Rule,
        learn: &BTreeSet<Part>,
        start: &Value,
    ) -> (f64, u64) {
        let value = start.with_parameters(&self.parameters);
        let layers = value.network.layers.len();
        let first = if learn.contains(&Part::Layers) {
            0
        } else if learn.contains(&Part::Output) {
            layers - 1
        } else {
            layers
        };
        let gradients: Vec<Gradient> = games.par_iter().map(|game| value.gradient(game, rule, first)).collect();
        let mut sums = vec![0.0; self.parameters.len()];
        for gradient in &gradients {
            sums.iter_mut().zip(&gradient.sums).for_each(|(sum, part)| *sum += part);
        }
        self.step(&sums, &value.units(learn), rule.rate as f32);
        let squares = gradients.iter().map(|gradient| gradient.squares).sum();
        (squares, gradients.iter().map(|gradient| gradient.differences).sum())
    }

    /// Moves every parameter along its gradient by at most `rate` units.
    fn step(&mut self, gradient: &[f32], units: &[f32], rate: f32) {
        self.steps += 1;
        let [kept_mean, kept_square] = KEPT;
        // Both means begin at 0, which counts less and less.
        let [mean_share, square_share] = KEPT.map(|kept| 1.0 - kept.powf(self.steps as f32));
        let means = self.means.iter_mut().zip(&mut self.squares);
        for ((parameter, (mean, square)), (gradient, unit)) in
            self.parameters.iter_mut().zip(means).zip(gradient.iter().zip(units))
        {
            *mean = kept_mean * *mean + (1.0 - kept_mean) * gradient;
            *square = kept_square * *square + (1.0 - kept_square) * gradient * gradient;
            let along = *mean / mean_share / ((*square / square_share).sqrt() + TINY);
            *parameter += rate * unit * along.clamp(-1.0, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use tilewright_engine::rng::stream;

    use super::super::super::trajectory::{Step, Target};
    use super::super::test_support::value;
    use super::*;

    /// Whether a player holds each of two tiles, as a network sees it.
    fn observed(held: [bool; 2]) -> Observed {
        let [one, other] = held.map(|held| f32::from(i8::from(held)) * 2.0 - 1.0);
        Observed { state_value: [1.0, 0.0, 0.0, 0.0], inputs: vec![one, 0.0, one, other, 0.0] }
    }

    /// A chain of turns: a player that holds exactly one of two tiles gains 5 points on average by the next turn, and otherwise loses 5.
    fn chain(game: u64) -> Trajectory<Observed> {
        let mut draws = stream(4, "chain", game);
        let (mut spread, mut steps) = (0, Vec::new());
        for _ in 0..12 {
            let held = [(); 2].map(|()| draws.random_bool(0.5));
            steps.push(Step { observed: observed(held), spread, explored: false });
            spread += draws.random_range(-12..=12) + if held[0] == held[1] { -5 } else { 5 };
        }
        Trajectory { steps, final_spread: spread }
    }

    /// Learns from 6,000 games, 20 at a time.
    fn learned(start: &Value, learn: &[Part], lambda: f64) -> Value {
        let learn = learn.iter().copied().collect();
        let mut learner = NetworkLearner::new(start.parameters());
        for step in 0..300u64 {
            let games: Vec<_> = (20 * step..20 * (step + 1)).map(|game| [chain(2 * game), chain(2 * game + 1)]).collect();
            let rate = 0.03 / (1.0 + step as f64 / 60.0);
            learner.learn(&games, &Rule { target: Target::Points, lambda, rate }, &learn, start);
        }
        start.with_parameters(&learner.parameters)
    }

    #[test]
    fn a_network_learns_what_no_linear_terms_could() {
        let mut start = value(&[8], 2);
        (start.network.mean, start.network.scale) = (vec![0.0; 5], vec![1.0; 5]);
        for lambda in [0.0, 0.7] {
            let value = learned(&start, &[Part::Layers, Part::Output, Part::Skip], lambda);
            for held in [[false, false], [false, true], [true, false], [true, true]] {
                let (found, wanted) = (value.of(&observed(held)), if held[0] == held[1] { -5.0 } else { 5.0 });
                assert!((found - wanted).abs() < 1.5, "{lambda} {held:?} {found}");
            }
        }
    }

    #[test]
    fn only_the_named_parts_change() {
        let start = value(&[8], 2);
        let changed = |learn: &[Part]| {
            let value = learned(&start, learn, 0.5).network;
            let [hidden, output] = [0, 1].map(|layer: usize| value.layers[layer] != start.network.layers[layer]);
            (value.skip != start.network.skip, hidden, output)
        };
        assert_eq!(changed(&[Part::Output]), (false, false, true));
        assert_eq!(changed(&[Part::Layers]), (false, true, false));
        assert_eq!(changed(&[Part::Skip]), (true, false, false));
    }

    #[test]
    fn no_step_exceeds_the_rate() {
        let mut learner = NetworkLearner::new(vec![0.0; 3]);
        for gradient in [1.0, -3.0, 1e6, 1e-3, 4.0] {
            let before = learner.parameters.clone();
            learner.step(&[gradient, gradient, 0.0], &[1.0, 20.0, 5.0], 0.01);
            let moved: Vec<f32> = learner.parameters.iter().zip(&before).map(|(now, before)| (now - before).abs()).collect();
            assert!(moved[0] > 0.0 && moved[0] <= 0.010_01 && moved[1] <= 0.200_1 && moved[2] == 0.0, "{moved:?}");
        }
    }
}
