//! Evaluators: what a move is worth beyond its score.
//!
//! A static evaluator prices what a move keeps on the rack. It does so once a turn for all sub-racks, so the generator adds
//! one look-up a play. What depends on where a play lays its tiles is added for the best moves by these values only.

use crate::equity::Equity;
use crate::movegen::ValuedMove;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::turn::Turn;

mod greedy;
mod leave;
pub mod linear;

pub use greedy::Greedy;
pub use leave::Leave;
pub use linear::Linear;

/// Prices what a move keeps.
pub trait Evaluator: Send + Sync {
    /// Writes what keeping each sub-rack is worth: `keep_values[n]` for number `n` of `numbers`; the last is the whole rack,
    /// that is, passing.
    fn keep_values(&self, turn: &Turn<'_>, numbers: &SubRacks, keep_values: &mut [Equity; MAX_SUB_RACKS]);

    /// How many of the best moves by score and keep are looked at again, for where they lay their tiles; none if that does not
    /// matter.
    fn second_look(&self) -> usize {
        0
    }

    /// Adds to the equity of plays what it is worth where they lay their tiles.
    fn add_placed(&self, _turn: &Turn<'_>, _moves: &mut [ValuedMove]) {}
}
