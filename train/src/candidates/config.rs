//! How candidate sets are made, as a table of a run's config.

use serde::{Deserialize, Serialize};
use tilewright_engine::simulator::Settings;

use crate::exploration::Exploration;

/// How candidate sets are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CandidateConfig {
    /// The static player that plays the games, ranks the candidates, and replies in the playouts.
    pub player: String,
    /// Games whose positions are labelled.
    pub games: u64,
    /// One turn in `turns`, drawn at random, becomes a candidate set.
    pub turns: u64,
    /// The most candidates per set.
    pub candidates: usize,
    /// Candidates are at most this many points of equity behind the best.
    pub window: f64,
    /// Deals on which each candidate is played out.
    pub deals: u64,
    /// Replies per playout.
    pub plies: usize,
    /// One game in `held_out` is held out: no weight is fitted to it. It chooses strengths and epochs.
    pub held_out: u64,
    /// Games per shard, the unit of resuming.
    pub shard_games: u64,
    /// Moves of the games that are not the player's best.
    #[serde(default)]
    pub exploration: Exploration,
}

/// The most games.
const MOST_GAMES: u64 = 1_000_000_000;

impl CandidateConfig {
    /// Checks that the values are valid.
    ///
    /// # Errors
    /// What is wrong, and what is expected.
    pub fn check(&self) -> Result<(), String> {
        for (name, value, most) in
            [("games", self.games, MOST_GAMES), ("turns", self.turns, 1000), ("shard_games", self.shard_games, MOST_GAMES)]
        {
            if !(1..=most).contains(&value) {
                return Err(format!("candidates.{name} = {value}; expected 1 to {most}"));
            }
        }
        if self.candidates < 2 {
            return Err(format!("candidates.candidates = {}; expected 2 or more", self.candidates));
        }
        if !(self.window > 0.0 && self.window <= 1000.0) {
            return Err(format!("candidates.window = {}; expected points of equity above 0, up to 1000", self.window));
        }
        if self.deals < 2 || self.held_out < 2 {
            let Self { deals, held_out, .. } = self;
            return Err(format!("candidates.deals = {deals} and held_out = {held_out}; expected 2 or more of each"));
        }
        if self.held_out > self.games {
            let Self { games, held_out, .. } = self;
            return Err(format!("candidates.held_out = {held_out}; expected at most candidates.games = {games}"));
        }
        self.exploration.check("candidates.exploration")?;
        self.settings().check().map_err(|error| format!("candidates: {error}"))
    }

    /// The settings of the simulations: no candidate drops out.
    pub fn settings(&self) -> Settings {
        let Self { plies, candidates, deals, .. } = *self;
        Settings { plies, candidates, iterations: deals, confidence: 1.0, ..Settings::default() }
    }

    /// Whether game `index` is held out.
    pub fn is_held_out(&self, index: u64) -> bool {
        index % self.held_out == self.held_out - 1
    }
}
