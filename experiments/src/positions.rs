//! `moves`, `solve` and `simulate`, which examine one position.

pub mod flags;
mod position;
pub mod moves;
pub mod solve;
pub mod simulate;
