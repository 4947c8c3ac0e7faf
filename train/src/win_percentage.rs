//! Win tables from self-play.
//!
//! ```text
//! self-play ─► remaining spreads (exact tallies by tiles left) ─┬─► logistic curves ─► empirical table ─┐
//!                                                    └─► network ─► its table ───────────────┴─► scores on held-out games
//! ```
//!
//! [`run`] does the whole run. [`remaining_spreads`] holds the tallies, `drift` corrects for the influence of the lead on the rest
//! of the game, `curve` and `empirical` make tables without a network, [`network`] is a mixture of curves that `fit`
//! trains, and [`scores`] measures tables of any origin on held-out games.

pub mod config;
pub mod remaining_spreads;
mod curve;
pub mod network;
mod fit;
pub mod scores;
pub mod run;
pub mod artefact;

#[cfg(test)]
mod tests;
