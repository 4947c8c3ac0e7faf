//! Solving one endgame after another.

use std::time::{Duration, Instant};

use thiserror::Error;

use super::MOST;
use super::position::Position;
use super::roots::Roots;
use super::search::{Search, Until};
use super::table::Table;
use crate::game::Game;
use crate::moves::Move;
use crate::rack::Rack;
use crate::setup::Setup;

/// Positions that a solver's table holds, as a power of two: 40 MB.
const TABLE_BITS: u32 = 20;

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

/// Solves endgames. Keeps its memory between them, and nothing else that shows: what it finds depends on the game and the limits alone.
#[derive(Debug)]
pub struct Solver<'a> {
    setup: &'a Setup,
    memory: SolverMemory,
}

/// What a solver leaves to the next, so that it need not ask for memory again. No answer depends on it.
#[derive(Debug)]
pub struct SolverMemory {
    table: Table,
}

impl Default for SolverMemory {
    fn default() -> SolverMemory {
        SolverMemory { table: Table::new(TABLE_BITS) }
    }
}

impl<'a> Solver<'a> {
    /// For one tile set, board and lexicon.
    pub fn new(setup: &'a Setup) -> Solver<'a> {
        Solver::with_memory(setup, SolverMemory::default())
    }

    /// The same with the memory of a solver before.
    pub fn with_memory(setup: &'a Setup, memory: SolverMemory) -> Solver<'a> {
        Solver { setup, memory }
    }

    /// Its memory, for the next.
    pub fn into_memory(self) -> SolverMemory {
        self.memory
    }

    /// Solves the endgame of a game on this thread, as far as the limits allow.
    ///
    /// # Errors
    /// [`EndgameError`].
    pub fn solve(&mut self, game: &Game, limits: &Limits) -> Result<Solution, EndgameError> {
        let mut roots = self.begin(game, limits)?;
        roots.deepen();
        Ok(roots.solution())
    }

    fn begin<'t>(&'t mut self, game: &Game, limits: &Limits) -> Result<Roots<'a, 't>, EndgameError> {
        check(game)?;
        let until = Until { nodes: limits.nodes, time: limits.time.map(|time| Instant::now() + time) };
        let search = Search::new(Position::new(self.setup, game), &mut self.memory.table, until);
        Ok(Roots::new(search, game, limits.first_win))
    }
}

/// Solves the endgame of a game on all threads of the current pool: the same solution, but for the number of nodes. With a limit
/// it takes one thread, so that the limit means the same everywhere.
///
/// # Errors
/// [`EndgameError`].
pub fn solve(setup: &Setup, game: &Game, limits: &Limits) -> Result<Solution, EndgameError> {
    let mut solver = Solver::new(setup);
    if rayon::current_num_threads() == 1 || *limits != Limits::default() {
        return solver.solve(game, limits);
    }
    let mut roots = solver.begin(game, limits)?;
    roots.deepen_together(|| Table::new(TABLE_BITS));
    Ok(roots.solution())
}

pub(super) fn check(game: &Game) -> Result<(), EndgameError> {
    if !game.bag.is_empty() {
        return Err(EndgameError::BagNotEmpty { tiles: game.bag.len() });
    }
    let is_stalled = game.scoreless_turns >= crate::game::SCORELESS_LIMIT;
    if game.is_over() || is_stalled || game.racks.iter().any(Rack::is_empty) {
        return Err(EndgameError::Over);
    }
    Ok(())
}
