//! `moves`, `solve` and `simulate`, which examine one position.

pub mod flags;
pub mod position;
mod page;
pub mod moves;
pub mod solve;
pub mod simulate;
