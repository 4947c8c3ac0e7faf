//! TD learning: leave values, feature weights or networks, learned from the differences between consecutive turns.
//!
//! ```text
//! a batch of games with the same weights ─► trajectories (terms of moves, points between turns) ─► TD(λ), game by game
//! ```
//!
//! After a player's move, the value of the rest of the game is V = w · φ: a sum over the tile patterns of the leave, as in
//! Maven's first evaluator, and over features of the move. The player's next move gives a better estimate, and w learns
//! from the difference, by a gradient step (Sutton 1988) or by least squares over all differences so far (Boyan 1999).
//! Sheppard found that TD learning halves Maven's weights: a player that learns to avoid bad racks no longer sees them
//! before it knows how bad they are. So a run can explore: it chooses among the best moves at random, or sometimes keeps
//! random tiles. It learns from the moves after an exploring move, but that move does not count against earlier moves.

pub mod terms;
pub mod trajectory;
pub mod learner;
pub mod config;
pub mod batches;
pub mod run;
pub mod network;
pub mod course;
pub mod artefact;
