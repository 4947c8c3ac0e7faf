//! The endgame: the bag is empty, and both players know both racks.
//!
//! [`Solver`] finds the best move and its value by negamax search with a transposition table and iterative deepening, until
//! every line reaches the end of the game. Its modules, in dependency order:
//!
//! | module | contents |
//! | --- | --- |
//! | `squares` | sets of squares |
//! | `sub_racks` | numbers and masks of the tiles that a player still holds, so that one `and` checks whether a play can be made |
//! | `lists` | a cache of the plays of each lane, by the state of the lane |
//! | `position` | making and undoing moves, and tracking which lanes have changed |
//! | `plan` | the value of the rest of the game if plays neither block nor open squares: the order of moves, and the estimate at the leaves of the search |
//! | `candidate` | a move of the search with its estimate |
//! | `table` | the transposition table, which distinguishes proved values from estimates |
//! | `geometry` | the squares that plays cover and depend on, and the maximum score of a tile on them |
//! | `reach` | bounds that hold for any endgame |
//! | `refutations` | plays that refuted other positions, which are tried first |
//! | `bounds` | bounds that prune most moves |
//! | `solution` | the limits of a search and its result |
//! | `stop` | what stops a search |
//! | `search` | negamax with null windows; of the moves that may refute, the one with the smallest subtree is tried first |
//! | `stuck` | the tiles that cannot be played |
//! | `choice` | the move that is chosen if a limit stops the search |
//! | `roots` | the moves of the root: depths, windows, ties, the principal variation, threads |
//!
//! Three bounds follow from the rules and do not change any result: the opponent can go out with a play that a move leaves
//! open; a player can pass for the rest of the game, and then the opponent's last one or two tiles score at most what they
//! can score now; and any number of scoreless turns but the last counts like two (`Position::effective_scoreless`).
//!
//! [`fast::FastEvaluator`] estimates the value from a few turns of the most promising moves, for use inside simulations.

/// A bound above the value of any endgame, in points.
const MAX_VALUE: i32 = 1 << 20;

mod squares;
mod sub_racks;
mod lists;
mod position;
mod plan;
mod candidate;
mod table;
mod geometry;
mod reach;
mod refutations;
mod bounds;
mod solution;
mod stop;
mod search;
mod stuck;
mod choice;
mod roots;
mod solver;
pub mod fast;

pub use solution::{EndgameError, Limits, MoveValue, Solution, check};
pub use solver::{Solver, SolverMemory, solve};
pub use stuck::stuck_tiles;
