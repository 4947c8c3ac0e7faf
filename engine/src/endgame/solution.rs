//! What is asked of an endgame, and what is found out about it.

use std::time::Duration;

use thiserror::Error;

use super::MOST;
use crate::game::{Game, SCORELESS_LIMIT};
use crate::moves::Move;
use crate::rack::Rack;

/// How long to search, and for what. Without limits an endgame is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Time to take. What is found within some time is not the same on every run.
    pub time: Option<Duration>,
    /// Find out who wins, and look no farther.
    pub first_win: bool,
}

/// What was found out about an endgame. Values are in points and say by how much the spread changes from here to the end of the
/// game, from the view of the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The best move; among equals the one that the static plan, and then the order of moves, puts first. When only the winner
    /// was asked for, a move that is as good as any for that.
    pub best: Move,
    /// What it is worth under best play of both; an estimate unless the solution is exact.
    pub value: i32,
    /// The value is certainly not below the first and not above the second; [`Solution::NO_BOUNDS`] where nothing is certain.
    pub bounds: (i32, i32),
    /// Best play from here to the end of the game, the best move first; that move alone unless the solution is exact.
    pub line: Vec<Move>,
    /// Positions looked at.
    pub nodes: u64,
    /// Whether the value is certain.
    pub is_exact: bool,
}

impl Solution {
    /// Bounds of any endgame.
    pub const NO_BOUNDS: (i32, i32) = (-MOST, MOST);
}

/// What is no endgame.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EndgameError {
    /// There is still something to draw.
    #[error("{tiles} tiles are left in the bag; an endgame begins when it is empty")]
    BagNotEmpty {
        /// Tiles in the bag.
        tiles: usize,
    },
    /// There is nothing to decide.
    #[error("the game is over: a rack is empty, or too many turns in a row have been scoreless")]
    Over,
}

/// Whether there is an endgame to solve.
pub(super) fn check(game: &Game) -> Result<(), EndgameError> {
    if !game.bag.is_empty() {
        return Err(EndgameError::BagNotEmpty { tiles: game.bag.len() });
    }
    let is_stalled = game.scoreless_turns >= SCORELESS_LIMIT;
    if game.is_over() || is_stalled || game.racks.iter().any(Rack::is_empty) {
        return Err(EndgameError::Over);
    }
    Ok(())
}
