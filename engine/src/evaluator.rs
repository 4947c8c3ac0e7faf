//! Evaluators: the equity of a move beyond its score.
//!
//! An evaluator values all leaves of a turn at once, so the generator needs one look-up per move. The value of the squares
//! of a play is added afterwards, for the best moves by score and leave only.
//!
//! The errors of an evaluator's equities against playouts, by stage of the game.
//!
//! A simulation that starts from the equities as a prior needs both figures (see [`crate::simulator::posterior`]).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::equity::Equity;
use crate::movegen::ValuedMove;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::turn::Turn;

mod leave;
pub mod linear;
pub mod network;

pub(crate) use leave::ByLeaves;
pub use leave::{Greedy, NoLeaves};
pub use linear::Linear;
pub use network::Network;

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

/// The errors of a stage of the game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prior {
    /// The most tiles in the bag.
    pub bag: usize,
    /// The variance of a move's simulated gain about its equity, within one position, in points².
    pub variance: f64,
    /// The variance of one playout about the simulated gain, without the luck of the deal, which all moves share, in points².
    pub noise: f64,
}

/// The errors of `leave+pool+late` on enable2k, by two-ply playouts. The errors of `leave` are hardly greater.
/// `experiments/studies/26-search.md` has the measurement.
const OF_LEAVES: [Prior; 4] = [
    Prior { bag: 10, variance: 47.6, noise: 551.0 },
    Prior { bag: 30, variance: 13.3, noise: 315.0 },
    Prior { bag: 60, variance: 5.6, noise: 266.0 },
    Prior { bag: 1000, variance: 5.4, noise: 267.0 },
];

impl Prior {
    /// The errors of a leave table.
    pub(crate) fn of_leaves(bag: usize) -> Prior {
        Prior::of_stage(&OF_LEAVES, bag).unwrap_or(OF_LEAVES[0])
    }

    /// The errors with this many tiles in the bag, from the first stage with room for them, or else from the last stage.
    pub(crate) fn of_stage(stages: &[Prior], bag: usize) -> Option<Prior> {
        stages.iter().find(|stage| bag <= stage.bag).or(stages.last()).copied()
    }

    /// Whether the figures are possible in a prior.
    pub(crate) fn is_valid(self) -> bool {
        let is_valid = |value: f64| value > 0.0 && value <= 1e6;
        is_valid(self.variance) && is_valid(self.noise)
    }
}
