//! The limits of an endgame search, the reasons to stop it, and its result: also the move that it chooses when a limit cuts it short.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use thiserror::Error;

use super::MAX_VALUE;
use crate::game::Game;
use crate::moves::Move;
use crate::rack::Rack;
use crate::setup::Setup;

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
    /// The proved lower and upper bound of the value of the position. As long as the search has proved no better ones, they
    /// are the limits.
    pub bounds: (i32, i32),
    /// The bounds before the search, from the tiles and the premium squares alone. They are thousands of points apart.
    pub limits: (i32, i32),
    /// The best line to the end of the game, from the best move on. It is only that move unless the solution is exact.
    pub line: Vec<Move>,
    /// The number of positions searched.
    pub nodes: u64,
    /// Whether the value is proved.
    pub is_exact: bool,
}

impl Solution {
    /// Returns the lower and the upper bound that the search has found. A bound is `None` if it is not better than the limit.
    pub fn found_bounds(&self) -> [Option<i32>; 2] {
        let ((low, high), (least, most)) = (self.bounds, self.limits);
        [(low, low > least), (high, high < most)].map(|(bound, is_found)| (is_found || self.is_exact).then_some(bound))
    }
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
    #[error("the game is over: a rack is empty, or too many turns in a row were scoreless")]
    Over,
}

/// Checks that a position is an endgame.
///
/// # Errors
/// [`EndgameError`] if the bag is not empty or the game is over.
pub fn check(setup: &Setup, game: &Game) -> Result<(), EndgameError> {
    if !game.bag.is_empty() {
        return Err(EndgameError::BagNotEmpty { tiles: game.bag.len() });
    }
    if game.is_over() || game.passes_left(setup) == 0 || game.racks.iter().any(Rack::is_empty) {
        return Err(EndgameError::Over);
    }
    Ok(())
}

/// On a busy machine a search takes at most this many times its CPU time, so that it does not use up the clock of a game.
const LONGEST: u32 = 4;
/// The time is looked at once in this many positions.
const POSITIONS: u64 = 256;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StopConditions {
    nodes: Option<u64>,
    time: Option<TimeLimit>,
}

/// A limit of the CPU time of this thread.
#[derive(Clone, Copy, Debug)]
struct TimeLimit {
    most: Duration,
    begun: Instant,
    /// The CPU time at the beginning. On a system that does not measure it, it is `None` and elapsed time is used.
    cpu: Option<ThreadTime>,
}

impl StopConditions {
    /// Creates the conditions of a search that begins now on this thread.
    pub(super) fn from_now(limits: &Limits) -> StopConditions {
        let time = limits.time.map(|most| TimeLimit { most, begun: Instant::now(), cpu: ThreadTime::try_now().ok() });
        StopConditions { nodes: limits.nodes, time }
    }

    /// Whether the search stops after `nodes` positions.
    pub(super) fn are_met(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|most| nodes > most)
            || nodes.is_multiple_of(POSITIONS) && self.time.as_ref().is_some_and(TimeLimit::is_over)
    }
}

impl TimeLimit {
    fn is_over(&self) -> bool {
        let elapsed = self.begun.elapsed();
        match self.cpu.and_then(|cpu| cpu.try_elapsed().ok()) {
            Some(cpu) => cpu >= self.most || elapsed >= self.most.saturating_mul(LONGEST),
            None => elapsed >= self.most,
        }
    }
}

/// The choice among the moves of the root position, as of the searches that are complete.
///
/// It is the move with the best estimate of one depth until the best proved lower bound reaches that estimate, and from then on
/// the move with the best proved lower bound. So a search that goes on longer never gives up a move that was chosen by proof
/// for one whose value is less than that proof.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The move with the best estimate, as its place in the order that breaks ties.
    pub rank: usize,
    /// Its estimate in points.
    pub estimate: i32,
    /// The proved upper bound of its value.
    most: i32,
    /// The best proved lower bound of all moves.
    proved: i32,
    /// Whether the best proved lower bound decides.
    pub(crate) is_by_proof: bool,
}

impl Choice {
    /// The choice before the search: the move with the best estimate by the static plan, with its upper bound, and the best
    /// lower bound of all moves.
    pub(super) fn new(rank: usize, estimate: i32, most: i32, proved: i32) -> Choice {
        let choice = Choice { rank, estimate, most, proved, is_by_proof: false };
        choice.decided()
    }

    /// Takes note that a move has beaten the moves before it in a search of the same depth.
    pub(super) fn prefer(&mut self, rank: usize, estimate: i32, most: i32) {
        *self = Choice { rank, estimate, most, ..*self }.decided();
    }

    /// Takes note of the proved bounds of a move.
    pub(super) fn learn(&mut self, rank: usize, bounds: (i32, i32)) {
        self.proved = self.proved.max(bounds.0);
        if rank == self.rank {
            self.most = bounds.1;
        }
        *self = self.decided();
    }

    fn decided(self) -> Choice {
        Choice { is_by_proof: self.is_by_proof || self.proved >= self.estimate.min(self.most), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_takes_no_cpu_time_but_ends_in_the_end() {
        let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
        let until = StopConditions::from_now(&limits);
        std::thread::sleep(Duration::from_millis(220));
        assert!(!until.are_met(POSITIONS));
        std::thread::sleep(Duration::from_millis(600));
        assert!(until.are_met(POSITIONS) && !until.are_met(POSITIONS + 1));
        let none = StopConditions::from_now(&Limits { nodes: Some(7), ..Limits::default() });
        assert!(!none.are_met(7) && none.are_met(8));
    }

    #[test]
    fn a_proof_is_given_up_for_no_estimate() {
        let mut choice = Choice::new(0, 30, 90, -40);
        choice.learn(3, (20, 80));
        assert!(!choice.is_by_proof, "an estimate of 30 is above a proof of 20");
        choice.prefer(2, 25, 60);
        choice.learn(2, (-40, 20));
        assert!(choice.is_by_proof, "the move of the estimate gains at most 20");
        choice.prefer(4, 50, 60);
        assert!(choice.is_by_proof);
    }
}
