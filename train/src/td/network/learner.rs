//! The learned state of a network, and the steps that change it.

use std::collections::BTreeSet;

use burn::optim::GradientsParams;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use super::super::config::Part;
use super::super::trajectory::{Rule, Trajectory};
use super::model::{Rows, ValueModel};
use super::value::{Errors, Observed, Value};
use crate::models::{Adam, matrix, parameters};

/// The parameters, and the moments of the optimiser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkLearner {
    /// The parameters, as `Value::parameters` lists them.
    pub parameters: Vec<Vec<f32>>,
    adam: Adam,
}

impl NetworkLearner {
    /// A learner that begins with a value.
    pub fn new(start: &Value) -> NetworkLearner {
        let parameters = start.parameters();
        NetworkLearner { adam: Adam::new(&parameters), parameters }
    }

    /// Learns from some games in one step. `start` has the shape of the network. Returns the sum of the squared differences
    /// and their number. The games are read in parallel, and added up in their order.
    pub fn learn(
        &mut self,
        games: &[[Trajectory<Observed>; 2]],
        rule: &Rule,
        learn: &BTreeSet<Part>,
        start: &Value,
    ) -> (f64, u64) {
        let value = start.with_parameters(&self.parameters);
        let errors: Vec<Errors<'_>> = games.par_iter().map(|game| value.errors(game, rule)).collect();
        let moves = errors.iter().flat_map(|game| &game.moves);
        let factors: Vec<f32> = moves.clone().map(|&(_, factor)| factor).collect();
        if !factors.is_empty() {
            let model = ValueModel::new(&self.parameters, learn);
            let values = model.forward(Rows::new(&value, moves.map(|&(seen, _)| seen)));
            let loss = (values * matrix(factors, 1)).sum().neg();
            let gradients = GradientsParams::from_grads(loss.backward(), &model);
            self.parameters = parameters(&self.adam.step(model, gradients, rule.rate, 0.0));
        }
        (errors.iter().map(|game| game.squares).sum(), errors.iter().map(|game| game.differences).sum())
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
        let mut learner = NetworkLearner::new(start);
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
}
