//! Evaluators: the equity of a move beyond its score.
//!
//! An evaluator values all leaves of a turn at once, so the generator needs one look-up per move. The value of the squares
//! of a play is added afterwards, for the best moves by score and leave only.

use std::fmt;

use crate::equity::Equity;
use crate::movegen::ValuedMove;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::turn::Turn;

mod prior;
mod leave;
pub mod linear;
pub mod network;

pub(crate) use leave::ByLeaves;
pub use leave::{Greedy, NoLeaves};
pub use linear::Linear;
pub use network::Network;
pub use prior::Prior;

/// Which of several moves of equal equity comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The first in the order of moves.
    Ordered,
    /// Any of them, as the position draws it: the same position has the same order.
    Random,
}

/// Gives moves their equity beyond the score, from the view of the player to move.
pub trait Evaluator: Send + Sync {
    /// Writes the value of every leave: `leave_values[n]` belongs to sub-rack `n` of `sub_racks`. The last sub-rack is the
    /// whole rack, the leave of a pass: [`Equity::PASS`] makes it the last resort.
    fn leave_values(&self, turn: &Turn<'_>, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]);

    /// Whether the values of leaves follow from the rack alone with this many tiles in the bag, so that equal racks have the same.
    fn needs_only_rack(&self, _bag: usize) -> bool {
        false
    }

    /// How many of the best moves by score and leave [`Evaluator::add_placed`] values again [default: 0]. Override both or neither.
    fn second_look(&self) -> usize {
        0
    }

    /// Which of several moves of equal equity comes first.
    fn ties(&self) -> Ties {
        Ties::Ordered
    }

    /// How far the equities lie from simulated gains, with as many tiles in the bag.
    fn prior(&self, bag: usize) -> Prior {
        Prior::of_leaves(bag)
    }

    /// Adds to the equity of each play the value of where it lays its tiles.
    fn add_placed(&self, _turn: &Turn<'_>, _moves: &mut [ValuedMove]) {}
}

impl fmt::Debug for dyn Evaluator + '_ {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("dyn Evaluator")
    }
}
