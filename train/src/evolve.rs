//! Weights by evolution: candidates play matches, and those that play well say where the next ones come from.
//!
//! ```text
//! search (CMA-ES, or Barbicels' elite) ─► candidates ─► objective: paired matches against a baseline ─► ranks ─► search
//!                                                          the same deals for all of a generation
//! final means ─► a match on new deals ─► the answer ─► sequential test on held-out deals
//! ```
//!
//! Fitness is noise for the most part: two candidates a point apart need hundreds of games to be told apart. So all candidates of a generation
//! play the same deals, clear losers stop early, only ranks are told to the search, and the answer is the mean of its
//! distribution, never the best fitness seen.

pub mod search;
pub mod fitness;
pub mod config;
pub mod matches;
pub mod run;
