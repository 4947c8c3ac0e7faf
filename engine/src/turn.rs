//! A turn, as the player to move sees it.

use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::rack::Rack;
use crate::setup::Setup;

/// All that the player to move sees, and all that a static value of its moves depends on.
///
/// [`Game::turn`](crate::game::Game::turn) makes it. A caller that has a board and no game fills in the fields.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// Tile set, board layout and words.
    pub setup: &'a Setup,
    /// The tiles on the board.
    pub board: &'a Board,
    /// The cross sets of the board.
    pub cross_sets: &'a CrossSets,
    /// The rack of the player to move.
    pub rack: Rack,
    /// The tiles that the player to move cannot see: the bag and the other rack.
    pub unseen: Rack,
    /// Tiles in the bag.
    pub bag: usize,
    /// Points that the player to move is ahead, before the move.
    pub spread: i32,
}

impl Turn<'_> {
    /// The same turn with another rack, and the tiles that are unseen with that rack.
    #[must_use]
    pub fn with_rack(&self, rack: Rack, unseen: Rack) -> Self {
        Turn { rack, unseen, ..*self }
    }

    /// Tiles that a player draws who keeps `leave` tiles of a full rack; no more than the bag has.
    pub fn drawn(&self, leave: usize) -> usize {
        self.setup.tileset.rules().rack_size.saturating_sub(leave).min(self.bag)
    }
}
