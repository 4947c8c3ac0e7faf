//! The whole run: batches of games with the same weights, learned from in their order; kept on disk batch by batch.

use std::path::Path;
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tilewright_engine::artefact::{ArtefactError, write_atomically};
use tilewright_engine::deals::Purpose;
use tilewright_engine::evaluator::linear::BadWeights;
use tilewright_engine::features::FeatureError;
use tilewright_engine::hash::sha256;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;

use super::config::TdConfig;
use super::learner::{Learner, Rule, Trajectory};
use super::terms::Terms;
use super::{play, replay};
use crate::parquet_file::TableError;
use crate::run_config::RunConfig;

/// What has been learned so far, inside the run's folder.
const STATE: &str = "state.json";
/// A weight beyond so many points is of no use to anybody.
const MOST_WEIGHT: f64 = 500.0;
/// The differences of a batch may grow to so many times those of the first.
const MOST_GROWTH: f64 = 5.0;
/// Snapshots that a run keeps.
const SNAPSHOTS: u64 = 100;

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum RunError {
    /// It was asked to.
    #[error("interrupted")]
    Interrupted,
    /// It learns nothing any more.
    #[error(
        "it diverged after {games} games: {what}; a smaller rate, a smaller lambda, more of a schedule (rate_games), or usual sizes of \
         features as they are keep it in bounds"
    )]
    Diverged {
        /// Games learned from.
        games: u64,
        /// What is out of bounds.
        what: String,
    },
    /// A file of it cannot be read or written.
    #[error(transparent)]
    File(#[from] ArtefactError),
    /// The records cannot be used.
    #[error("records {0}")]
    Records(#[from] TableError),
    /// A feature cannot be computed.
    #[error(transparent)]
    Feature(#[from] FeatureError),
    /// No move can be judged by the weights.
    #[error(transparent)]
    Weights(#[from] BadWeights),
}

/// The weights at some time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// Games learned from.
    pub games: u64,
    /// Root of the mean square of the differences of the last batch, in points.
    pub error: f64,
    /// By term, in points.
    pub weights: Vec<f64>,
}

/// What a run ends with.
pub struct TdOutcome {
    /// What has weights.
    pub terms: Arc<Terms>,
    /// The weights in the course of time, the last at the end.
    pub snapshots: Vec<Snapshot>,
    /// The leave table that those of the patterns make.
    pub table: LeaveTable,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    key: String,
    games: u64,
    learner: Learner,
    snapshots: Vec<Snapshot>,
    /// The error of the first batch.
    first_error: f64,
}

/// Learns in `folder`, which exists. Interrupted and started again, it goes on after the last finished batch and ends with the same
/// result.
///
/// # Errors
/// [`RunError`].
pub fn run(setup: &Setup, config: &TdConfig, folder: &Path, monitor: &dyn Monitor) -> Result<TdOutcome, RunError> {
    let terms = Arc::new(Terms::new(setup, config.patterns, &config.features, config.candidate_moves)?);
    let records_hash = config.records.as_deref().map(replay::hash).transpose()?.unwrap_or_default();
    let parts = [env!("CARGO_PKG_VERSION"), &config.to_toml(), &setup.rules_hash(), &setup.lexicon.hash, &records_hash];
    let key = parts.join(" ");
    let key = sha256(key.as_bytes());
    let path = folder.join(STATE);
    let records = match &config.records {
        Some(records) => Some(replay::read(records, &terms, setup)?),
        None => None,
    };
    let kept = std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<State>(&bytes).ok());
    let is_sound = |state: &State| {
        let weights = |snapshot: &Snapshot| snapshot.weights.len() == terms.count();
        state.key == key && state.learner.is_of(terms.count(), config.method) && state.snapshots.iter().all(weights)
    };
    let new = || State {
        key: key.clone(),
        games: 0,
        learner: Learner::new(terms.count(), config.method),
        snapshots: Vec::new(),
        first_error: 0.0,
    };
    let mut state = kept.filter(is_sound).unwrap_or_else(new);
    monitor.begin("games", config.games, "games");
    monitor.advance(state.games);
    while state.games < config.games {
        let games = state.games..(state.games + config.batch_games).min(config.games);
        let trajectories = match &records {
            Some(records) => games.clone().map(|game| records[game as usize % records.len()].clone()).collect(),
            None => play_batch(setup, config, &terms, &state.learner, games.clone(), monitor)?,
        };
        if monitor.is_stopped() {
            return Err(RunError::Interrupted);
        }
        learn_batch(&mut state, &trajectories, config, &terms, setup)?;
        let text = serde_json::to_string(&state).unwrap_or_else(|error| unreachable!("a state is plain data: {error}"));
        write_atomically(&path, text.as_bytes())?;
        if records.is_some() {
            monitor.advance(games.end - games.start);
        }
        monitor.note(&format!("off by {:.1} points", state.snapshots.last().map_or(0.0, |last| last.error)));
    }
    let table = terms.table(&state.learner.weights, &setup.tileset);
    Ok(TdOutcome { terms, snapshots: state.snapshots, table })
}

fn play_batch(
    setup: &Setup,
    config: &TdConfig,
    terms: &Arc<Terms>,
    learner: &Learner,
    games: std::ops::Range<u64>,
    monitor: &dyn Monitor,
) -> Result<Vec<[Trajectory; 2]>, BadWeights> {
    let player = StaticPlayer::new(terms.evaluator(&learner.weights)?);
    let deals = Purpose::TdLearning.deals(config.seed);
    let play = |generator: &mut Generator<'_>, game| {
        if monitor.is_stopped() {
            return Default::default();
        }
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

/// Whether what is learned is still of use.
fn check(state: &State, error: f64, terms: &Terms, setup: &Setup) -> Result<(), RunError> {
    let diverged = |what: String| Err(RunError::Diverged { games: state.games, what });
    let largest =
        state.learner.weights.iter().enumerate().skip(1).max_by(|one, other| one.1.abs().total_cmp(&other.1.abs()));
    if let Some((number, &weight)) = largest.filter(|(_, weight)| weight.is_nan() || weight.abs() > MOST_WEIGHT) {
        return diverged(format!("{} is worth {weight:.3e} points", terms.show(number, &setup.tileset)));
    }
    if error.is_nan() || error > MOST_GROWTH * state.first_error {
        return diverged(format!("values are off by {error:.3e} points, at the beginning by {:.0}", state.first_error));
    }
    Ok(())
}
