//! `match`: a paired match between two players, or a round robin between more.

use crate::failure::Failure;

pub mod flags;
pub mod request;
mod external;
pub mod pair;
pub mod round_robin;

use flags::{MatchArguments, MatchVerb};
use request::MatchRequest;

/// Plays the match or the round robin that the flags and the config describe.
pub fn run(arguments: &MatchArguments) -> Result<(), Failure> {
    if let Some(MatchVerb::Merge(arguments)) = &arguments.verb {
        return pair::merge_parts(arguments);
    }
    let request = MatchRequest::from_flags(arguments)?;
    match &request.players[..] {
        [a, b] => pair::play(&request, [a, b]).map(drop),
        _ => round_robin::play(&request),
    }
}
