//! Evaluators: what a move is worth beyond its score.
//!
//! A static evaluator prices what a move keeps on the rack. It does so once a turn for all sub-racks, so the generator adds
//! one look-up a play.

use crate::equity::Equity;
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::setup::Setup;

mod greedy;
mod leave;
mod pool;

pub use greedy::Greedy;
pub use leave::Leave;

/// What a player sees when it has to value its moves.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// Tile set, board layout and words.
    pub setup: &'a Setup,
    /// The rack of the player to move.
    pub rack: &'a Rack,
    /// Tiles in the bag.
    pub bag: usize,
    /// Tiles that the player to move cannot see: the bag and the other rack.
    pub unseen: &'a Rack,
}

/// Prices what a move keeps.
pub trait Evaluator: Send + Sync {
    /// Writes what keeping each sub-rack is worth: `keep_values[n]` for number `n` of `numbers`; the last is the whole rack,
    /// that is, passing.
    fn keep_values(&self, turn: &Turn<'_>, numbers: &SubRacks, keep_values: &mut [Equity; MAX_SUB_RACKS]);
}
