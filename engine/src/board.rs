//! The tiles on the board.

use crate::layout::{Direction, MAX_SQUARES, Square};
use crate::tileset::Tile;

/// A square board. It stores its tiles by row and by column, so a lane of either direction is one slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    side: usize,
    tiles: usize,
    squares: [[Option<Tile>; MAX_SQUARES]; 2],
}

impl Board {
    /// Creates an empty board of `side` rows and columns.
    pub fn new(side: usize) -> Board {
        Board { side, tiles: 0, squares: [[None; MAX_SQUARES]; 2] }
    }

    /// Returns the number of rows, which is the number of columns.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Returns the number of tiles on the board.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// Returns whether there are no tiles on the board.
    pub fn is_empty(&self) -> bool {
        self.tiles == 0
    }

    /// Returns the tile on a square.
    pub fn get(&self, square: Square) -> Option<Tile> {
        self.squares[0][square.row as usize * self.side + square.column as usize]
    }

    /// Sets or clears the tile on a square.
    pub fn set(&mut self, square: Square, tile: Option<Tile>) {
        self.tiles = self.tiles + usize::from(tile.is_some()) - usize::from(self.get(square).is_some());
        for direction in Direction::BOTH {
            let (lane, offset) = square.lane(direction);
            self.squares[direction as usize][lane * self.side + offset] = tile;
        }
    }

    /// Returns the squares of a lane: a row across or a column down.
    #[inline]
    pub fn lane(&self, direction: Direction, lane: usize) -> &[Option<Tile>] {
        &self.squares[direction as usize][lane * self.side..][..self.side]
    }

    /// Returns every square that has a tile, row by row.
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
    fn rows_and_columns_hold_the_same_tiles() {
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
