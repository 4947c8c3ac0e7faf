//! The data that a search for plays needs from its caller: the values of the leaves, and a visitor that receives the plays.

use crate::equity::Equity;
use crate::moves::Play;
use crate::rack::{MAX_SUB_RACKS, SubRacks};

/// The value of each leave of a rack.
#[derive(Clone, Debug)]
pub struct LeaveValues {
    /// The numbering of the leaves.
    pub sub_racks: SubRacks,
    /// The value of each leave by its number. The last leave is the whole rack, which a pass keeps.
    pub values: [Equity; MAX_SUB_RACKS],
}

/// The plays that a `Visitor` needs. It decides only the order of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// The best one or few plays.
    Best,
    /// All plays.
    All,
}

/// Receives plays as they are found, in no particular order.
pub(super) trait Visitor {
    /// The plays that the visitor needs.
    const GOAL: Goal = Goal::Best;

    /// Returns the equity below which plays may be skipped. It may rise during the search.
    fn threshold(&self) -> Equity;

    /// Receives a legal play and its equity, each play once. The equity may be below the threshold.
    fn visit(&mut self, equity: Equity, play: impl FnOnce() -> Play);
}

/// Calls a function with every play and its equity.
pub(super) struct Each<F>(pub F);

impl<F: FnMut(Equity, Play)> Visitor for Each<F> {
    const GOAL: Goal = Goal::All;

    fn threshold(&self) -> Equity {
        Equity(i32::MIN)
    }

    fn visit(&mut self, equity: Equity, play: impl FnOnce() -> Play) {
        self.0(equity, play());
    }
}
