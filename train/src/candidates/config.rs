//! How candidate sets are made and divided, as parts of a run's config. The inputs of candidate sets and of the fits to them, besides configs.

use serde::{Deserialize, Serialize};
use tilewright_engine::hash::sha256;
use tilewright_engine::player::PlayerSpec;
use tilewright_engine::simulator::{Settings, Simulator};
use tilewright_engine::win_percentage::{WinPercentage, csv};
use tilewright_engine::{LeaveData, Player, Setup, StaticPlayer};

use crate::exploration::Exploration;
use crate::journal::RunKey;
use crate::run_config::{above_zero, within};

/// How candidate sets are made, as a table of a run's config.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CandidateConfig {
    /// The static player that plays the games and ranks the candidates.
    #[schemars(with = "String")]
    pub player: PlayerSpec,
    /// The static player that replies in the playouts. Without it, `player` replies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub policy: Option<PlayerSpec>,
    /// One turn in `turns` with tiles in the bag, drawn at random, becomes a candidate set.
    pub turns: u64,
    /// The most candidates per set.
    pub candidates: usize,
    /// Candidates are at most this many points of equity behind the best.
    pub window: f64,
    /// Deals on which each candidate is played out.
    pub deals: u64,
    /// Replies per playout. The most, `MAX_PLIES` of the engine, plays every game to its end.
    /// Gains then come from the final spread, and win probabilities are 0, ½ or 1.
    pub plies: usize,
    /// Games per shard, the unit of resuming.
    pub shard_games: u64,
    /// Moves of the games that are not the player's best.
    #[serde(default)]
    pub exploration: Exploration,
}

/// The games of the candidate sets that a run uses, and their uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Games 0 to `games` − 1 are used.
    pub games: u64,
    /// Of each `held_out` games the last is for the report and the last but one for validation. The others are for training.
    pub held_out: u64,
}

/// The use of the sets of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Weights are fitted to them.
    Training,
    /// They choose strengths and epochs.
    Validation,
    /// They are seen only by the report.
    HeldOut,
}

/// The most games of a run.
pub const MAX_GAMES: u64 = 1_000_000_000;

impl CandidateConfig {
    /// Checks that the values are valid.
    ///
    /// # Errors
    /// The invalid value and the valid ones.
    pub fn check(&self) -> Result<(), String> {
        within("candidates.turns", self.turns, &(1..=1000))?;
        within("candidates.shard_games", self.shard_games, &(1..=MAX_GAMES))?;
        if self.candidates < 2 {
            return Err(format!("candidates.candidates = {}; expected 2 or more", self.candidates));
        }
        above_zero("candidates.window", self.window, "points of equity", 1000.0)?;
        if self.deals < 2 {
            return Err(format!("candidates.deals = {}; expected 2 or more", self.deals));
        }
        self.exploration.check("candidates.exploration")?;
        self.settings().check().map_err(|error| format!("candidates: {error}"))
    }

    /// The settings of the simulations: no candidate drops out.
    pub fn settings(&self) -> Settings {
        let Self { plies, candidates, deals, .. } = *self;
        Settings { plies, candidates, iterations: deals, confidence: 1.0, ..Settings::default() }
    }
}

impl Split {
    /// Checks that every share has games.
    ///
    /// # Errors
    /// The invalid value and the valid ones.
    pub fn check(self) -> Result<(), String> {
        let Split { games, held_out } = self;
        within("games", games, &(3..=MAX_GAMES))?;
        if !(3..=games).contains(&held_out) {
            return Err(format!("held_out = {held_out}; expected 3 or more, and at most games = {games}"));
        }
        Ok(())
    }

    /// The use of the sets of game `index`.
    pub fn share(self, index: u64) -> Share {
        match self.held_out - 1 - index % self.held_out {
            0 => Share::HeldOut,
            1 => Share::Validation,
            _ => Share::Training,
        }
    }
}

/// A player of candidate sets.
#[derive(Clone, Copy)]
pub struct SetPlayer<'a> {
    /// The player.
    pub player: &'a StaticPlayer,
    /// The player's identity in run keys.
    pub identity: &'a str,
}

impl<'a> SetPlayer<'a> {
    /// A player by its name, or `None` if it is not static.
    pub fn new(player: &'a Player) -> Option<SetPlayer<'a>> {
        Some(SetPlayer { player: player.as_static()?, identity: &player.identity })
    }
}

/// The inputs of candidate sets and of the fits to them.
#[derive(Clone)]
pub struct FitInputs<'a> {
    /// The setup of the games.
    pub setup: &'a Setup,
    /// The player of the games, which ranks the candidates.
    pub ranker: SetPlayer<'a>,
    /// The player that replies in the playouts. Without it, the ranker replies.
    pub policy: Option<SetPlayer<'a>>,
    /// The leave table of the features, or `None` if they need none.
    pub leaves: Option<LeaveData>,
    /// The win table of the playouts.
    pub win_percentage: &'a WinPercentage,
}

impl<'a> FitInputs<'a> {
    /// The simulator of the playouts.
    pub(super) fn simulator(&self, settings: &'a Settings) -> Simulator<'a> {
        let policy = self.policy.unwrap_or(self.ranker).player;
        Simulator::new(self.setup, policy, self.win_percentage, settings)
    }

    /// The key of a run on candidate sets that does not depend on the leave table of the features.
    pub(super) fn candidate_key(&self, kind: &str, config: String) -> RunKey {
        let key = RunKey::new(kind, config)
            .with_setup(self.setup)
            .with_input("player", self.ranker.identity)
            .with_input("win table", sha256(csv::write(self.win_percentage).as_bytes()));
        self.policy.into_iter().fold(key, |key, policy| key.with_input("policy", policy.identity))
    }

    /// The key of a fit of this kind by a config.
    pub fn key(&self, kind: &str, config: String) -> RunKey {
        let leaves = self.leaves.as_ref().map(|leaves| leaves.identity(&self.setup.tileset)).unwrap_or_default();
        self.candidate_key(kind, config).with_input("leave table", leaves)
    }
}
