//! Errors of a fit.

use thiserror::Error;

/// The reason why a fit is impossible.
#[derive(Debug, Error)]
pub enum FitError {
    /// Too little data.
    #[error("{racks} distinct racks are too few to fit; play more games")]
    TooFew {
        /// Distinct racks observed.
        racks: usize,
    },
    /// The normal equations have no solution in floating point.
    #[error("the normal equations cannot be factored: {0:?}")]
    Singular(faer::linalg::solvers::LltError),
}
