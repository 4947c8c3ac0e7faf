//! Why a player cannot be created.

use thiserror::Error;

use crate::evaluator::linear::load::LinearError;
use crate::evaluator::network::load::NetworkError;
use crate::leave::embedded::NotEmbedded;
use crate::leave::load::LeaveTableError;

/// Why a player cannot be created from its name.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// The name is not that of a player.
    #[error(
        "{name:?} is not a player; use greedy, no-leaves, leave (the embedded leave table) or leave:PATH (an artefact folder, a .klv2 or a \
         .csv); leave+pool, leave+late or leave+pool+late, which correct leaves for the unseen tiles, for the tiles left in the \
         bag or for both; linear:PATH (feature weights in an artefact folder or a .toml, or linear:fitted and linear:evolved in the program), heuri1, heuri2 or heuri3 (published \
         weights); network (the embedded one) or network:PATH (an artefact folder); static (no search), sim (simulation) or full (simulation, pre-endgame and endgame search), or one of these \
         with a config, as in sim:FILE.toml; any of these with +endgame, as in leave+endgame:PATH, which searches endgames; \
         stdio:COMMAND and tcp:HOST:PORT for external players (see tilewright serve --help)"
    )]
    Unknown {
        /// As given.
        name: String,
    },
    /// The leave table cannot be used.
    #[error(transparent)]
    LeaveTable(#[from] LeaveTableError),
    /// The weights of the linear evaluator, or its leave table, cannot be used.
    #[error("player {name}: {source}")]
    Linear {
        /// As given.
        name: String,
        /// The reason.
        source: LinearError,
    },
    /// The network, or its leave table, cannot be used.
    #[error("player {name}: {source}")]
    Network {
        /// As given.
        name: String,
        /// The reason.
        source: NetworkError,
    },
    /// The config of the player cannot be used.
    #[error("player {name}: {reason}")]
    Configured {
        /// As given.
        name: String,
        /// The reason.
        reason: String,
    },
    /// The external player cannot be reached or refuses to play.
    #[error("player {name}: {reason}")]
    External {
        /// As given.
        name: String,
        /// The reason.
        reason: String,
    },
    /// There is no embedded leave table for this lexicon and tile set.
    #[error(transparent)]
    NotEmbedded(#[from] NotEmbedded),
}
