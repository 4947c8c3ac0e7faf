//! Evolution of the weights of a linear evaluator or a network: candidates play matches, and the best of them shape the next generation.
//!
//! ```text
//! search (CMA-ES, or Barbicels' elite) ─► candidates ─► objective: paired matches against a baseline ─► ranks ─► search
//!                                                          the same deals for a whole generation
//! final means ─► a match on new deals ─► the answer ─► sequential test on held-out deals
//! ```
//!
//! Fitness is mostly noise: separating two candidates that differ by a point takes hundreds of games. So all candidates of
//! a generation play the same deals, clear losers stop early, the search receives ranks only, and the answer is the mean of
//! its distribution, never the candidate with the best fitness.

pub mod search;
pub mod fitness;
pub mod config;
pub mod space;
mod matches;
pub mod run;
pub mod artefact;
