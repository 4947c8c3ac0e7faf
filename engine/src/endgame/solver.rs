//! Solving one endgame after another.

use std::time::Instant;

use super::position::Position;
use super::roots::Roots;
use super::search::{Search, Until};
use super::solution::{EndgameError, Limits, Solution, check};
use super::table::Table;
use crate::game::Game;
use crate::setup::Setup;

/// Positions that a solver's table holds, as a power of two: 40 MB.
const TABLE_BITS: u32 = 20;

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
