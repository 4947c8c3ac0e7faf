//! The errors of a leave run.

use thiserror::Error;

use super::least_squares::FitError;
use crate::journal::JournalError;

/// An error that ends a leave run.
#[derive(Debug, Error)]
pub enum RunError {
    /// A stop, a finished part, or a work file that cannot be used.
    #[error("{0}")]
    Journal(#[from] JournalError),
    /// The deal empties the bag, so no tiles are ever drawn to a leave.
    #[error("the {tileset} tile set has {tiles} tiles: none is left in the bag after the deal, so leaves have no value")]
    EmptyBag {
        /// The name of the tile set.
        tileset: String,
        /// The number of its tiles.
        tiles: usize,
    },
    /// The fit failed.
    #[error("generation {generation}: {source}")]
    Fit {
        /// The generation, from 1.
        generation: u64,
        /// Why.
        source: FitError,
    },
}
