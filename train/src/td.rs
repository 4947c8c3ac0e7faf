//! Temporal differences: values of what is kept, learned from one turn to the next.
//!
//! ```text
//! games, all of a batch with the same weights ─► trajectories (terms of moves, points between turns) ─► TD(λ) in the order of the games
//! ```
//!
//! After a player's move the rest of the game is worth V = w · φ, a sum over the tile patterns that it keeps, after Maven's first
//! evaluator, and over features of the move; the next move of the same player says better, and the difference is what w learns from, by a
//! step (Sutton 1988) or by the weights that fit all differences so far (Boyan 1999). Sheppard found
//! the weights of Maven halved by it: a player that learns to avoid bad racks sees them no more before it knows how bad they are.
//! So a run may explore: by choosing among the best moves at random, or by keeping random tiles now and then. What follows such a move is learned
//! from; the move itself is not held against what came before.

pub mod terms;
pub mod least_squares;
pub mod learner;
pub mod play;
pub mod replay;
pub mod config;
pub mod run;
