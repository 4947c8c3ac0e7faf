//! `match`: a paired match between two players, or a round robin between more.

use crate::failure::Failure;
use crate::output::of_verb;
use crate::runs::Context;

pub mod request;
pub mod pair;
pub mod round_robin;

use request::MatchRequest;

/// Plays a match or a round robin.
pub fn run(request: &MatchRequest, context: &Context<'_>) -> Result<(), Failure> {
    request.check()?;
    match request.spec.players.len() {
        2 => of_verb("match", || pair::play(request, context)).map(drop),
        _ => of_verb("round-robin", || round_robin::play(request, context)),
    }
}
