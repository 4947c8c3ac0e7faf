//! Why a run of leaves ends early.

use thiserror::Error;

use super::least_squares::FitError;
use crate::journal::JournalError;

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum RunError {
    /// A stop, a part that is done, or a work file that cannot be used.
    #[error("{0}")]
    Journal(#[from] JournalError),
    /// The deal empties the bag, so that no leave is ever kept for a draw.
    #[error("the {tileset} tile set has {tiles} tiles: none is left in the bag after the deal, so leaves have no value")]
    EmptyBag {
        /// The set's name.
        tileset: String,
        /// Its tiles.
        tiles: usize,
    },
    /// The fit failed.
    #[error("generation {generation}: {source}")]
    Fit {
        /// Which one.
        generation: u64,
        /// Why.
        source: FitError,
    },
}
