//! Moves: a play, an exchange or a pass.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::Board;
use crate::layout::{Direction, Square};
use crate::tileset::{MAX_RACK_SIZE, Tile};

pub mod notation;

/// An ordered list of at most a rackful of tiles, without allocation.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "Vec<Tile>", try_from = "Vec<Tile>")]
pub struct Tiles {
    tiles: [Tile; MAX_RACK_SIZE],
    len: u8,
}

/// More tiles than fit on a rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0} tiles; a move has at most {MAX_RACK_SIZE}")]
pub struct TooManyTiles(usize);

impl From<Tiles> for Vec<Tile> {
    fn from(tiles: Tiles) -> Vec<Tile> {
        tiles.to_vec()
    }
}

impl TryFrom<Vec<Tile>> for Tiles {
    type Error = TooManyTiles;
    fn try_from(tiles: Vec<Tile>) -> Result<Tiles, TooManyTiles> {
        if tiles.len() > MAX_RACK_SIZE { Err(TooManyTiles(tiles.len())) } else { Ok(tiles.into_iter().collect()) }
    }
}

impl Tiles {
    /// Appends a tile.
    ///
    /// # Panics
    /// If the list already holds [`MAX_RACK_SIZE`] tiles.
    #[inline]
    pub(crate) fn push(&mut self, tile: Tile) {
        self.tiles[self.len as usize] = tile;
        self.len += 1;
    }
}

/// Longer lists come first, then the tiles decide. Of two moves with equal equity, the move with more tiles is preferred.
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

/// A play: tiles laid along one lane.
///
/// A play of one tile that forms words in both directions is written across. The order of plays breaks ties between moves of
/// equal equity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Play {
    /// The direction of the main word.
    pub direction: Direction,
    /// The first square of the main word, which may hold a tile already.
    pub start: Square,
    /// The tiles laid, in order. Occupied squares are skipped.
    pub tiles: Tiles,
    /// Points, including the bingo bonus.
    pub score: i32,
}

impl Play {
    /// Returns each tile with its square, given the board before the play. Stops at the edge of the board.
    pub fn placements<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = (Square, Tile)> + 'a {
        let (lane, start) = self.start.lane(self.direction);
        let cells = board.lane(self.direction, lane);
        let free = (start..cells.len()).filter(|&offset| cells[offset].is_none());
        free.zip(self.tiles.iter()).map(move |(offset, &tile)| (Square::in_lane(self.direction, lane, offset), tile))
    }
}

/// The squares that the tiles of a play cover, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PlaySquares {
    squares: [Square; MAX_RACK_SIZE],
    count: usize,
}

impl PlaySquares {
    /// Finds the squares of a play, given the board before the play.
    pub(crate) fn new(play: &Play, board: &Board) -> PlaySquares {
        let mut covered = PlaySquares::default();
        for (square, _) in play.placements(board) {
            covered.squares[covered.count] = square;
            covered.count += 1;
        }
        covered
    }

    /// Returns the squares.
    pub(crate) fn squares(&self) -> &[Square] {
        &self.squares[..self.count]
    }
}

/// The action of a player in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Move {
    /// Lays tiles on the board.
    Play(Play),
    /// Puts these tiles back into the bag and draws as many. They are in the order of the tile set.
    Exchange(Tiles),
    /// Does nothing.
    Pass,
}

// A small move matters: generators return lists of a thousand moves.
const _: () = assert!(size_of::<Move>() <= 16);

impl Move {
    /// Returns the score of the move in points, or 0 for an exchange or a pass.
    pub fn score(&self) -> i32 {
        match self {
            Move::Play(play) => play.score,
            Move::Exchange(_) | Move::Pass => 0,
        }
    }

    /// Returns the tiles that leave the rack.
    pub fn tiles(&self) -> &[Tile] {
        match self {
            Move::Play(play) => &play.tiles,
            Move::Exchange(tiles) => tiles,
            Move::Pass => &[],
        }
    }
}
