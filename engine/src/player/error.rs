//! Why a player cannot be created.

use thiserror::Error;

use super::spec::SpecError;
use crate::evaluator::linear::load::LinearError;
use crate::evaluator::network::load::NetworkError;
use crate::leave::embedded::NotEmbedded;
use crate::leave::load::LeaveTableError;
use crate::win_percentage::embedded::DefaultWinTable;

/// Why a player cannot be created from its name.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[non_exhaustive]
pub enum PlayerError {
    /// There is no such player.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// The leave table cannot be used.
    #[error(transparent)]
    LeaveTable(#[from] LeaveTableError),
    /// The weights of the linear evaluator, or its leave table, cannot be used.
    #[error("player {name}: {source}")]
    Linear { name: String, source: LinearError },
    /// The network, or its leave table, cannot be used.
    #[error("player {name}: {source}")]
    Network { name: String, source: NetworkError },
    /// The config of the player cannot be used.
    #[error("player {name}: {reason}")]
    Configured { name: String, reason: String },
    /// The external player cannot be reached or refuses to play.
    #[error("player {name}: {reason}")]
    External { name: String, reason: String },
    /// There is no embedded leave table for this lexicon and tile set.
    #[error("{0}")]
    NotEmbedded(#[from] NotEmbedded),
}

/// What the user of a player should know.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Warning {
    /// The file of the leave table does not have every leave.
    #[error("{0}")]
    EstimatedLeaves(String),
    /// The player simulates with a default win table that was not trained for the game.
    #[error("{0}")]
    WinTable(#[from] DefaultWinTable),
}
