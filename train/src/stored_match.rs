//! Matches and round robins as runs, which can be killed and resumed.
//!
//! A [`MatchSpec`] describes the match. A match of two players ([`MatchRun`]) stores every pair. The number of pairs and the
//! test are not part of the run, so a match can be extended. A round robin ([`RoundRobinRun`]) stores the standings of each
//! shard of deals. A stop abandons games in progress and stores the finished ones. At its end a match gets a manifest ([`stored`]).

pub mod spec;
mod shared;
mod pairs;
pub mod stored;
mod run;

pub use pairs::MatchEnd;
pub use run::RoundRobinRun;
pub use shared::Looks;
pub use spec::{MatchRun, MatchSpec, PAIRS_PER_FILE};
pub use stored::{StoredError, StoredMatch, stored_standings};
