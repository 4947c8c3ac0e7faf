//! `moves`, `solve`, `simulate` and `infer`, which examine one position.

pub mod flags;
pub mod position;
mod page;
pub mod moves;
pub mod solve;
pub mod simulate;
pub mod infer;
