//! A turn, as the player to move sees it.

use crate::movegen::Position;
use crate::rack::Rack;
use crate::setup::Setup;

/// What a player sees when it has to value its moves.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// Tile set, board layout and words.
    pub setup: &'a Setup,
    /// The board, the rack of the player to move, and how many tiles are in the bag.
    pub position: Position<'a>,
    /// Tiles that the player to move cannot see: the bag and the other rack.
    pub unseen: &'a Rack,
}

impl Turn<'_> {
    /// Tiles in the bag.
    pub fn bag(&self) -> usize {
        self.position.bag
    }

    /// Tiles that a player draws who keeps so many of a full rack; no more than the bag has.
    pub fn drawn(&self, kept: usize) -> usize {
        self.setup.tileset.rules().rack_size.saturating_sub(kept).min(self.position.bag)
    }
}
