//! Questions to records of games, asked with polars.
//!
//! ```text
//! records (Parquet) ─► some columns of some files ─► lazy query: game, key, n, x ─► integer sums per key ─► table of ratios
//! ```
//!
//! A query says of each game how often a thing could happen (n) and how much of it happened (x), for each key: how many third turns
//! there were, and how many bingos among them. A table has the ratio of the sums for each key. Turns of one game are alike, so intervals
//! take whole games as what was drawn.
//!
//! Files hold whole games, and sums are integers. So a table depends neither on how many files are scanned at once nor on threads;
//! polars uses all cores.

mod notation;
mod ratio;
mod query;
mod columns;
mod queries;
mod scan;
#[cfg(test)]
mod tests;

pub use queries::QUERIES;
pub use query::{Of, Query, Rules};
pub use ratio::Ratio;
pub use scan::{Row, tables};
