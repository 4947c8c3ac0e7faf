//! The tiles on the board.

use crate::layout::{Direction, MAX_SQUARES, Square};
use crate::tileset::Tile;

/// A square board of tiles, kept by rows and by columns, so that a lane of either direction is one slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    side: usize,
    tiles: usize,
    squares: [[Option<Tile>; MAX_SQUARES]; 2],
}

impl Board {
    /// An empty board.
    pub fn new(side: usize) -> Board {
        Board { side, tiles: 0, squares: [[None; MAX_SQUARES]; 2] }
    }

    /// Rows, and columns.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Tiles on it.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// Whether no tile has been played.
    pub fn is_empty(&self) -> bool {
        self.tiles == 0
    }

    /// The tile on a square.
    pub fn get(&self, square: Square) -> Option<Tile> {
        self.squares[0][square.row as usize * self.side + square.column as usize]
    }

    /// Puts a tile on a square or takes it away.
    pub fn set(&mut self, square: Square, tile: Option<Tile>) {
        self.tiles = self.tiles + usize::from(tile.is_some()) - usize::from(self.get(square).is_some());
        for direction in Direction::BOTH {
            let (lane, offset) = square.lane(direction);
            self.squares[direction as usize][lane * self.side + offset] = tile;
        }
    }

    /// One row across, one column down.
    #[inline]
    pub fn lane(&self, direction: Direction, lane: usize) -> &[Option<Tile>] {
        &self.squares[direction as usize][lane * self.side..][..self.side]
    }

    /// Every square with a tile, row by row.
    pub fn occupied(&self) -> impl Iterator<Item = (Square, Tile)> + '_ {
        (0..self.side * self.side).filter_map(|index| {
            let square = Square { row: (index / self.side) as u8, column: (index % self.side) as u8 };
            self.get(square).map(|tile| (square, tile))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_agree() {
        let mut board = Board::new(15);
        let square = Square { row: 3, column: 11 };
        board.set(square, Some(Tile::letter_tile(5)));
        assert_eq!(board.lane(Direction::Across, 3)[11], Some(Tile::letter_tile(5)));
        assert_eq!(board.lane(Direction::Down, 11)[3], Some(Tile::letter_tile(5)));
        assert_eq!((board.tiles(), board.occupied().count()), (1, 1));
        board.set(square, None);
        assert_eq!(board, Board::new(15));
    }
}
