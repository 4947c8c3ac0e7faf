//! A match, its work files, and the pairs that they hold.

use std::ops::Range;

use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::sequential::{PAIRS_PER_LOOK, SequentialTest};
use tilewright_engine::series::{Pair, Series};

use super::spec::MatchSpec;

/// Pairs per file. A look of a sequential test lies within one file.
pub const PAIRS_PER_FILE: u64 = 8 * PAIRS_PER_LOOK;
/// The prefix of the files.
pub(super) const FILES: &str = "pairs-";
/// The work file with the most pairs that a match without a test was asked for.
pub(super) const ASKED: &str = "asked";

/// A match of two players.
pub struct MatchRun<'a> {
    /// The game, the players and their deals.
    pub series: Series<'a>,
    /// The spec of the match.
    pub spec: &'a MatchSpec,
    /// The number of pairs, or with a test the maximum.
    pub pairs: u64,
    /// The test, which may end the match early.
    pub test: Option<SequentialTest>,
    /// Whether the pairs keep the moves of their games.
    pub keeps_moves: bool,
    /// Takes the finished pairs in order. If the run is stopped, it has every finished pair, with a test only up to the
    /// stop.
    pub take: &'a dyn Fn(&[Pair]),
}

impl MatchRun<'_> {
    /// Plays the pairs of a range. They come in order.
    pub(super) fn play_each(&self, pairs: Range<u64>, monitor: &dyn Monitor) -> Vec<Pair> {
        let played = self.series.play_each(pairs, monitor);
        if self.keeps_moves { played } else { played.into_iter().map(Pair::without_moves).collect() }
    }
}
