//! Tiles and kinds of tiles.

use serde::{Deserialize, Serialize};

/// A tile.
///
/// On a rack or in the bag it is a kind: 0 for the blank, 1, 2, … for the letters in the order of the tile set. On the board it
/// is a letter, marked if a blank stands for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Tile(u8);

const BLANK_MARK: u8 = 0x80;

impl Tile {
    /// A blank that has no letter yet.
    pub const BLANK: Tile = Tile(0);

    /// Creates the natural tile of letter 1, 2, ….
    pub const fn letter_tile(letter: u8) -> Tile {
        Tile(letter)
    }

    /// Creates a blank that stands for `letter`.
    pub const fn blank_as(letter: u8) -> Tile {
        Tile(letter | BLANK_MARK)
    }

    /// Returns the letter of the tile, or 0 for a blank that has no letter yet.
    pub const fn letter(self) -> u8 {
        self.0 & !BLANK_MARK
    }

    /// Returns whether the tile is a blank, with or without a letter.
    pub const fn is_blank(self) -> bool {
        self.0 == 0 || self.0 & BLANK_MARK != 0
    }

    /// Returns the kind of the tile on a rack: 0 for a blank, otherwise its letter.
    pub const fn kind(self) -> u8 {
        if self.is_blank() { 0 } else { self.0 }
    }
}

/// One kind of tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileKind {
    /// The label of a natural tile: `A`, `CH`, or `?` for the blank.
    pub label: String,
    /// The label of a blank that stands for this letter: `a`, `ch`.
    pub(crate) blank_label: String,
    /// Tiles of this kind in a full bag.
    pub count: u8,
    /// Points before premium squares.
    pub value: u8,
    /// Whether it counts as a vowel.
    pub is_vowel: bool,
}
