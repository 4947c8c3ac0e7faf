//! A turn: the view of the player to move.

use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::rack::Rack;
use crate::setup::Setup;

/// Everything that the player to move sees, and everything on which static values of moves depend.
///
/// [`Game::turn`](crate::game::Game::turn) creates it. A caller that has a board but no game fills in the fields.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The tile set, the board layout and the lexicon.
    pub setup: &'a Setup,
    /// The tiles on the board.
    pub board: &'a Board,
    /// The cross sets of the board.
    pub cross_sets: &'a CrossSets,
    /// The rack of the player to move.
    pub rack: Rack,
    /// The tiles that the player to move cannot see: those in the bag and on the other rack.
    pub unseen: Rack,
    /// The number of tiles in the bag.
    pub bag: usize,
    /// The spread before the move in points, from the view of the player to move.
    pub spread: i32,
}

impl Turn<'_> {
    /// Returns the number of tiles that a player with a leave of `leave` tiles draws.
    pub fn drawn(&self, leave: usize) -> usize {
        self.setup.tileset.rules().rack_size.saturating_sub(leave).min(self.bag)
    }
}
