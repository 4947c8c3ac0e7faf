//! `match`: a paired match between two players, or a round robin between more.

use crate::failure::Failure;
use crate::runs::Context;

pub mod flags;
pub mod request;
mod external;
pub mod pair;
pub mod round_robin;

use flags::MatchArguments;
use request::MatchRequest;

/// Plays the match or the round robin that the flags and the config describe.
///
/// # Errors
/// [`Failure`].
pub fn run(arguments: &MatchArguments, context: &Context<'_>) -> Result<(), Failure> {
    let out = context.out.or(arguments.out.as_deref());
    let request = MatchRequest { out, json: context.json.path(), ..MatchRequest::from_flags(arguments)? };
    match &request.players[..] {
        [a, b] => pair::play(&request, [a, b], context).map(drop),
        _ => round_robin::play(&request, context),
    }
}
