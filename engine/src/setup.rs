//! What a game is played with.

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
