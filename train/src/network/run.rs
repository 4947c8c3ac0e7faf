//! The whole run: candidate sets, the linear fit, and the layers. The journal keeps the candidate sets and the trained network.

use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::network::NetworkWeights;

use super::config::NetworkConfig;
use super::shape::standardisation;
use super::training::{Epoch, predictions, train};
use crate::candidates::FitInputs;
use crate::cpu_clock::{CpuClock, CpuTimes};
use crate::journal::{Journal, RunKey};
use crate::linear::dataset::{Dataset, prior};
use crate::linear::report::Explanation;
use crate::linear::run::{LinearFit, Regression, RunError};
use crate::run_config::RunConfig;

/// A network run: its inputs and its config.
pub struct NetworkRun<'a> {
    /// What it is computed from.
    pub inputs: &'a FitInputs<'a>,
    /// The config.
    pub config: &'a NetworkConfig,
}

/// Figures of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NetworkReport {
    /// Candidate sets that were trained on.
    pub training_sets: u64,
    /// What the linear fit explains of held-out games.
    pub linear: Explanation,
    /// What the network explains of them.
    pub network: Explanation,
    /// The passes over the candidate sets.
    pub epochs: Vec<Epoch>,
}

/// The result of a run.
pub struct NetworkOutcome {
    /// The network.
    pub network: NetworkWeights,
    /// Its figures.
    pub report: NetworkReport,
    /// The CPU time by part. The artefact does not hold it.
    pub times: CpuTimes,
}

/// A trained network, as the journal keeps it.
#[derive(Serialize, Deserialize)]
struct Trained {
    layers: Vec<tilewright_engine::evaluator::network::Dense>,
    epochs: Vec<Epoch>,
}

impl NetworkRun<'_> {
    /// The key of the run: everything that its result depends on.
    pub fn key(&self) -> RunKey {
        self.inputs.key(self.config.to_toml())
    }

    /// Makes the candidate sets, and trains the network. `journal` is open for the key, and `sets` is the journal of
    /// [`Maker::key`](crate::candidates::Maker::key).
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run(&self, journal: &Journal<'_>, sets: &Journal<'_>) -> Result<NetworkOutcome, RunError> {
        let linear = LinearFit { inputs: self.inputs, config: &self.config.linear() };
        self.train(linear.regression(&self.config.extra_inputs, sets)?, journal)
    }

    /// Trains the network on a regression by [`NetworkConfig::linear`] that has the extra inputs. The journal keeps the network.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn train(&self, regression: Regression, journal: &Journal<'_>) -> Result<NetworkOutcome, RunError> {
        let Regression { training, validation, held_out, added, mut times, .. } = regression;
        let mut clock = CpuClock::start();
        let mut network = self.untrained(&training, &added);
        journal.monitor().begin("training", self.config.epochs as u64, "epochs");
        let trained = journal.once("network", "", || {
            let epochs = train(&mut network, (&training, &validation), &added, self.config, journal.monitor());
            let epochs = epochs.ok_or_else(|| journal.interrupted())?;
            Ok::<_, RunError>(Trained { layers: network.layers.clone(), epochs })
        })?;
        network.layers = trained.layers;
        let report = NetworkReport {
            training_sets: training.sets().count() as u64,
            linear: Explanation::new(&held_out, &held_out.predictions(&added)),
            network: Explanation::new(&held_out, &predictions(&network, &held_out, &added)),
            epochs: trained.epochs,
        };
        times.training += clock.lap();
        Ok(NetworkOutcome { network, report, times })
    }

    /// The network before training: skip connection and standardisation.
    fn untrained(&self, training: &Dataset, added: &[f64]) -> NetworkWeights {
        let settings = self.config.shape().settings();
        let skip = settings.features.iter().zip(added).map(|(&feature, added)| (prior(feature) + added) as f32).collect();
        let rows = (0..training.rows()).map(|row| training.row(row));
        let (mean, scale) = standardisation(rows, training.columns());
        NetworkWeights { settings, skip, mean, scale, layers: Vec::new() }
    }
}

/// A network of these layers on inputs that are standardised already, without features.
#[cfg(test)]
pub(super) fn bare(layers: Vec<tilewright_engine::evaluator::network::Dense>, inputs: usize) -> NetworkWeights {
    let settings = tilewright_engine::evaluator::network::NetworkSettings {
        feature_version: tilewright_engine::features::VERSION,
        leaves: None,
        features: Vec::new(),
        extra_inputs: Vec::new(),
        candidate_moves: 1,
        margin: 1.0,
    };
    NetworkWeights { settings, skip: Vec::new(), mean: vec![0.0; inputs], scale: vec![1.0; inputs], layers }
}
