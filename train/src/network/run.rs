//! The whole run: candidate sets, the linear fit, and the layers. The journal keeps the candidate sets and the network under training.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::features::Inputs;
use tilewright_engine::player::Player;

use super::config::{NetworkConfig, Skip};
use super::eval::{Details, EvaluationData};
use super::inference::{by_stage, explained, predictions, signal};
use super::matches::Matches;
use super::model::Examples;
use super::shape::standardisation;
use super::training::{Checkpoint, Epoch, Training};
use crate::candidates::{CandidateSet, FitInputs, Part, Targets};
use crate::cpu_clock::{CpuClock, CpuTimes};
use crate::journal::Journal;
use crate::linear::dataset::{Dataset, full_bag, prior};
use crate::linear::run::{Explained, Explanation, LinearFit, Regression, Rows};
use crate::run::RunError;

/// The layers of a learning curve see the first of this many parts of the sets.
const CURVE: [usize; 2] = [16, 4];

/// A network run: its inputs and its config.
pub struct NetworkRun<'a> {
    /// The inputs of the candidate sets and the features.
    pub inputs: FitInputs<'a>,
    /// The config.
    pub config: &'a NetworkConfig,
    /// The other player of [`NetworkConfig::matches`]. Without it no matches are played.
    pub opponent: Option<&'a Player>,
}

/// Figures of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NetworkReport {
    /// Candidate sets that were trained on.
    pub training_sets: u64,
    /// The figures of the linear fit on held-out games.
    pub linear: Explanation,
    /// The figures of the network on them.
    pub network: Explanation,
    /// The figures of its auxiliary heads on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heads: Vec<HeadFigures>,
    /// The passes over the candidate sets.
    pub epochs: Vec<Epoch>,
    /// The figures of layers trained on a part of the sets, on held-out games, from the fewest sets to all, if configured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learning_curve: Vec<CurvePoint>,
    /// Where the explained share comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Details>,
}

/// A point of a learning curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CurvePoint {
    /// Candidate sets that the layers were trained on. The skip connection is always fitted to all sets.
    pub training_sets: u64,
    /// The figures of the network on held-out games.
    pub held_out: Explained,
}

impl CurvePoint {
    fn new(trained: &Training<'_>, explanation: &Explanation) -> CurvePoint {
        CurvePoint { training_sets: trained.examples.sets() as u64, held_out: explanation.all.clone() }
    }
}

/// The figures of an auxiliary head on held-out games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HeadFigures {
    /// The part that it predicts.
    pub part: Part,
    /// Its share of the gradient, relative to the network's own output.
    pub share: f64,
    /// The share of the variance of its labels that is signal. The rest is noise of the deals. The labels of gain and win
    /// probability are beyond score and prior.
    pub signal: f64,
    /// The share of that variance that a linear fit of its own explains.
    pub linear: f64,
    /// The share of that variance that the linear fit and the head explain.
    pub explained: f64,
}

/// The result of a run.
pub struct NetworkOutcome {
    /// The network.
    pub network: NetworkWeights,
    /// Its figures.
    pub report: NetworkReport,
    /// The inputs that compute its columns.
    pub columns: Arc<Inputs>,
    /// Some of the held-out sets that the report is about.
    pub held_out_sets: Vec<CandidateSet>,
    /// The CPU time by part. The artefact does not hold it.
    pub times: CpuTimes,
}

impl NetworkRun<'_> {
    /// Makes the candidate sets, trains the network, and looks at it in detail. `journal` is open for the key, and `sets` is the journal of
    /// [`Maker::key`](crate::candidates::Maker::key).
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run(&self, journal: &Journal<'_>, sets: &Journal<'_>) -> Result<NetworkOutcome, RunError> {
        let linear = LinearFit { inputs: self.inputs.clone(), config: &self.config.linear() };
        let NetworkConfig { extra_inputs, heads, .. } = self.config;
        let rows = Rows { inputs: extra_inputs, parts: &heads.parts() };
        let mut outcome = self.train(linear.regression(rows, sets)?, journal)?;
        let mut clock = CpuClock::start();
        let FitInputs { setup, win_percentage, .. } = self.inputs;
        let targets = Targets { config: self.config.target, deals: self.config.candidates.deals, win_percentage };
        let mut data = EvaluationData::new(setup, &outcome.network, Arc::clone(&outcome.columns), targets);
        data.append(&outcome.held_out_sets);
        outcome.report.details = Some(data.details(self.config.seed));
        outcome.times.features += clock.lap();
        Ok(outcome)
    }

    /// Trains the network on a regression by [`NetworkConfig::linear`] that has the extra inputs and the parts of the heads. The
    /// journal keeps the network after each epoch.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn train(&self, regression: Regression, journal: &Journal<'_>) -> Result<NetworkOutcome, RunError> {
        let Regression { columns, training, validation, held_out, held_out_sets, .. } = regression;
        let (fitted, added_of_parts, mut times) = (regression.added, regression.added_of_parts, regression.times);
        let NetworkConfig { skip, seed, ref matches, .. } = *self.config;
        let mut clock = CpuClock::start();
        let own = if skip == Skip::Fit { fitted.clone() } else { vec![0.0; fitted.len()] };
        let added: Vec<Vec<f64>> = [own].into_iter().chain(added_of_parts).collect();
        let matches = matches.as_ref().zip(self.opponent).map(|(config, opponent)| {
            let (setup, inputs) = (self.inputs.setup, Arc::clone(&columns));
            Matches { setup, inputs, opponent, pairs: config.pairs, seed }
        });
        let (network, examples) = (self.untrained(&training, &added[0]), Examples::new(&training, &added));
        let (network, validation, config, device) = (&network, &validation, self.config, self.config.device.device()?);
        let trained = Training { network, examples, validation, added: &added[0], config, device, matches, parts: 1 };
        let Checkpoint { best, course, .. } = trained.run(journal)?;
        let mut network = trained.network(&best, 0);
        let corrections = |network: &NetworkWeights| predictions(network, &held_out, &added[0]);
        let known = corrections(&network);
        let explained = Explanation::new(&held_out, &known);
        let most = full_bag(&self.inputs.setup.tileset);
        network.settings.prior = by_stage(&held_out, &known, config.candidates.deals, most);
        let mut learning_curve = Vec::new();
        if config.learning_curve {
            for parts in CURVE {
                let part = trained.first_of(parts);
                let best = part.run(journal)?.best;
                let explained = Explanation::new(&held_out, &corrections(&part.network(&best, 0)));
                learning_curve.push(CurvePoint::new(&part, &explained));
            }
            learning_curve.push(CurvePoint::new(&trained, &explained));
        }
        let report = NetworkReport {
            training_sets: training.sets().count() as u64,
            linear: Explanation::new(&held_out, &held_out.predictions(&fitted)),
            network: explained,
            heads: self.head_figures(&trained, &best, &held_out, &added),
            epochs: course,
            learning_curve,
            details: None,
        };
        times.training += clock.lap();
        Ok(NetworkOutcome { network, report, columns, held_out_sets, times })
    }

    /// The figures of the heads of layers with these parameters, on held-out games.
    fn head_figures(
        &self,
        trained: &Training<'_>,
        parameters: &[Vec<f32>],
        held_out: &Dataset,
        added: &[Vec<f64>],
    ) -> Vec<HeadFigures> {
        let figures = |(number, (part, share))| {
            let head = number + 1;
            let explained = |predictions: &[f64]| explained(held_out, Some(number), predictions);
            let linear = explained(&held_out.predictions(&added[head]));
            let explained = explained(&predictions(&trained.network(parameters, head), held_out, &added[head]));
            HeadFigures { part, share, signal: signal(held_out, Some(number)), linear, explained }
        };
        self.config.heads.shares().into_iter().enumerate().map(figures).collect()
    }

    /// The network before training: skip connection and standardisation.
    fn untrained(&self, training: &Dataset, added: &[f64]) -> NetworkWeights {
        let settings = self.config.shape().settings();
        let skip = settings.features.iter().zip(added).map(|(&feature, added)| (prior(feature) + added) as f32).collect();
        let rows = (0..training.rows()).map(|row| training.row(row));
        let (mean, scale) = standardisation(&rows, training.columns);
        NetworkWeights { settings, skip, mean, scale, layers: Vec::new() }
    }
}
