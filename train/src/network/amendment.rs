//! Amendments of a network: what its labels could not tell it.
//!
//! Labels from short playouts are precise, but the leave values at their end know nothing of how the game goes on: what a blank is worth to
//! the last turn, or who empties the bag. Labels by the results of whole games know it, and are mostly noise. So the two divide the work. The
//! network learns from short playouts; then a linear fit of a few weights to the results of whole games says where it is wrong on
//! average, and its skip connection takes these weights up. The layers stay as they are.
//!
//! ```text
//! Σ over candidates of weight · (target − equity by the network − Σ over features β · x)²  + ridge
//! ```
//!
//! The strengths of the ridge are chosen on games of their own, so where the labels say nothing, the amendments are near 0.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use thiserror::Error;
use tilewright_engine::artefact::{ArtefactError, ArtefactWriter, Origin};
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::evaluator::network::load::{LoadedNetwork, NETWORK_KIND};
use tilewright_engine::features::{Feature, feature_set};

use super::artefact::payloads;
use crate::candidates::Positions;
use crate::journal::{Journal, RunKey};
use crate::linear::report::Explanation;
use crate::linear::run::{LinearFit, Regression, Rows, RunError};
use crate::run_config::RunConfig;

/// The config of `configs/linear-fit/amendment.toml`, which is the default.
pub const DEFAULT: &str = tilewright_configs::text("linear-fit", "amendment");

/// The figures of the run.
const REPORT_FILE: &str = "report.json";

/// A network, and the fit that amends it.
pub struct Amendment<'a> {
    /// The network. Its leave table is that of the fit's inputs.
    pub network: &'a LoadedNetwork,
    /// The fit. Its features are inputs of the network, and its `candidate_moves` become those of the amended network.
    pub fit: LinearFit<'a>,
}

/// A feature of the fit that the network does not have.
#[derive(Debug, Error)]
#[error("features: {0} is not an input of the network; remove it")]
pub struct NoInput(&'static str);

/// The result of a amendment.
pub struct AmendmentOutcome {
    /// The amended network.
    pub network: NetworkWeights,
    /// Its figures.
    pub report: AmendmentReport,
}

/// Figures of a amendment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AmendmentReport {
    /// A hash of the network that was amended.
    pub start: String,
    /// Candidate sets that the fit has seen.
    pub training_sets: u64,
    /// What was added to the skip weights, in points per unit.
    pub added: BTreeMap<Feature, f64>,
    /// What the amendments explain of held-out games beyond the network. Gains are those of the choice by the amended network over the
    /// best move by static equity.
    pub held_out: Explanation,
}

impl Amendment<'_> {
    /// Checks that the network has the features of the fit.
    ///
    /// # Errors
    /// [`NoInput`].
    pub fn check(&self) -> Result<(), NoInput> {
        let known = &self.network.weights.settings.features;
        match self.fit.config.features.iter().find(|feature| !known.contains(feature)) {
            Some(feature) => Err(NoInput(feature.about().name)),
            None => Ok(()),
        }
    }

    /// The key of the run: everything that its result depends on.
    pub fn key(&self) -> RunKey {
        self.fit.key().with_input("network", &self.network.identity)
    }

    /// Makes the candidate sets, and amends the network. `sets` is the journal of [`Maker::key`](crate::candidates::Maker::key).
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run(&self, sets: &Journal<'_>) -> Result<AmendmentOutcome, RunError> {
        let start = Some(&self.network.evaluator);
        let rows = Rows { positions: Positions::WithBag, inputs: &[], parts: &[], boards: false, start };
        self.amended(&self.fit.regression(rows, sets)?)
    }

    /// The network with the weights of a regression that starts from it.
    fn amended(&self, regression: &Regression) -> Result<AmendmentOutcome, RunError> {
        let Regression { training, held_out, added, .. } = regression;
        let fitted = training.features().iter().copied().zip(added.iter().copied());
        let added_by_feature: BTreeMap<Feature, f64> = fitted.collect();
        let mut network = self.network.weights.clone();
        network.settings.candidate_moves = self.fit.config.candidate_moves;
        for (feature, skip) in network.settings.features.iter().zip(&mut network.skip) {
            *skip += added_by_feature.get(feature).copied().unwrap_or_default() as f32;
        }
        if let Some(endgame) = &mut network.endgame {
            endgame.settings.clone_from(&network.settings);
        }
        network.check()?;
        let report = AmendmentReport {
            start: self.network.identity.clone(),
            training_sets: training.sets().count() as u64,
            added: added_by_feature,
            held_out: Explanation::new(held_out, &held_out.predictions(added)),
        };
        Ok(AmendmentOutcome { network, report })
    }

    /// Writes the amended network and its figures to a folder, with the leave table of its features unless that is the embedded one.
    ///
    /// # Errors
    /// [`ArtefactError`].
    pub fn write(&self, outcome: &AmendmentOutcome, folder: &Path) -> Result<(), ArtefactError> {
        let (setup, config) = (self.fit.inputs.setup, self.fit.config);
        let origin = Origin { feature_set: feature_set("features of moves"), seed: config.seed, config: config.to_toml() };
        let mut artefact = ArtefactWriter::new(folder, NETWORK_KIND, setup, origin);
        artefact.measure("explained", outcome.report.held_out.all.explained);
        artefact.measure("signal", outcome.report.held_out.all.signal);
        for (name, bytes) in payloads(&outcome.network, self.network.own_table(), &setup.tileset, folder)? {
            artefact.add(name, bytes)?;
        }
        artefact.add_encoded(REPORT_FILE, serde_json::to_string_pretty(&outcome.report).map(|text| text + "\n"))?;
        artefact.finish()
    }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::artefact::Loader;
    use tilewright_engine::evaluator::Network;
    use tilewright_engine::moves::Move;
    use tilewright_engine::player::Player;
    use tilewright_engine::setup::Setup;
    use tilewright_engine::win_percentage::WinPercentage;

    use super::super::config::NetworkConfig;
    use super::super::samples::{CONFIG, bare, layers};
    use super::*;
    use crate::candidates::samples::labelled_sets;
    use crate::candidates::{CandidateSet, FitInputs, SetPlayer};
    use crate::linear::config::LinearFitConfig;
    use crate::linear::dataset::centre;

    fn feature(name: &str) -> Feature {
        serde_json::from_value(name.into()).unwrap()
    }

    /// Labels every candidate by the network's equity and `more` points, without noise.
    fn label(sets: &mut [CandidateSet], network: &Network, setup: &Setup, more: impl Fn(&Move) -> f64) {
        for set in sets {
            let moves: Vec<Move> = set.candidates.iter().map(|candidate| candidate.chosen).collect();
            let position = set.position(setup);
            let equities = network.equities(&position.turn(setup), &moves);
            let mut values: Vec<f64> = equities.iter().zip(&moves).map(|(equity, chosen)| equity + more(chosen)).collect();
            centre(&mut values);
            for (candidate, value) in set.candidates.iter_mut().zip(values) {
                let sum = (4000.0 * value).round() as i64;
                (candidate.gain.sum, candidate.gain.squares) = (sum, sum * sum / 4);
            }
        }
    }

    #[test]
    fn what_the_network_does_not_know_is_added_to_its_skip_weights() {
        let setup = Setup::embedded("english").unwrap();
        let player = Player::from_name("greedy", Loader::new(&setup)).unwrap();
        let table = WinPercentage::for_setup(&setup).0;
        let features = |names: [&str; 2]| names.map(feature).into_iter().collect();
        let sample = NetworkConfig::from_toml(CONFIG, "sample").unwrap().linear();
        let config = LinearFitConfig { features: features(["tiles_played", "hooks_opened"]), candidate_moves: 7, ..sample };
        let inputs = FitInputs::new(&setup, SetPlayer::new(&player).unwrap(), &table);
        let names = ["tiles_in_bag", "tiles_played", "hooks_opened", "vowel_imbalance"];
        let mut weights = bare(layers(None, 4, &[6, 4], 0).up_to(0), 4);
        weights.settings.features = names.map(feature).to_vec();
        weights.skip = vec![0.0, 0.5, -2.0, 1.0];
        weights.scale = vec![40.0, 4.0, 1.0, 3.0];
        let evaluator = Network::new(weights.clone(), &setup, None).unwrap();
        let network = LoadedNetwork { evaluator, identity: "sample".into(), weights, leaves: None, config: None };
        let amendment = Amendment { network: &network, fit: LinearFit { inputs: &inputs, config: &config } };
        amendment.check().unwrap();
        let amended = |more: fn(&Move) -> f64| {
            let mut sets = labelled_sets(&setup);
            label(&mut sets, &network.evaluator, &setup, more);
            let start = Some(&network.evaluator);
            let rows = Rows { positions: Positions::WithBag, inputs: &[], parts: &[], boards: false, start };
            let regression = amendment.fit.regression_on(rows, |take| {
                take(&sets);
                Ok(())
            });
            amendment.amended(&regression.unwrap()).unwrap()
        };
        let same = amended(|_| 0.0);
        assert!(same.report.added.values().all(|added| added.abs() < 0.01), "{:?}", same.report.added);
        let found = amended(|chosen| 3.0 * chosen.tiles().len() as f64);
        let added = &found.report.added;
        assert!((added[&feature("tiles_played")] - 3.0).abs() < 0.1, "{added:?}");
        assert!(added[&feature("hooks_opened")].abs() < 0.3, "{added:?}");
        assert!(found.report.held_out.all.explained > 0.95, "{:?}", found.report.held_out.all);
        let NetworkWeights { skip, layers, settings, .. } = &found.network;
        assert!((skip[1] - 3.5).abs() < 0.1 && skip[0] == 0.0 && skip[3].to_bits() == 1.0_f32.to_bits(), "{skip:?}");
        assert_eq!((layers, settings.candidate_moves), (&network.weights.layers, 7));

        let other = LinearFitConfig { features: features(["tiles_played", "bag_emptied"]), ..config.clone() };
        let refused = Amendment { network: &network, fit: LinearFit { inputs: &inputs, config: &other } }.check();
        assert!(refused.unwrap_err().to_string().contains("bag_emptied is not an input of the network"));
    }
}
