//! The endgame: the bag is empty, both players know both racks, and play is a matter of calculation.
//!
//! [`Solver`] finds the best move and what it is worth, by negamax with a transposition table, turn by turn deeper until every
//! line is played to its end. Its parts, lowest first:
//!
//! | part | what it does |
//! | --- | --- |
//! | `squares` | the squares of plays, as a list and as a set |
//! | `parts` | numbers what is left of a rack, so that whether a play can still be made is one `and` |
//! | `lists` | keeps the plays of a lane for everything that the lane has looked like |
//! | `position` | makes and takes back moves, and knows which lanes look different now |
//! | `plan` | the value of the rest if plays neither block nor make room for each other: the order of moves, and the estimate where the search stops |
//! | `candidate` | a move to be tried, and how promising it is |
//! | `table` | what is known of positions; what follows from the rules alone is told from estimates |
//! | `geometry` | what plays lay on and depend on, and what a tile scores there at most |
//! | `refutations` | plays that refuted other positions, to be tried first |
//! | `search` | negamax in null windows: of the moves that may refute, the one that leaves least to be searched comes first |
//! | `bounds` | what spares the search most moves |
//! | `solution` | what is asked of an endgame, and what is found out about it |
//! | `roots` | the moves of the position that was asked about: depths, windows, ties, the line, threads |
//!
//! Three bounds follow from the rules, and no answer changes by them: the other player may go out with a play that a move leaves
//! open; it may pass for good, and then one or two last tiles score no more than they can be seen to; and many scoreless
//! turns are as good as two (`Position::counted`).
//!
//! [`fast::FastEvaluator`] estimates the value from a few turns of the most promising moves, for use inside simulations.

/// More than any endgame is worth, in points.
const MOST: i32 = 1 << 20;

mod squares;
mod parts;
mod lists;
mod position;
mod plan;
mod candidate;
mod table;
mod geometry;
mod refutations;
mod bounds;
mod search;
mod solution;
mod roots;
mod solver;
pub mod fast;

pub use solution::{EndgameError, Limits, Solution};
pub use solver::{Solver, SolverMemory, solve};
