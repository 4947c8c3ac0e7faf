//! Matches and round robins as runs, which can be killed and resumed.
//!
//! A [`MatchSpec`] describes the match. A match of two players ([`MatchRun`]) stores every pair. The number of pairs and the
//! test are not part of the run, so a match can be extended. A round robin ([`RoundRobinRun`]) stores the standings of each
//! shard of deals. A stop abandons games in progress and stores the finished ones. At its end a match gets a [`manifest`].

pub mod spec;
mod files;
mod shared;
mod pairs;
mod deals;
pub mod stored;
mod looks;
mod run;

pub use files::{MatchRun, PAIRS_PER_FILE};
pub use looks::Looks;
pub use pairs::MatchEnd;
pub use run::RoundRobinRun;
pub use spec::MatchSpec;
pub use stored::{StoredError, StoredMatch, stored_standings};
