//! The work files of a match, and the pairs that they hold.

use std::ops::Range;

use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::sequential::PAIRS_PER_LOOK;
use tilewright_engine::series::{Pair, Series};

/// Pairs per file. A look of a sequential test lies within one file.
pub const PAIRS_PER_FILE: u64 = 8 * PAIRS_PER_LOOK;
/// The prefix of the files.
pub(super) const FILES: &str = "pairs-";
/// The work file with the most pairs that a match without a test was asked for.
pub(super) const ASKED: &str = "asked";

/// Plays the pairs of a range; they come in order.
pub(super) fn play_each(series: &Series<'_>, keeps_moves: bool, pairs: Range<u64>, monitor: &dyn Monitor) -> Vec<Pair> {
    let played = series.play_each(pairs, monitor);
    if keeps_moves { played } else { played.into_iter().map(Pair::without_moves).collect() }
}
