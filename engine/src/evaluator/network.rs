//! `network:PATH`: a small neural network on features, with a linear evaluator as its skip connection.
//!
//! ```text
//! equity = score + Σ skip(f) · x(f) + dense layers of the standardised features
//! ```
//!
//! The skip weights of the leave rank the moves of a turn, as in [`Linear`](crate::evaluator::Linear); the network then values the best of them again. With an empty
//! bag play is that of the skip weights alone. Inference is plain Rust on 32-bit floats, in the order in which the layers are written
//! down, so a position has the same value on every machine of one kind. The level of the output is arbitrary, because training sees
//! differences between the moves of one position only: compare equities within a turn, not between turns.

mod weights;
mod inference;
pub mod load;
#[cfg(test)]
mod tests;

pub use inference::Network;
pub use weights::{BadNetwork, Dense, NetworkSettings, NetworkWeights};
