//! Candidate sets: positions with their best static moves, each with the results of simulations on common deals.
//!
//! The results of whole games are noisy labels: the luck of the draw is far larger than the difference between two good
//! moves. The moves of one position, simulated on the same deals, share most of that luck. So a label is the **difference**
//! of a candidate's simulated result from the mean of its set, and the common part drops out.
//!
//! ```text
//! games of a static player, with exploration ─► one turn in N ─► its best moves ─► playouts on common deals ─► labels
//! ```
//!
//! Another static player may reply in the playouts, and a third one may value the leaves at their end.
//!
//! The sets have a folder and a journal of their own. Several fits can share them, and a larger number of games extends them.
//!
//! A label is kept as the sum and the sum of squares over deals, so that a fit knows the noise of each label. There is one for the
//! gain (points), one for the win probability, and one for the points of each of the next two turns, so that each part can be learned
//! alone. Sums are integers: merging shards is exact.

mod config;
mod label;
mod maker;
mod target;
#[cfg(test)]
pub mod test_support;

pub use config::{CandidateConfig, FitInputs, MAX_GAMES, SetPlayer, Share, Split};
pub use label::{CandidateSet, Label, LabelledMove};
pub use maker::{Maker, OnSets};
pub use target::{Part, Target, TargetConfig, Targets};
