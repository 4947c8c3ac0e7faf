//! What a game is played with.

use crate::hash::sha256;
use crate::layout::Layout;
use crate::lexicon::Lexicon;
use crate::tileset::TileSet;

/// The tile set, the board and the words of a game; never changed while playing, shared by every thread.
#[derive(Debug)]
pub struct Setup {
    /// Letters, counts, values and rules.
    pub tileset: TileSet,
    /// Premium squares.
    pub layout: Layout,
    /// The words.
    pub lexicon: Lexicon,
}

impl Setup {
    /// A hash of everything but the words that changes play: the tile set, its rules, and the board. Hexadecimal.
    pub fn rules_hash(&self) -> String {
        sha256(format!("{} {}", self.tileset.hash(), self.layout.hash()).as_bytes())
    }
}
