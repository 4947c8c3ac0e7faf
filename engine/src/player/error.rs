//! Why a player cannot be created.

use std::error::Error;

use thiserror::Error as ThisError;

use super::spec::SpecError;
use crate::leave::load::{LeaveTableError, NotEmbedded};
use crate::win_percentage::load::DefaultWinTable;

/// Why a player cannot be created from its name.
#[derive(Debug, ThisError)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[non_exhaustive]
pub enum PlayerError {
    /// There is no such player.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// The leave table cannot be used.
    #[error(transparent)]
    LeaveTable(#[from] LeaveTableError),
    /// Its weights, its leave table or its config cannot be used, or it is external and cannot be reached or refuses to play.
    #[error("player {name}: {source}")]
    Unusable { name: String, source: Box<dyn Error + Send + Sync> },
    /// There is no embedded leave table for this lexicon and tile set.
    #[error("{0}")]
    NotEmbedded(#[from] NotEmbedded),
}

impl PlayerError {
    pub(super) fn unusable(name: &str, source: impl Into<Box<dyn Error + Send + Sync>>) -> PlayerError {
        PlayerError::Unusable { name: name.into(), source: source.into() }
    }
}

/// The warnings for the user of a player.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum Warning {
    /// The file of the leave table does not have every leave.
    #[error("{0}")]
    EstimatedLeaves(String),
    /// The test of an evolution has not promoted the weights of the player.
    #[error("{0} was not promoted: the test of its evolution did not show that it is stronger than the baseline")]
    NotPromoted(String),
    /// The player simulates with a default win table that was not trained for the game.
    #[error("{0}")]
    WinTable(#[from] DefaultWinTable),
}
