//! `moves`, `solve`, `simulate`: one position.

pub mod flags;
mod position;
pub mod moves;
pub mod solve;
pub mod simulate;
