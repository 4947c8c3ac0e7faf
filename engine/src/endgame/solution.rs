//! The limits of an endgame search, and its result.

use std::cmp::Reverse;
use std::time::Duration;

use thiserror::Error;

use super::MAX_VALUE;
use crate::game::{Game, SCORELESS_LIMIT};
use crate::moves::Move;
use crate::rack::Rack;

/// The limits of an endgame search. Without limits the endgame is solved exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of positions to search.
    pub nodes: Option<u64>,
    /// The maximum CPU time of the thread that searches, so that a busy machine changes little. The search may take four
    /// times as long by the clock. With a time limit, results are not reproducible.
    pub time: Option<Duration>,
    /// Whether to search only for the winner.
    pub first_win: bool,
}

/// The result of an endgame search. Values are changes of the spread from here to the end of the game, in points, from the
/// view of the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The best move. The static plan and then the order of moves break ties. If only the winner was searched, it is any
    /// move that achieves the best outcome. If a limit stopped the search, it is the move with the best proved lower bound, or,
    /// as long as the best estimate is above that, the best of a search of all moves to one depth.
    pub best: Move,
    /// The value of the best move under best play if the solution is exact. Otherwise it is the proved lower bound of the
    /// move, or its estimate if that is above all proved bounds.
    pub value: i32,
    /// The proved lower and upper bound of the value of the position.
    pub bounds: (i32, i32),
    /// The best line to the end of the game, from the best move on. It is only that move unless the solution is exact.
    pub line: Vec<Move>,
    /// The number of positions searched.
    pub nodes: u64,
    /// Whether the value is proved.
    pub is_exact: bool,
}

/// A move of an endgame with its exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The move.
    pub chosen: Move,
    /// The change of the spread from here to the end of the game if it is made, in points, from the view of the player to move.
    pub value: i32,
}

/// The best moves, with their places in the order that breaks ties.
#[derive(Debug)]
pub(super) struct BestMoves {
    most: usize,
    moves: Vec<(usize, MoveValue)>,
    /// Whether there is a pass whose value is not known. It gains no more than the best play.
    pub(crate) has_open_pass: bool,
}

impl BestMoves {
    pub(super) fn new(most: usize) -> BestMoves {
        BestMoves { most, moves: Vec::new(), has_open_pass: false }
    }

    /// Returns the number that a value must exceed to matter.
    pub(super) fn least(&self) -> i32 {
        if self.moves.len() < self.most { -MAX_VALUE } else { self.moves[self.most - 1].1.value - 1 }
    }

    pub(super) fn add(&mut self, rank: usize, value: MoveValue) {
        self.moves.push((rank, value));
        self.moves.sort_by_key(|(rank, MoveValue { value, .. })| (Reverse(*value), *rank));
        self.moves.truncate(self.most);
    }

    /// Returns the moves, the best first.
    pub(super) fn into_moves(self) -> Vec<MoveValue> {
        self.moves.into_iter().map(|(_, value)| value).collect()
    }
}

/// Why a position is not an endgame.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EndgameError {
    #[error("{tiles} tiles are left in the bag; an endgame begins when the bag is empty")]
    BagNotEmpty { tiles: usize },
    #[error("the game is over: a rack is empty, or there were {SCORELESS_LIMIT} scoreless turns in a row")]
    Over,
}

/// Checks that a position is an endgame.
///
/// # Errors
/// [`EndgameError`] if the bag is not empty or the game is over.
pub fn check(game: &Game) -> Result<(), EndgameError> {
    if !game.bag.is_empty() {
        return Err(EndgameError::BagNotEmpty { tiles: game.bag.len() });
    }
    let is_stalled = game.scoreless_turns >= SCORELESS_LIMIT;
    if game.is_over() || is_stalled || game.racks.iter().any(Rack::is_empty) {
        return Err(EndgameError::Over);
    }
    Ok(())
}
