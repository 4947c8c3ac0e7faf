//! The whole fit: candidate sets, features, and the regression. The journal keeps the candidate sets.

use std::collections::BTreeMap;

use faer::linalg::solvers::LltError;
use thiserror::Error;
use tilewright_engine::evaluator::linear::Weights;
use tilewright_engine::features::{Feature, FeatureError, Features};
use tilewright_engine::hash::sha256;
use tilewright_engine::leave::LeaveData;
use tilewright_engine::player::Player;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::win_percentage::WinPercentage;

use super::config::LinearFitConfig;
use super::dataset::{Dataset, prior};
use super::report::{Explanation, LinearReport};
use super::ridge::{GROUPS, NormalEquations, fit};
use crate::candidates::{CandidateSet, Maker};
use crate::journal::{Journal, JournalError, RunKey};
use crate::run_config::RunConfig;

/// Why a fit ended early.
#[derive(Debug, Error)]
pub enum RunError {
    /// The journal ended it.
    #[error("{0}")]
    Journal(#[from] JournalError),
    /// A feature cannot be computed.
    #[error(transparent)]
    Feature(#[from] FeatureError),
    /// There are no candidate sets to fit, or none to hold out.
    #[error("{sets} candidate sets to fit and {held_out} held out; raise candidates.games")]
    TooFewSets {
        /// Sets to fit.
        sets: usize,
        /// Sets held out.
        held_out: usize,
    },
    /// The equations have no stable solution.
    #[error("the regression has no stable solution ({0:?}); remove features that say the same")]
    Singular(LltError),
}

/// What a fit needs besides its config.
#[derive(Clone)]
pub struct LinearFit<'a> {
    /// What is played.
    pub setup: &'a Setup,
    /// The config.
    pub config: &'a LinearFitConfig,
    /// The player of the candidate sets.
    pub player: &'a Player,
    /// The leave table of the features; `None` if they need none.
    pub leaves: Option<LeaveData>,
    /// The win table of the playouts.
    pub win_percentage: &'a WinPercentage,
}

/// The candidates of a fit, and β.
pub struct Regression {
    /// The candidates that β is fitted to.
    pub training: Dataset,
    /// The candidates of the held-out games.
    pub held_out: Dataset,
    /// τ², in square points.
    pub effect: f64,
    /// β by feature, in points per unit.
    pub added: Vec<f64>,
    /// The strength of each group, in points per standard deviation of a feature.
    pub strengths: [f64; 3],
}

/// The result of a fit.
pub struct LinearOutcome {
    /// The weights.
    pub weights: Weights,
    /// What they explain.
    pub report: LinearReport,
}

impl LinearFit<'_> {
    /// The key of the run: everything that its result depends on.
    pub fn key(&self) -> RunKey {
        self.key_for(&self.config.to_toml())
    }

    /// The key of a run with another config on the same inputs.
    pub fn key_for(&self, config: &str) -> RunKey {
        let leaves = self.leaves.as_ref().map(|leaves| leaves.identity(&self.setup.tileset)).unwrap_or_default();
        RunKey::new(config)
            .with_setup(self.setup)
            .with_input("player", &*self.player.identity)
            .with_input("leave table", leaves)
            .with_input("win table", sha256(tilewright_engine::win_percentage::csv::write(self.win_percentage).as_bytes()))
    }

    /// Makes the candidate sets with the static player `ranker`, and fits the weights. `journal` is open for the key.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run(&self, ranker: &StaticPlayer, journal: &Journal<'_>) -> Result<LinearOutcome, RunError> {
        let Regression { training, held_out, effect, added, strengths } = self.regression(ranker, journal)?;
        let report = LinearReport {
            training_sets: training.sets().count() as u64,
            correction: effect.sqrt(),
            strengths: GROUPS.iter().map(ToString::to_string).zip(strengths).collect(),
            held_out: Explanation::new(&held_out, &|row| held_out.predicted(&added, row)),
        };
        Ok(LinearOutcome { weights: self.weights(training.features(), &added), report })
    }

    /// Makes the candidate sets and fits β to them.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn regression(&self, ranker: &StaticPlayer, journal: &Journal<'_>) -> Result<Regression, RunError> {
        let LinearFit { setup, config, .. } = *self;
        let wanted: Vec<Feature> = config.features.iter().copied().collect();
        let features = Features::new(&wanted, setup, self.leaves.clone())?;
        let [mut training, mut held_out] = [wanted.clone(), wanted].map(Dataset::new);
        let candidates = &config.candidates;
        let maker = Maker::new(setup, ranker, self.win_percentage, candidates, config.seed);
        maker.each(journal, |sets| {
            let (held, seen): (Vec<CandidateSet>, Vec<CandidateSet>) =
                sets.into_iter().partition(|set| candidates.is_held_out(set.game));
            training.append(&seen, &features, setup, candidates.deals);
            held_out.append(&held, &features, setup, candidates.deals);
        })?;
        let [sets, held] = [&training, &held_out].map(|data| data.sets().count());
        if sets == 0 || held == 0 {
            return Err(RunError::TooFewSets { sets, held_out: held });
        }
        let effect = training.unexplained();
        let sums = NormalEquations::from_dataset(&held_out, effect);
        let (added, strengths) = fit(&training, &sums, effect).map_err(RunError::Singular)?;
        Ok(Regression { training, held_out, effect, added, strengths })
    }

    /// The weights of the evaluator: the prior and what was learned on top of it.
    fn weights(&self, features: &[Feature], added: &[f64]) -> Weights {
        let learned = features.iter().zip(added).map(|(&feature, added)| (feature, prior(feature) + added));
        let weights: BTreeMap<Feature, f64> = learned.chain([(Feature::Score, 1.0)]).collect();
        Weights { candidates: self.config.candidate_moves, ..Weights::new(weights) }
    }
}
