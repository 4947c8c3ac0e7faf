//! The endgame: the bag is empty, and both players know both racks.
//!
//! [`Solver`] finds the best move and its value by negamax search with a transposition table and iterative deepening, until
//! every line reaches the end of the game. The modules below stand in dependency order.
//!
//! Three bounds follow from the rules and change no result. First, the opponent can go out with a play that a move leaves
//! open. Second, a player can pass for the rest of the game. Then the opponent's last one or two tiles score no more than
//! now. Third, any number of scoreless turns but the last counts like two (`Position::effective_scoreless`).
//!
//! [`fast::FastEvaluator`] estimates the value from a few turns of the most promising moves, for use inside simulations.

/// A bound above the value of any endgame, in points.
const MAX_VALUE: i32 = 1 << 20;

mod sub_racks;
mod lists;
mod position;
mod plan;
mod table;
mod bounds;
mod solution;
mod search;
mod roots;
mod solver;
pub mod fast;

pub use solution::{EndgameError, Limits, MoveValue, Solution, check};
pub(crate) use solver::SolverMemory;
pub use solver::{Solver, solve, stuck_tiles};
