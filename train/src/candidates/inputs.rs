//! The inputs of candidate sets and of the fits to them, besides configs.

use tilewright_engine::hash::sha256;
use tilewright_engine::simulator::{Settings, Simulator};
use tilewright_engine::win_percentage::{WinPercentage, csv};
use tilewright_engine::{LeaveData, Player, Setup, StaticPlayer};

use crate::journal::RunKey;

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
