//! `network:PATH`, and `network` for the embedded one: a small neural network on features, with a linear evaluator as its skip
//! connection.
//!
//! ```text
//! equity = score + Σ skip(f) · x(f) + dense layers of the standardised features
//! ```
//!
//! The skip weights of the leave rank the moves of a turn, as in [`Linear`](crate::evaluator::Linear); the network then values the best
//! of them again. With an empty bag another network of the same settings plays, if the weights have one
//! ([`NetworkWeights::endgame`]); otherwise the skip weights alone. Inference is plain Rust on 32-bit floats, in the order in which the
//! layers are written down, so a position has the same value on every machine of one kind. Training sees differences between the moves
//! of one position only, so the layers say nothing about the state value: their mean over the moves that are valued is taken
//! away.

mod weights;
mod files;
mod inference;
pub mod load;
mod embedded;
#[cfg(test)]
mod tests;

pub use inference::Network;
pub use weights::{BadNetwork, Dense, NetworkSettings, NetworkWeights};
