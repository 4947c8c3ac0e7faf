//! Moves: plays, exchanges and passes.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;

use crate::board::Board;
use crate::layout::{Direction, Square};
use crate::tileset::{MAX_RACK_SIZE, Tile};

pub mod notation;

/// Up to a rackful of tiles, in order, without allocation.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Tiles {
    tiles: [Tile; MAX_RACK_SIZE],
    len: u8,
}

impl Tiles {
    /// Adds a tile; the caller keeps to [`MAX_RACK_SIZE`].
    #[inline]
    pub fn push(&mut self, tile: Tile) {
        self.tiles[self.len as usize] = tile;
        self.len += 1;
    }
}

/// More tiles first, then by the tiles: among equal moves the one that turns over more of the rack.
impl Ord for Tiles {
    fn cmp(&self, other: &Tiles) -> Ordering {
        other.len.cmp(&self.len).then(self.tiles.cmp(&other.tiles))
    }
}

impl PartialOrd for Tiles {
    fn partial_cmp(&self, other: &Tiles) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Deref for Tiles {
    type Target = [Tile];
    fn deref(&self) -> &[Tile] {
        &self.tiles[..self.len as usize]
    }
}

impl FromIterator<Tile> for Tiles {
    fn from_iter<I: IntoIterator<Item = Tile>>(source: I) -> Tiles {
        let mut tiles = Tiles::default();
        source.into_iter().for_each(|tile| tiles.push(tile));
        tiles
    }
}

impl fmt::Debug for Tiles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

/// Tiles put down along one lane.
///
/// A play of one tile that makes words both ways is written across. The order breaks ties between moves of equal equity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Play {
    /// Which way the main word runs.
    pub direction: Direction,
    /// Where the main word begins, which may be a tile that was there before.
    pub start: Square,
    /// The tiles put down, in order; squares with tiles are skipped over.
    pub tiles: Tiles,
    /// Points, bonus included.
    pub score: i32,
}

impl Play {
    /// Where each tile goes, on the board before the play. Stops at the edge.
    pub fn placements<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = (Square, Tile)> + 'a {
        let (lane, start) = self.start.lane(self.direction);
        let cells = board.lane(self.direction, lane);
        let free = (start..cells.len()).filter(|&offset| cells[offset].is_none());
        free.zip(self.tiles.iter()).map(move |(offset, &tile)| (Square::in_lane(self.direction, lane, offset), tile))
    }
}

/// What a player does with a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Tiles on the board.
    Play(Play),
    /// Tiles back into the bag, in the tile set's order.
    Exchange(Tiles),
    /// Nothing.
    Pass,
}

// Lists of moves are long.
const _: () = assert!(size_of::<Move>() <= 16);

impl Move {
    /// Points it scores at once.
    pub fn score(&self) -> i32 {
        match self {
            Move::Play(play) => play.score,
            Move::Exchange(_) | Move::Pass => 0,
        }
    }

    /// The tiles that leave the rack.
    pub fn tiles(&self) -> &[Tile] {
        match self {
            Move::Play(play) => &play.tiles,
            Move::Exchange(tiles) => tiles,
            Move::Pass => &[],
        }
    }
}
