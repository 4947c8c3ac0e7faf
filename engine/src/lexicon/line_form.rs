//! How the lines of a word list are read.

use serde::{Deserialize, Serialize};

/// How the lines of a text are read. The default takes only what is safe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineForm {
    /// The word is the first column of its line, which a space, a comma or a semicolon ends. A tab always ends the word.
    pub first_column: bool,
    /// Letters that the tile set lacks are spelled with letters that it has: `É` as `E`, `Œ` as `OE`.
    pub fold: bool,
}
