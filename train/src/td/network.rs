//! TD learning of a network: its weights learn from the games that it plays.
//!
//! ```text
//! value of a move = state value + skip connection + dense layers, in points
//! ```
//!
//! If a network was trained on the moves of one position at a time, its layers do not estimate the position, and play takes
//! their mean away. But predictions need it, so a **state value** is learned too: a small linear term in the bag and in the
//! spread before the move. It is the same for all moves of a turn, and the artefact does not hold it. It begins as the
//! least-squares fit to some games.
//!
//! Learning is offline TD(λ) (Sutton 1988): all differences of a game are taken with the same weights, and the sum over some games is one
//! step of Adam (Kingma and Ba 2015). A step changes a parameter by about the rate, in units that suit the parameter.

mod value;
#[cfg(test)]
mod test_support;
mod learner;
mod run;

pub use learner::NetworkLearner;
pub use run::{NetworkLearning, NetworkOutcome, Start};
pub use value::STATE_VALUE_NAMES;
