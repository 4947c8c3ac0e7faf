//! The whole run: batches of games played with the same weights, from which it learns in order. The journal stores the
//! state after each batch.

use std::ops::Range;
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tilewright_engine::deals::Purpose;
use tilewright_engine::evaluator::linear::BadWeights;
use tilewright_engine::features::FeatureError;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;

use super::config::TdConfig;
use super::learner::{Learner, Rule, Trajectory};
use super::terms::Terms;
use super::{play, replay};
use crate::journal::{Journal, JournalError, RunKey};
use crate::parquet_file::TableError;
use crate::records::RecordFiles;
use crate::run_config::RunConfig;

/// The work file that holds the state after the last batch.
const STATE: &str = "state";
/// A run stops when a weight exceeds this, in points.
const MOST_WEIGHT: f64 = 500.0;
/// A run stops when the error of a batch exceeds that of the first batch by this factor.
const MOST_GROWTH: f64 = 5.0;
/// The number of snapshots of a run.
const SNAPSHOTS: u64 = 100;

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum RunError {
    /// The weights or the error grow beyond all bounds.
    #[error(
        "the run diverged after {games} games: {what}; try a smaller rate, a smaller lambda, a schedule (rate_games), or larger usual \
         sizes of features"
    )]
    Diverged {
        /// The number of games so far.
        games: u64,
        /// The value that is out of bounds.
        what: String,
    },
    /// The journal ended it.
    #[error("{0}")]
    Journal(#[from] JournalError),
    /// The records cannot be used.
    #[error("records {0}")]
    Records(#[from] TableError),
    /// A feature cannot be computed.
    #[error(transparent)]
    Feature(#[from] FeatureError),
    /// The weights do not make an evaluator.
    #[error(transparent)]
    Weights(#[from] BadWeights),
}

/// The weights after a number of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// Games learned from.
    pub games: u64,
    /// Root of the mean square of the differences of the last batch, in points.
    pub error: f64,
    /// The weights by term, in points.
    pub weights: Vec<f64>,
}

/// The result of a run.
pub struct TdOutcome {
    /// The terms.
    pub terms: Arc<Terms>,
    /// The weights over time, the final ones last.
    pub snapshots: Vec<Snapshot>,
    /// The leave table from the weights of the patterns.
    pub table: LeaveTable,
}

#[derive(Serialize, Deserialize)]
struct State {
    games: u64,
    learner: Learner,
    snapshots: Vec<Snapshot>,
    /// The error of the first batch.
    first_error: f64,
}

/// The key of a run: everything that its result depends on.
///
/// # Errors
/// [`TableError`] if the records cannot be read.
pub fn key(setup: &Setup, config: &TdConfig, records: Option<&RecordFiles>) -> Result<RunKey, TableError> {
    let key = RunKey::new(config.to_toml()).with_setup(setup);
    Ok(match records {
        Some(records) => key.with_input("content of the records", records.hash()?),
        None => key,
    })
}

/// Learns from records, or from games that it plays if there are none. `journal` is open for the [`key`] of the run.
///
/// # Errors
/// [`RunError`].
pub fn run(
    setup: &Setup,
    config: &TdConfig,
    records: Option<&RecordFiles>,
    journal: &Journal<'_>,
) -> Result<TdOutcome, RunError> {
    let monitor = journal.monitor();
    let terms = Arc::new(Terms::new(setup, config.patterns, &config.features, config.candidate_moves)?);
    let records = records.map(|records| replay::read(records, &terms, setup)).transpose()?;
    let new =
        State { games: 0, learner: Learner::new(terms.count(), config.method), snapshots: Vec::new(), first_error: 0.0 };
    let mut state = journal.read(STATE, "")?.unwrap_or(new);
    monitor.begin("games", config.games, "games");
    monitor.advance(state.games);
    while state.games < config.games {
        journal.check_stop()?;
        let games = state.games..(state.games + config.batch_games).min(config.games);
        let trajectories = match &records {
            Some(records) => games.clone().map(|game| records[game as usize % records.len()].clone()).collect(),
            None => play_batch(setup, config, &terms, &state.learner, games.clone(), monitor)?,
        };
        learn_batch(&mut state, &trajectories, config, &terms, setup)?;
        state = journal.write(STATE, "", &state)?;
        if records.is_some() {
            monitor.advance(games.end - games.start);
        }
        monitor.note(&format!("error {:.1} points", state.snapshots.last().map_or(0.0, |last| last.error)));
    }
    let table = terms.table(&state.learner.weights, &setup.tileset);
    Ok(TdOutcome { terms, snapshots: state.snapshots, table })
}

/// Plays a batch to its end even after a stop request, because the journal stores whole batches.
fn play_batch(
    setup: &Setup,
    config: &TdConfig,
    terms: &Arc<Terms>,
    learner: &Learner,
    games: Range<u64>,
    monitor: &dyn Monitor,
) -> Result<Vec<[Trajectory; 2]>, BadWeights> {
    let player = StaticPlayer::new(terms.evaluator(&learner.weights)?);
    let deals = Purpose::TdLearning.deals(config.seed);
    let play = |generator: &mut Generator<'_>, game| {
        let played = play::play(generator, &player, terms, &config.exploration, deals, game);
        monitor.advance(1);
        played
    };
    Ok(games.into_par_iter().map_init(|| Generator::new(setup), play).collect())
}

/// Learns from the games of a batch in their order.
fn learn_batch(
    state: &mut State,
    trajectories: &[[Trajectory; 2]],
    config: &TdConfig,
    terms: &Terms,
    setup: &Setup,
) -> Result<(), RunError> {
    let (mut squares, mut count) = (0.0, 0);
    for game in trajectories {
        let rule = Rule { target: config.target, lambda: config.lambda, rate: config.rate_after(state.games) };
        for trajectory in game {
            let (sum, differences) = state.learner.learn(trajectory, &rule);
            squares += sum;
            count += differences;
        }
        state.games += 1;
    }
    state.learner.fit();
    let error = (squares / count.max(1) as f64).sqrt();
    if state.snapshots.is_empty() {
        state.first_error = error;
    }
    let every = (config.games / SNAPSHOTS).max(1);
    let is_due = state.snapshots.last().is_none_or(|last| state.games / every > last.games / every);
    if is_due || state.games == config.games {
        state.snapshots.push(Snapshot { games: state.games, error, weights: state.learner.weights.clone() });
    }
    check(state, error, terms, setup)
}

/// Fails if the run has diverged.
fn check(state: &State, error: f64, terms: &Terms, setup: &Setup) -> Result<(), RunError> {
    let diverged = |what: String| Err(RunError::Diverged { games: state.games, what });
    let largest =
        state.learner.weights.iter().enumerate().skip(1).max_by(|one, other| one.1.abs().total_cmp(&other.1.abs()));
    if let Some((number, &weight)) = largest.filter(|(_, weight)| weight.is_nan() || weight.abs() > MOST_WEIGHT) {
        return diverged(format!("the weight of {} is {weight:.3e} points", terms.show(number, &setup.tileset)));
    }
    if error.is_nan() || error > MOST_GROWTH * state.first_error {
        return diverged(format!("the error is {error:.3e} points, after {:.0} in the first batch", state.first_error));
    }
    Ok(())
}
