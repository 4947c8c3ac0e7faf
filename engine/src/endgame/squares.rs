//! Sets of squares.

use crate::layout::{MAX_SIDE, MAX_SQUARES, Square};

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
