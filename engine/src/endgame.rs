//! The endgame: the bag is empty, both players know both racks, and play is a matter of calculation.

pub mod fast;
mod lists;
mod parts;
mod plan;
mod position;
mod roots;
mod search;
mod solver;
mod table;

pub use solver::{EndgameError, Limits, Solution, Solver, SolverMemory, solve};

/// More than any endgame is worth, in points.
const MOST: i32 = 1 << 20;
