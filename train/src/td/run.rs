//! The run of linear terms: their weights, learned from games or records, and the leave table that they make.

use std::sync::Arc;

use tilewright_engine::turn::Turn;
use tilewright_engine::{LeaveTable, Move, Setup, StaticPlayer};

use super::batches::{Batches, Model, Snapshot};
use super::config::TdConfig;
use super::learner::Learner;
use super::terms::{Term, Terms};
use super::trajectory;
use super::trajectory::{Rule, Trajectory};
use crate::journal::Journal;
use crate::parquet_file::TableError;
use crate::records::RecordFiles;
use crate::run::RunError;

/// A run stops when a weight exceeds this, in points.
const MAX_WEIGHT: f64 = 500.0;

/// The result of a run.
pub struct TdOutcome {
    /// The terms.
    pub terms: Arc<Terms>,
    /// The weights over time, the final ones last.
    pub snapshots: Vec<Snapshot>,
    /// The leave table from the weights of the patterns.
    pub table: LeaveTable,
}

/// Linear terms that learn.
struct LinearModel<'a> {
    setup: &'a Setup,
    config: &'a TdConfig,
    terms: Arc<Terms>,
}

/// A run that learns the weights of linear terms.
pub struct TermLearning<'a> {
    /// The records to learn from. Without any, it plays games.
    pub records: Option<&'a RecordFiles>,
    /// The hash of the content of the records.
    pub(super) content: Option<String>,
}

impl<'a> TermLearning<'a> {
    /// A run on these records, or on games that it plays.
    ///
    /// # Errors
    /// [`TableError`] if the records cannot be read.
    pub fn new(records: Option<&'a RecordFiles>) -> Result<TermLearning<'a>, TableError> {
        Ok(TermLearning { records, content: records.map(RecordFiles::hash).transpose()? })
    }

    pub(super) fn run(&self, setup: &Setup, config: &TdConfig, journal: &Journal<'_>) -> Result<TdOutcome, RunError> {
        let terms = Arc::new(Terms::new(setup, config.patterns, &config.features, config.candidate_moves)?);
        let unusable = |error: TableError| RunError::Input(format!("records {error}"));
        let records = self.records.map(|records| trajectory::read(records, &terms, setup)).transpose().map_err(unusable)?;
        let learner = Learner::new(terms.count(), config.method);
        let model = LinearModel { setup, config, terms: Arc::clone(&terms) };
        let state = Batches { setup, config, model: &model }.run(learner, records.as_deref(), journal)?;
        let table = terms.patterns.table(&state.learner.weights, &setup.tileset);
        Ok(TdOutcome { terms, snapshots: state.snapshots, table })
    }
}

impl Model for LinearModel<'_> {
    type Observed = Vec<Term>;
    type Learner = Learner;

    fn observe(&self, turn: &Turn<'_>, chosen: &Move) -> Vec<Term> {
        self.terms.for_move(turn, chosen)
    }

    fn player(&self, learner: &Learner) -> Result<StaticPlayer, RunError> {
        Ok(StaticPlayer::new(self.terms.evaluator(&learner.weights)?))
    }

    fn learn(&self, learner: &mut Learner, games: &[[Trajectory<Vec<Term>>; 2]], first: u64) -> (f64, u64) {
        let (mut squares, mut count) = (0.0, 0);
        for (number, game) in (first..).zip(games) {
            let TdConfig { target, lambda, .. } = *self.config;
            let rule = Rule { target, lambda, rate: self.config.rate_after(number) };
            for trajectory in game {
                let (sum, differences) = learner.learn(trajectory, &rule);
                squares += sum;
                count += differences;
            }
        }
        learner.fit();
        (squares, count)
    }

    fn names(&self) -> Vec<String> {
        self.terms.names(&self.setup.tileset)
    }

    fn shown(&self, learner: &Learner) -> Vec<f64> {
        learner.weights.clone()
    }

    fn excess(&self, learner: &Learner) -> Option<String> {
        let weights = learner.weights.iter().enumerate().skip(1);
        let largest = weights.max_by(|one, other| one.1.abs().total_cmp(&other.1.abs()));
        let (number, weight) = largest.filter(|(_, weight)| weight.is_nan() || weight.abs() > MAX_WEIGHT)?;
        Some(format!("the weight of {} is {weight:.3e} points", self.terms.show(number, &self.setup.tileset)))
    }
}
