//! The work files of a match.

use tilewright_engine::series::sequential::PAIRS_PER_LOOK;

/// Pairs per file. A look of a sequential test lies within one file.
pub const PAIRS_PER_FILE: u64 = 8 * PAIRS_PER_LOOK;
/// The prefix of the files.
pub(super) const FILES: &str = "pairs-";
/// The work file with the most pairs that a match without a test was asked for, over all its parts.
pub(super) const ASKED: &str = "asked";
