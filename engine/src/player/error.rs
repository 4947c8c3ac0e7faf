//! What can be wrong with a player's name, or with what the name stands for.

use thiserror::Error;

use crate::evaluator::linear::load::LinearError;
use crate::leave::embedded::NotEmbedded;
use crate::leave::load::LeaveTableError;

/// Why there is no player of a name.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// No such kind of player.
    #[error(
        "{name:?} is no player; players are greedy, leave (the embedded table) and leave:PATH, where PATH is an artefact folder, a \
         .klv2 or a .csv; leave+pool values leaves for the unseen tiles, leave+late for the tiles left in the bag, leave+pool+late \
         for both; linear:PATH weighs features, as its artefact folder or .toml says, and heuri1, heuri2 and heuri3 as published; \
         static ranks moves at a glance, sim simulates, full calculates pre-endgames and endgames too, each with \
         :FILE.toml as its file says; with +endgame, as in greedy+endgame or leave+endgame:PATH, a player calculates once the bag is \
         empty; stdio:COMMAND and tcp:HOST:PORT are players that run elsewhere (tilewright serve --help)"
    )]
    Unknown {
        /// As given.
        name: String,
    },
    /// The leave table cannot be used.
    #[error(transparent)]
    LeaveTable(#[from] LeaveTableError),
    /// The linear evaluator cannot be used.
    #[error("player {name}: {source}")]
    Linear {
        /// As given.
        name: String,
        /// What is wrong with its weights or its leave table.
        source: LinearError,
    },
    /// The file of a player cannot be used.
    #[error("player {name}: {reason}")]
    Configured {
        /// As given.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An external player cannot be reached, or refuses to play.
    #[error("player {name}: {reason}")]
    External {
        /// As given.
        name: String,
        /// What went wrong.
        reason: String,
    },
    /// There is no embedded table for these words and tiles.
    #[error(transparent)]
    NotEmbedded(#[from] NotEmbedded),
}
