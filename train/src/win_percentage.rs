//! Win percentages from self-play.
//!
//! ```text
//! self-play ─► swings (exact tallies by tiles left) ─┬─► logistic curves ─► empirical table ─┐
//!                                                    └─► network ─► its table ───────────────┴─► scores on held-out games
//! ```
//!
//! [`run`] is the whole of it. [`swings`] are what is tallied, [`drift`] what a lead says of them, [`curve`] and [`empirical`] what can be said of them without a
//! network, [`network`] says a chance by a mixture of curves and [`fit`] trains it, [`scores`] judge tables of any origin.

pub mod swings;
pub mod drift;
pub mod curve;
pub mod empirical;
pub mod network;
pub mod fit;
pub mod scores;
pub mod comparison;
pub mod config;
pub mod run;
pub mod artefact;

#[cfg(test)]
mod tests;
