//! Questions to records of games, asked with polars.
//!
//! ```text
//! records (Parquet) ─► some columns of some files ─► lazy query: game, key, n, x ─► integer sums per key ─► table of ratios
//! ```
//!
//! For each game and key, a query counts the cases (n) and adds up their values (x): the third turns, and the bingos among
//! them. A table has the ratio of the sums for each key. Turns of one game are alike, so intervals sample whole games.
//!
//! Files hold whole games, and sums are integers. So a table depends neither on the files scanned at once nor on threads.
//! Polars uses all cores.

mod query;
mod queries;
mod scan;
#[cfg(test)]
mod tests;

pub use queries::QUERIES;
pub use query::{Of, Query, Rules};
pub use scan::{Ratio, Row, tables};
