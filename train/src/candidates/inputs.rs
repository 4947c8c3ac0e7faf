//! What candidate sets and the fits to them are computed from, besides configs.

use tilewright_engine::hash::sha256;
use tilewright_engine::leave::LeaveData;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::win_percentage::{WinPercentage, csv};

use crate::journal::RunKey;

/// What candidate sets and the fits to them are computed from.
#[derive(Clone)]
pub struct FitInputs<'a> {
    /// What is played.
    pub setup: &'a Setup,
    /// The player of the candidate sets.
    pub ranker: &'a StaticPlayer,
    /// What identifies that player.
    pub ranker_identity: &'a str,
    /// The leave table of the features; `None` if they need none.
    pub leaves: Option<LeaveData>,
    /// The win table of the playouts.
    pub win_percentage: &'a WinPercentage,
}

impl FitInputs<'_> {
    /// The key of candidate sets made by a config, which do not depend on the leave table of the features.
    pub(super) fn candidate_key(&self, config: String) -> RunKey {
        RunKey::new(config)
            .with_setup(self.setup)
            .with_input("player", self.ranker_identity)
            .with_input("win table", sha256(csv::write(self.win_percentage).as_bytes()))
    }

    /// The key of a fit by a config.
    pub fn key(&self, config: String) -> RunKey {
        let leaves = self.leaves.as_ref().map(|leaves| leaves.identity(&self.setup.tileset)).unwrap_or_default();
        self.candidate_key(config).with_input("leave table", leaves)
    }
}
