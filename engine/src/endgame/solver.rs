//! The endgame solver.

use super::position::Position;
use super::roots::Roots;
use super::search::Search;
use super::solution::{EndgameError, Limits, MoveValue, Solution, StopConditions, check};
use super::table::Table;
use crate::game::Game;
use crate::moves::Move;
use crate::rack::Rack;
use crate::setup::Setup;

/// The size of the transposition table, as a power of two: 40 MB.
const TABLE_BITS: u32 = 20;

/// An endgame solver. It reuses its memory, but its results depend on the game and the limits only.
#[derive(Debug)]
pub struct Solver<'a> {
    setup: &'a Setup,
    memory: SolverMemory,
}

/// The memory of a solver, which another solver can reuse. No result depends on it.
#[derive(Debug)]
pub(crate) struct SolverMemory(Table);

impl Default for SolverMemory {
    fn default() -> SolverMemory {
        SolverMemory(Table::new(TABLE_BITS))
    }
}

impl<'a> Solver<'a> {
    /// Creates a solver for a setup.
    pub fn new(setup: &'a Setup) -> Solver<'a> {
        Solver::with_memory(setup, SolverMemory::default())
    }

    /// Creates a solver that reuses the memory of another.
    pub(crate) fn with_memory(setup: &'a Setup, memory: SolverMemory) -> Solver<'a> {
        Solver { setup, memory }
    }

    /// Returns the memory for reuse.
    pub(crate) fn into_memory(self) -> SolverMemory {
        self.memory
    }

    /// Solves an endgame on this thread, within the limits.
    ///
    /// # Errors
    /// [`EndgameError`] if the bag is not empty or the game is over.
    pub fn solve(&mut self, game: &Game, limits: &Limits) -> Result<Solution, EndgameError> {
        let mut roots = self.begin(game, limits)?;
        roots.deepen();
        Ok(roots.solution())
    }

    /// Solves an endgame, and calculates the exact values of its `most` best moves, the best first. The static plan and then
    /// the order of moves break ties. The first is the best move of the solution.
    ///
    /// # Errors
    /// [`EndgameError`] if the bag is not empty or the game is over.
    pub fn solve_best(&mut self, game: &Game, most: u16) -> Result<(Solution, Vec<MoveValue>), EndgameError> {
        let mut roots = self.begin(game, &Limits::default())?;
        roots.deepen();
        let mut best = roots.best_moves(usize::from(most));
        let solution = roots.solution();
        if best.has_open_pass {
            let (value, _) = self.bounds_of(game, &Move::Pass, &Limits::default())?;
            best.add(usize::MAX, MoveValue { chosen: Move::Pass, value });
        }
        Ok((solution, best.into_moves()))
    }

    /// Returns proved bounds of the value of a legal move of the player to move, in points from the view of that player: the change of the
    /// spread to the end of the game if both sides play best after it. Both are the value if the search after the move ends within the
    /// limits.
    ///
    /// # Errors
    /// [`EndgameError`] if the bag is not empty or the game is over before the move.
    pub fn bounds_of(&mut self, game: &Game, chosen: &Move, limits: &Limits) -> Result<(i32, i32), EndgameError> {
        check(self.setup, game)?;
        let (player, mut after) = (game.to_move, game.clone());
        after.make(self.setup, chosen);
        let now = after.scores[player] - after.scores[1 - player] - game.spread();
        let (low, high) = if after.is_over() { (0, 0) } else { self.solve(&after, limits)?.bounds };
        Ok(if after.to_move == player { (now + low, now + high) } else { (now - high, now - low) })
    }

    fn begin<'t>(&'t mut self, game: &Game, limits: &Limits) -> Result<Roots<'a, 't>, EndgameError> {
        check(self.setup, game)?;
        let until = StopConditions::from_now(limits);
        let search = Search::new(Position::new(self.setup, game), &mut self.memory.0, until);
        Ok(Roots::new(search, game, limits.first_win))
    }
}

/// Solves an endgame on all threads of the current thread pool. The solution does not depend on the number of threads,
/// except for the number of nodes. With a limit it uses one thread, so that the limit means the same on every machine.
///
/// # Errors
/// [`EndgameError`] if the bag is not empty or the game is over.
pub fn solve(setup: &Setup, game: &Game, limits: &Limits) -> Result<Solution, EndgameError> {
    let mut solver = Solver::new(setup);
    if rayon::current_num_threads() == 1 || *limits != Limits::default() {
        return solver.solve(game, limits);
    }
    let mut roots = solver.begin(game, limits)?;
    roots.deepen_together(|| Table::new(TABLE_BITS));
    Ok(roots.solution())
}

/// Returns the stuck tiles of both players, by their numbers in the game: the tiles of every kind that no play of their holder
/// lays on this board. Later moves of either side may still make room for them.
///
/// # Errors
/// [`EndgameError`] if the bag is not empty or the game is over.
pub fn stuck_tiles(setup: &Setup, game: &Game) -> Result<[Rack; 2], EndgameError> {
    check(setup, game)?;
    let mut position = Position::new(setup, game);
    let mut stuck = game.racks;
    // In the position player 0 is the player to move.
    for player in [0, 1] {
        let stuck = &mut stuck[game.to_move ^ player];
        position.list(player, |listed| {
            for tile in &*listed.play.tiles {
                while stuck.remove(tile.kind()) {}
            }
        });
    }
    Ok(stuck)
}
