//! The evaluation of a finished network on candidate sets outside its training.
//!
//! ```text
//! weights, sets ─► the explained share, next to its skip connection alone
//!               ─► sources: which part of the future the correction foresees, the reply or the own next turn
//!               ─► calibration: simulated gains by predicted gain
//!               ─► attributions: the loss when one input is shuffled
//! ```
//!
//! The **correction** of a candidate is the sum of skip connection and layers, beyond score and prior (the value by
//! `leave+pool+late`). The **prediction** is all of it. Both are centred on the mean of their set, as the labels are, and in
//! points. Everything is a function of weights, sets and seed, with the same bytes on any number of threads.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tilewright_engine::Setup;
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::features::Inputs;

use super::inference::predictions;
use crate::candidates::{CandidateSet, Part, Targets};
use crate::linear::dataset::{Dataset, prior};
use crate::linear::run::Explanation;

pub mod calibration;
pub mod attribution;

use attribution::{Attribution, attributions};
use calibration::{Calibration, Source, calibrate};

/// The evaluation of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NetworkEvaluation {
    /// Candidates of all sets.
    pub candidates: u64,
    /// The figures of the network.
    pub network: Explanation,
    /// The figures of its skip connection alone.
    pub skip: Explanation,
    /// Where this comes from.
    #[serde(flatten)]
    pub details: Details,
}

/// Where the explained share of a network comes from, and how far its predictions hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Details {
    /// Which part of the future the correction foresees.
    pub sources: Vec<Source>,
    /// Simulated gains by predicted gain: by stage, and of all sets.
    pub calibration: Vec<Calibration>,
    /// By input, the most important first.
    pub attributions: Vec<Attribution>,
}

/// Candidate sets with the inputs of one network and the labels of all parts.
pub struct EvaluationData<'a> {
    setup: &'a Setup,
    weights: &'a NetworkWeights,
    inputs: Arc<Inputs>,
    targets: Targets<'a>,
    data: Dataset,
}

impl<'a> EvaluationData<'a> {
    /// No sets yet. `inputs` are the inputs of the weights. `targets` defines the labels and the network's target.
    pub fn new(
        setup: &'a Setup,
        weights: &'a NetworkWeights,
        inputs: Arc<Inputs>,
        targets: Targets<'a>,
    ) -> EvaluationData<'a> {
        let parts = [Part::Reply, Part::NextTurn];
        let data = Dataset::new(weights.settings.features.clone(), inputs.count(), &parts);
        EvaluationData { setup, weights, inputs, targets, data }
    }

    /// Appends sets.
    pub fn append(&mut self, sets: &[CandidateSet]) {
        self.data.append(&sets.iter().collect::<Vec<_>>(), &self.inputs, self.setup, self.targets);
    }

    /// The number of sets.
    pub fn sets(&self) -> usize {
        self.data.sets().count()
    }

    /// Evaluates the network on the sets, at least one. `seed` shuffles the inputs.
    pub fn evaluate(&self, seed: u64) -> NetworkEvaluation {
        let (data, added) = (&self.data, added(self.weights));
        let [network, skip] = [predictions(self.weights, data, &added), data.predictions(&added)]
            .map(|predictions| Explanation::new(data, &predictions));
        NetworkEvaluation { candidates: data.rows() as u64, network, skip, details: self.details(seed) }
    }

    /// Where the explained share comes from. `seed` shuffles the inputs. The attributions take most of the time: one pass of the layers over
    /// all candidates for each input.
    pub fn details(&self, seed: u64) -> Details {
        let EvaluationData { setup, weights, ref data, .. } = *self;
        let added = added(weights);
        let corrections = predictions(weights, data, &added);
        Details {
            sources: (0..data.parts.len()).flat_map(|number| Source::by_stage(data, number, &corrections)).collect(),
            calibration: calibrate(data, &corrections),
            attributions: attributions(weights, data, &added, setup.tileset.kinds().len(), seed),
        }
    }
}

/// The skip weights less the prior, in points per unit of each feature.
fn added(weights: &NetworkWeights) -> Vec<f64> {
    let features = weights.settings.features.iter().zip(&weights.skip);
    features.map(|(&feature, &skip)| f64::from(skip) - prior(feature)).collect()
}

#[cfg(test)]
mod tests {
    use tilewright_engine::evaluator::network::{Dense, NetworkSettings};
    use tilewright_engine::features::{ExtraInput, Feature, VERSION};
    use tilewright_engine::win_percentage::WinPercentage;

    use super::*;
    use crate::candidates::{TargetConfig, test_support::labelled_sets};

    /// Passes some candidate sets to a test, with a network of made-up weights that does not look at the unseen tiles.
    pub(super) fn sample(test: impl FnOnce(&EvaluationData<'_>, &NetworkWeights)) {
        let setup = Setup::embedded("english").unwrap();
        let table = WinPercentage::for_setup(&setup).0;
        let names = ["tiles_in_bag", "tiles_played", "vowel_imbalance"];
        let features: Vec<Feature> = names.map(|name| serde_json::from_value(name.into()).unwrap()).to_vec();
        let (hidden, inputs) = (4, 3 + 1 + 27 + 27);
        let made_up = |count: usize| (0..count).map(|at| (at * 7919 % 101) as f32 / 100.0 - 0.5).collect::<Vec<f32>>();
        let mut first = made_up(inputs * hidden);
        first[(inputs - 27) * hidden..inputs * hidden].fill(0.0);
        let layers =
            vec![Dense { weights: first, bias: made_up(hidden) }, Dense { weights: made_up(hidden), bias: vec![0.25] }];
        let settings = NetworkSettings {
            feature_version: VERSION,
            leaves: None,
            features,
            extra_inputs: vec![ExtraInput::Score, ExtraInput::LeaveTiles, ExtraInput::UnseenTiles],
            candidate_moves: 10,
            margin: 10.0,
            prior: Vec::new(),
        };
        let weights =
            NetworkWeights { settings, skip: made_up(3), mean: vec![0.5; inputs], scale: vec![2.0; inputs], layers };
        weights.check().unwrap();
        let targets = Targets { config: TargetConfig::default(), deals: 4, win_percentage: &table };
        let inputs = Inputs::new(&weights.settings.features, &weights.settings.extra_inputs, &setup, None).unwrap();
        let mut data = EvaluationData::new(&setup, &weights, Arc::new(inputs), targets);
        for sets in labelled_sets(&setup).chunks(7) {
            data.append(sets);
        }
        test(&data, &weights);
    }

    #[test]
    fn parts_agree_with_the_dataset() {
        sample(|data, weights| {
            let evaluation = data.evaluate(1);
            assert_eq!(evaluation.candidates, data.data.rows() as u64);
            assert_eq!(evaluation.network.all.sets, data.sets() as u64);
            let details = &evaluation.details;
            assert_eq!((details.sources.len(), details.calibration.len()), (8, 4));
            assert_eq!(details.attributions.len(), weights.settings.features.len() + 3);
            assert!(data.data.parts.iter().all(|(_, labels)| labels.len() == data.data.rows()));
            assert_ne!(evaluation.network, evaluation.skip);
            assert_eq!(data.evaluate(1), evaluation);
        });
    }
}
