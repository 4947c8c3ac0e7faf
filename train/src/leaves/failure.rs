//! Why a run of leaves ends early.

use thiserror::Error;
use tilewright_engine::artefact::ArtefactError;
use tilewright_engine::lexicon::kwg::KwgError;

use super::least_squares::FitError;
use crate::rack_values::ShardError;

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum RunError {
    /// It was asked to.
    #[error("interrupted")]
    Interrupted,
    /// Only some shards of the last generation were asked for, and those are there.
    #[error("this part is done; {missing} shards are with the other parts")]
    PartDone {
        /// Shards that other parts make.
        missing: u64,
    },
    /// The deal empties the bag, so that no leave is ever kept for a draw.
    #[error("the {tileset} tile set has {tiles} tiles: none is left in the bag after the deal, so leaves have no value")]
    EmptyBag {
        /// The set's name.
        tileset: String,
        /// Its tiles.
        tiles: usize,
    },
    /// A file of it cannot be read or written.
    #[error(transparent)]
    File(#[from] ArtefactError),
    /// A shard cannot be used.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The leaves of the tile set do not fit the format of leave tables.
    #[error("leave table: {0}")]
    Table(#[from] KwgError),
    /// The fit failed.
    #[error("generation {generation}: {source}")]
    Fit {
        /// Which one.
        generation: u64,
        /// Why.
        source: FitError,
    },
}
