//! The loop of a run: it learns from batches of games, each played with the same weights. The journal stores the state after each.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tilewright_engine::deals::Domain;
use tilewright_engine::turn::Turn;
use tilewright_engine::{Generator, Monitor, Move, Setup, StaticPlayer};

use super::config::TdConfig;
use super::trajectory::{Trajectory, play};
use crate::journal::{Journal, JournalError};
use crate::run::RunError;

/// The work file with the names of the weights of snapshots.
pub(super) const NAMES: &str = "names";
/// The work file that holds the state after the last batch.
pub(super) const STATE: &str = "state";
/// A run stops when the error of a batch exceeds the error of the first batch by this factor.
const MAX_GROWTH: f64 = 5.0;
/// The number of snapshots of a run.
const SNAPSHOTS: u64 = 100;

/// A model that learns: its view of moves, its play, and its learning from games.
pub trait Model: Sync {
    /// The inputs of the value of a move.
    type Observed: Clone + Default + Send + Sync;
    /// The state of learning.
    type Learner: Serialize + DeserializeOwned;

    /// The inputs of the value of a move.
    fn observe(&self, turn: &Turn<'_>, chosen: &Move) -> Self::Observed;

    /// The player with the learned weights.
    ///
    /// # Errors
    /// [`RunError`] if the weights are out of bounds.
    fn player(&self, learner: &Self::Learner) -> Result<StaticPlayer, RunError>;

    /// Learns from a batch that begins with game `first`. Returns the sum of the squared differences, in square points, and their number.
    fn learn(&self, learner: &mut Self::Learner, games: &[[Trajectory<Self::Observed>; 2]], first: u64) -> (f64, u64);

    /// The names of the weights of a [`Snapshot`].
    fn names(&self) -> Vec<String>;

    /// The weights of a [`Snapshot`], in points.
    fn shown(&self, learner: &Self::Learner) -> Vec<f64>;

    /// The largest weight out of bounds, in words, or `None` if all are within.
    fn excess(&self, learner: &Self::Learner) -> Option<String>;
}

/// The weights after a number of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// Games learned from.
    pub games: u64,
    /// Root of the mean square of the differences of the last batch, in points.
    pub error: f64,
    /// The weights, in points: of all linear terms, or of the state value of a network.
    pub weights: Vec<f64>,
}

/// The state of a run.
#[derive(Serialize, Deserialize)]
pub struct State<L> {
    games: u64,
    /// The state of learning.
    pub learner: L,
    /// The weights over time.
    pub snapshots: Vec<Snapshot>,
    /// The error of the first batch.
    first_error: f64,
}

/// A run of a model.
pub struct Batches<'a, M: Model> {
    /// The game.
    pub setup: &'a Setup,
    /// The config.
    pub config: &'a TdConfig,
    /// The model that learns.
    pub model: &'a M,
}

impl<M: Model> Batches<'_, M> {
    /// Learns from records, or from games that it plays if there are none, and returns the state after the last game.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run(
        &self,
        learner: M::Learner,
        records: Option<&[[Trajectory<M::Observed>; 2]]>,
        journal: &Journal<'_>,
    ) -> Result<State<M::Learner>, RunError> {
        let (config, monitor) = (self.config, journal.monitor());
        let new = State { games: 0, learner, snapshots: Vec::new(), first_error: 0.0 };
        journal.once(NAMES, "", || Ok::<_, JournalError>(self.model.names()))?;
        let mut state = journal.read_like(STATE, "", new)?;
        monitor.begin("games", config.games, "games");
        monitor.advance(state.games);
        while state.games < config.games {
            journal.check_stop()?;
            let games = state.games..(state.games + config.batch_games).min(config.games);
            let trajectories = match records {
                Some(records) => games.clone().map(|game| records[game as usize % records.len()].clone()).collect(),
                None => self.play(&self.model.player(&state.learner)?, games.clone(), monitor),
            };
            self.learn(&mut state, &trajectories)?;
            state = journal.write(STATE, "", &state)?;
            if records.is_some() {
                monitor.advance(games.end - games.start);
            }
            monitor.note(&format!("error {:.1} points", state.snapshots.last().map_or(0.0, |last| last.error)));
        }
        Ok(state)
    }

    /// Plays games to their end even after a stop request, because the journal stores whole batches.
    pub fn play(
        &self,
        player: &StaticPlayer,
        games: Range<u64>,
        monitor: &dyn Monitor,
    ) -> Vec<[Trajectory<M::Observed>; 2]> {
        let deals = Domain::TdLearning.deals(self.config.seed);
        let observe = |turn: &Turn<'_>, chosen: &Move| self.model.observe(turn, chosen);
        let play_one = |generator: &mut Generator<'_>, game| {
            let played = play(generator, player, observe, &self.config.exploration, deals, game);
            monitor.advance(1);
            played
        };
        games.into_par_iter().map_init(|| Generator::new(self.setup), play_one).collect()
    }

    /// Learns from the games of a batch in their order.
    fn learn(&self, state: &mut State<M::Learner>, trajectories: &[[Trajectory<M::Observed>; 2]]) -> Result<(), RunError> {
        let (squares, count) = self.model.learn(&mut state.learner, trajectories, state.games);
        state.games += trajectories.len() as u64;
        let error = (squares / count.max(1) as f64).sqrt();
        if state.snapshots.is_empty() {
            state.first_error = error;
        }
        let every = (self.config.games / SNAPSHOTS).max(1);
        let is_due = state.snapshots.last().is_none_or(|last| state.games / every > last.games / every);
        if is_due || state.games == self.config.games {
            let weights = self.model.shown(&state.learner);
            state.snapshots.push(Snapshot { games: state.games, error, weights });
        }
        self.check(state, error)
    }

    /// Fails if the run has diverged.
    fn check(&self, state: &State<M::Learner>, error: f64) -> Result<(), RunError> {
        let grown = || {
            let is_grown = error.is_nan() || error > MAX_GROWTH * state.first_error;
            is_grown.then(|| format!("the error is {error:.3e} points, after {:.0} in the first batch", state.first_error))
        };
        match self.model.excess(&state.learner).or_else(grown) {
            Some(what) => Err(RunError::Failed(format!(
                "the run diverged after {} games: {what}; try a smaller rate, a smaller lambda, a schedule (rate_games), or larger usual \
                 sizes of features",
                state.games
            ))),
            None => Ok(()),
        }
    }
}
