//! The squares that plays cover and depend on, and the maximum score of a tile on a square.

use super::MAX_VALUE;
use super::position::Position;
use crate::cross_set::ends;
use crate::layout::{Direction, MAX_SIDE, MAX_SQUARES, Square};
use crate::moves::{Play, PlaySquares};
use crate::tileset::Tile;

/// A set of squares, as bits counted row by row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Squares([u64; MAX_SQUARES.div_ceil(64)]);

impl Squares {
    pub(super) fn add(&mut self, square: Square) {
        let place = square.row as usize * MAX_SIDE + square.column as usize;
        self.0[place / 64] |= 1 << (place % 64);
    }

    pub(super) fn remove(&mut self, square: Square) {
        let place = square.row as usize * MAX_SIDE + square.column as usize;
        self.0[place / 64] &= !(1 << (place % 64));
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Square> {
        self.0.into_iter().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                let place = 64 * index + bit;
                Some(Square { row: (place / MAX_SIDE) as u8, column: (place % MAX_SIDE) as u8 })
            })
        })
    }

    /// Returns whether two sets have a square in common.
    #[inline]
    pub(super) fn meet(&self, other: &Squares) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, theirs)| mine & theirs != 0)
    }
}

impl Position<'_> {
    pub(super) fn covered(&self, play: &Play) -> Squares {
        let mut squares = Squares::default();
        play.placements(&self.board).for_each(|(square, _)| squares.add(square));
        squares
    }

    /// Returns the squares on which a play depends: as long as they stay empty, the play stays legal and scores the same.
    /// They are the squares that it covers, and the first empty squares beyond each end of its words.
    pub(super) fn footprint(&self, play: &Play) -> Squares {
        let mut squares = Squares::default();
        let (lane, start) = play.start.lane(play.direction);
        let mut end = start;
        for (square, _) in play.placements(&self.board) {
            squares.add(square);
            end = square.lane(play.direction).1;
            ends(&self.board, play.direction.other(), square).for_each(|end| squares.add(end));
        }
        let cells = self.board.lane(play.direction, lane);
        let after = (end + 1..cells.len()).find(|&offset| cells[offset].is_none());
        for offset in start.checked_sub(1).into_iter().chain(after) {
            squares.add(Square::in_lane(play.direction, lane, offset));
        }
        squares
    }

    /// Returns an upper bound of the score of a single tile next to the tiles of a play made before, for any lexicon.
    pub(super) fn max_score_beside(&mut self, play: &Play, kind: u8) -> i32 {
        let mut footprint = self.footprint(play);
        let laid = PlaySquares::new(play, &self.board);
        for (&square, &tile) in laid.squares().iter().zip(play.tiles.iter()) {
            footprint.remove(square);
            self.board.set(square, Some(tile));
        }
        let most = footprint.iter().map(|square| self.max_score_on(square, kind)).max();
        for &square in laid.squares() {
            self.board.set(square, None);
        }
        most.unwrap_or_default()
    }

    /// Returns an upper bound of the score of one tile of a play of two tiles, if it is laid after the other.
    pub(super) fn max_score_last(&mut self, play: &Play, player: usize, sub_rack: u8) -> i32 {
        let laid = PlaySquares::new(play, &self.board);
        let mut most = -MAX_VALUE;
        for (last, first) in [(0, 1), (1, 0)] {
            let (Some(&tile), Some(&before)) = (play.tiles.get(last), play.tiles.get(first)) else { continue };
            if self.sub_racks[player].number(&[tile]) == sub_rack {
                self.board.set(laid.squares()[first], Some(before));
                most = most.max(self.max_score_on(laid.squares()[last], tile.kind()));
                self.board.set(laid.squares()[first], None);
            }
        }
        most
    }

    /// Returns the score of a tile on an empty square if all that it forms were words.
    fn max_score_on(&self, square: Square, kind: u8) -> i32 {
        let premium = self.setup.layout.premium(square);
        let value = |tile: Tile| self.setup.tileset.value(tile);
        let own = value(Tile::letter_tile(kind)) * i32::from(premium.letter);
        let words = Direction::BOTH.into_iter().map(|direction| {
            let (lane, offset) = square.lane(direction);
            let cells = self.board.lane(direction, lane);
            let beside = cells[..offset].iter().rev().map_while(|cell| *cell);
            let beside = beside.chain(cells[offset + 1..].iter().map_while(|cell| *cell));
            let (tiles, points) = beside.fold((0, 0), |(tiles, points), tile| (tiles + 1, points + value(tile)));
            if tiles == 0 { 0 } else { (points + own) * i32::from(premium.word) }
        });
        words.sum()
    }
}
