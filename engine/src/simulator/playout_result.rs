//! The part of one playout in the standings.

use crate::equity::Equity;

/// The result of one playout, from the view of the player to move in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutResult {
    /// The win probability in billionths.
    pub win_probability: i64,
    /// The growth of the lead, with the values of both leaves unless the game ended.
    pub gain: Equity,
    /// Whether the player to move, and the opponent, played a bingo at their next turns.
    pub next_bingos: [bool; 2],
    /// The points that the player to move, and the opponent, scored at their next turns, or 0 if the playout ended before.
    pub next_scores: [i32; 2],
}

/// Converts a probability to billionths, so that sums do not depend on their order.
pub(super) fn billionths(probability: f64) -> i64 {
    (probability * 1e9).round() as i64
}
