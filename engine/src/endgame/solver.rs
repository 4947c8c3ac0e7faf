//! Solving one endgame after another.

use std::time::{Duration, Instant};

use thiserror::Error;

use super::position::Position;
use super::search::{Candidate, MOST, Search, Stopped, TO_THE_END, Until};
use super::table::Table;
use crate::game::Game;
use crate::moves::Move;
use crate::setup::Setup;

/// Positions that a solver's table holds, as a power of two: 48 MB.
const TABLE_BITS: u32 = 20;

/// How long to search, and for what.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Time to take. What is found within some time is not the same on every run.
    pub time: Option<Duration>,
    /// Look no farther than to who wins.
    pub first_win: bool,
}

/// What was found out about an endgame. Values are the changes of the spread from here to the end of the game, in points, from
/// the view of the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The best move; among equals the one that the static plan and then the order of moves puts first.
    pub best: Move,
    /// What it is worth under best play of both; an estimate unless it is exact.
    pub value: i32,
    /// The value is certainly not below the first, and not above the second.
    pub bounds: (i32, i32),
    /// Best play from here on, as far as it is known.
    pub line: Vec<Move>,
    /// Positions looked at.
    pub nodes: u64,
    /// Whether the value is certain.
    pub is_exact: bool,
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
    #[error("the game is over")]
    Over,
}

/// Solves endgames; keeps its memory between them, and nothing else that shows.
#[derive(Debug)]
pub struct Solver<'a> {
    setup: &'a Setup,
    table: Table,
}

/// A move of the first position.
struct Root {
    candidate: Candidate,
    /// By the last search that told.
    value: i32,
    /// Proved.
    bounds: (i32, i32),
}

impl<'a> Solver<'a> {
    /// For one tile set, board and lexicon.
    pub fn new(setup: &'a Setup) -> Solver<'a> {
        Solver { setup, table: Table::new(TABLE_BITS) }
    }

    /// Solves the endgame of a game, as far as the limits allow.
    ///
    /// # Errors
    /// [`EndgameError`].
    pub fn solve(&mut self, game: &Game, limits: &Limits) -> Result<Solution, EndgameError> {
        if !game.bag.is_empty() {
            return Err(EndgameError::BagNotEmpty { tiles: game.bag.len() });
        }
        if game.is_over() || game.racks.iter().any(crate::rack::Rack::is_empty) {
            return Err(EndgameError::Over);
        }
        let until = Until { nodes: limits.nodes, time: limits.time.map(|time| Instant::now() + time) };
        let search = Search::new(Position::new(self.setup, game), &mut self.table, until);
        Ok(Work::new(search).run())
    }
}

struct Work<'a, 't> {
    search: Search<'a, 't>,
    roots: Vec<Root>,
}

impl<'a, 't> Work<'a, 't> {
    fn new(mut search: Search<'a, 't>) -> Work<'a, 't> {
        let candidates = search.candidates();
        let root = |candidate: Candidate| {
            let value = candidate.estimate;
            Root { candidate, value, bounds: if candidate.ends { (value, value) } else { (-MOST, MOST) } }
        };
        Work { search, roots: candidates.into_iter().map(root).collect() }
    }

    fn bounds(&self) -> (i32, i32) {
        let lower = self.roots.iter().map(|root| root.bounds.0).max();
        let upper = self.roots.iter().map(|root| root.bounds.1).max();
        (lower.unwrap_or(-MOST), upper.unwrap_or(MOST))
    }

    fn run(mut self) -> Solution {
        let _ = self.deepen();
        let bounds = self.bounds();
        let best = &self.roots[0];
        let is_exact = bounds.0 == bounds.1;
        let value = if is_exact { bounds.0 } else { best.value };
        let best = best.candidate.listed.map_or(Move::Pass, |listed| Move::Play(listed.play));
        Solution { best, value, bounds, line: Vec::new(), nodes: self.search.nodes, is_exact }
    }

    fn deepen(&mut self) -> Result<(), Stopped> {
        let mut guess = self.roots[0].value;
        for depth in (1..=4).chain([TO_THE_END]) {
            guess = self.aspire(guess, depth)?;
            let (lower, upper) = self.bounds();
            if lower == upper {
                break;
            }
        }
        Ok(())
    }

    fn aspire(&mut self, guess: i32, depth: u8) -> Result<i32, Stopped> {
        let (mut below, mut above) = (8, 8);
        loop {
            let (alpha, beta) = (guess.saturating_sub(below).max(-MOST), (guess + above).min(MOST));
            let value = self.search_roots(alpha, beta, depth)?;
            if value <= alpha {
                below = (below * 4).min(2 * MOST);
            } else if value >= beta {
                above = (above * 4).min(2 * MOST);
            } else {
                return Ok(value);
            }
        }
    }

    fn search_roots(&mut self, mut alpha: i32, beta: i32, depth: u8) -> Result<i32, Stopped> {
        let mut best = -MOST;
        for number in 0..self.roots.len() {
            let candidate = self.roots[number].candidate;
            let is_first = number == 0;
            let mut window = if is_first { (alpha, beta) } else { (alpha, alpha + 1) };
            let mut found = self.search.value_of(&candidate, window.0, window.1, depth)?;
            if !is_first && found.value > alpha && found.value < beta {
                window = (alpha, beta);
                found = self.search.value_of(&candidate, window.0, window.1, depth)?;
            }
            let root = &mut self.roots[number];
            root.value = found.value;
            if found.proved {
                if found.value > window.0 {
                    root.bounds.0 = root.bounds.0.max(found.value);
                }
                if found.value < window.1 {
                    root.bounds.1 = root.bounds.1.min(found.value);
                }
            }
            if found.value > best {
                best = found.value;
                self.roots[..=number].rotate_right(1);
            }
            alpha = alpha.max(found.value);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }
}
