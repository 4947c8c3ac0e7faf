//! `network:PATH`, and `network` for the embedded one: a small neural network on features, with a linear evaluator as its
//! skip connection.
//!
//! ```text
//! equity = score + Σ skip(f) · x(f) + dense layers of the standardised features
//! ```
//!
//! The skip weights of the leave rank the moves of a turn, as in [`Linear`](crate::evaluator::Linear). The network then
//! values the best of them again. In the last turns it also plays the game out, and with an empty bag nothing else counts.
//! Inference is plain Rust on 32-bit floats, in the written order of the layers. So a position has the same value on every machine of
//! one kind. Training sees only differences between the moves of one position, so the layers do not learn the state value.
//! Therefore their mean over the valued moves is subtracted.

mod products;
mod weights;
mod last_turns;
mod inference;
pub mod load;
#[cfg(test)]
mod tests;

pub use inference::Network;
pub use last_turns::MOST_IN_BAG;
pub use weights::{BadNetwork, Dense, NetworkSettings, NetworkWeights};
