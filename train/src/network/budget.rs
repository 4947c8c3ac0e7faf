//! A budget of CPU time, which decides the number of games of a run and nothing else.
//!
//! The work grows with the games. So the run labels its first shards of games, fits a network to them, and measures the CPU time of both:
//!
//! ```text
//! games = (budget − CPU time spent on anything but these labels) / CPU time per game
//! ```
//!
//! The matches of [`MatchConfig`](super::config::MatchConfig) do not grow with the games and come on top of the budget.
//!
//! CPU time differs from machine to machine and from run to run, so two plans for the same budget may differ by a few per cent. From
//! the number of games on, the run is a function of its config.
//!
//! A plan ignores stored candidate sets: the budget counts the cost of making all labels. A run with stored sets uses less.

use std::time::Duration;

use tilewright_engine::monitor::Monitor;

use super::config::NetworkConfig;
use super::run::NetworkRun;
use crate::candidates::{CandidateSet, MAX_GAMES, Maker};
use crate::cpu_clock::CpuClock;
use crate::journal::Journal;
use crate::linear::run::{LinearFit, Rows};
use crate::run::RunError;

/// The fewest games that are measured.
const LEAST_GAMES: u64 = 200;
/// The share of the budget that measuring takes at least.
const MEASURED: f64 = 0.02;
/// The share of the budget after which measuring ends, however few the games are.
const MAX_MEASURED: f64 = 0.2;

/// The number of games that a budget pays for, and the measurements for it.
pub struct Plan {
    /// Games of the run: whole shards.
    pub games: u64,
    /// CPU time of the labels of `shards`.
    pub labels: Duration,
    /// CPU time per game for labels, in seconds.
    pub labels_per_game: f64,
    /// CPU time per game for features and training, in seconds.
    pub fit_per_game: f64,
    /// The candidate sets of the shards that were measured, from game 0 on. [`Maker::store`] keeps them for the run.
    pub shards: Vec<Vec<CandidateSet>>,
}

impl Plan {
    /// The CPU time that the plan expects of labels, features and training.
    pub fn expected(&self) -> Duration {
        Duration::from_secs_f64(self.games as f64 * (self.labels_per_game + self.fit_per_game))
    }
}

impl NetworkRun<'_> {
    /// Plans the games of a run of this config within a budget of CPU time from the start of the process. The plan takes at
    /// least 2 % of the budget, and whole shards of games. The run has at least these games, even beyond the budget.
    ///
    /// # Errors
    /// [`RunError`]. If the monitor stops the plan, nothing is stored.
    pub fn plan(&self, budget: Duration, monitor: &dyn Monitor) -> Result<Plan, RunError> {
        let NetworkConfig { ref candidates, held_out, seed, .. } = *self.config;
        let (maker, journal) = (Maker::new(&self.inputs, candidates, seed), Journal::in_memory(monitor));
        let size = candidates.shard_games;
        // Of the first `held_out` games, one is held out and one validates.
        let least = held_out.div_ceil(size);
        monitor.begin("measuring", 0, "games");
        let (mut clock, mut labels, mut shards) = (CpuClock::start(), Duration::ZERO, Vec::new());
        loop {
            let number = shards.len() as u64;
            let sets = maker.sets(number * size..(number + 1) * size, &journal)?;
            shards.push(sets.ok_or_else(|| journal.interrupted())?);
            labels += clock.lap();
            let (made, share) = (number + 1, labels.as_secs_f64() / budget.as_secs_f64());
            let is_enough = made * size >= LEAST_GAMES && share >= MEASURED || share >= MAX_MEASURED;
            if made >= least && is_enough {
                break;
            }
        }
        let measured = shards.len() as u64 * size;
        let fit = self.fit_time(measured, &shards, &journal)?;
        let [labels_per_game, fit_per_game] = [labels, fit].map(|time| time.as_secs_f64() / measured as f64);
        let left = (budget + labels).saturating_sub(CpuClock::of_process()).as_secs_f64();
        let games = (left / (labels_per_game + fit_per_game).max(1e-9)) as u64;
        // The measured games have been paid for.
        let games = (games.min(MAX_GAMES) / size * size).max(measured);
        Ok(Plan { games, labels, labels_per_game, fit_per_game, shards })
    }

    /// The CPU time of features and training for the sets of the first `games` games.
    fn fit_time(&self, games: u64, shards: &[Vec<CandidateSet>], journal: &Journal<'_>) -> Result<Duration, RunError> {
        let config = NetworkConfig { games, matches: None, ..self.config.clone() };
        let linear = LinearFit { inputs: self.inputs.clone(), config: &config.linear() };
        let run = NetworkRun { inputs: self.inputs.clone(), config: &config, opponent: None };
        let rows = Rows { inputs: &config.extra_inputs, parts: &config.heads.parts() };
        let regression = linear.regression_on(rows, |take| {
            for sets in shards {
                take(sets);
            }
            Ok(())
        })?;
        let times = run.train(regression, journal)?.times;
        Ok(times.features + times.training)
    }
}
