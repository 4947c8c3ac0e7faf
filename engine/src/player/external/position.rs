//! Conversion between positions and requests.

use thiserror::Error;

use super::message::MoveRequest;
use crate::game::cgp::{self, CgpError, CgpPosition};
use crate::game::reading::{BadLastMove, read_last_move};
use crate::game::{Game, LastMove, SCORELESS_LIMIT};
use crate::moves::Move;
use crate::moves::notation;
use crate::rng::stream;
use crate::setup::Setup;

/// Why a request is not a position with a move to make.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[non_exhaustive]
pub enum BadPosition {
    /// The CGP is invalid.
    #[error(transparent)]
    Cgp(#[from] CgpError),
    #[error("the last move {text:?}: {reason}")]
    Last { text: String, reason: BadLastMove },
    #[error("the player to move has no tiles; write the rack in the CGP")]
    NoRack,
    #[error("the game is over: {why}")]
    Over { why: String },
    #[error("the opponent's rack {rack} is not among the unseen tiles")]
    OtherRack { rack: String },
}

/// Returns the request for a move in a game, without the request's `id`, `game`, `turn` and times.
pub fn request_of(game: &Game, setup: &Setup) -> MoveRequest {
    let (tileset, position) = (&setup.tileset, CgpPosition::seen_in(game, setup));
    let last = game.last_move().map(|last| match last {
        LastMove::Play(last) => notation::show(&Move::Play(last.play), &last.board, tileset),
        LastMove::Exchange { tiles } => format!("exch {tiles}"),
        LastMove::Pass => notation::show(&Move::Pass, game.board(), tileset),
    });
    MoveRequest {
        cgp: position.write(tileset),
        rack: game.rack().show(tileset),
        scores: position.scores,
        bag: game.bag.len(),
        last,
        ..MoveRequest::default()
    }
}

/// Returns the game of a request, with the unseen tiles dealt at random. Only the CGP and the last move are read,
/// because the other keys repeat them.
///
/// # Errors
/// [`BadPosition`] if the request is invalid or the game is over.
pub fn game_of(request: &MoveRequest, setup: &Setup) -> Result<Game, BadPosition> {
    let position = cgp::read(&request.cgp, &setup.tileset, setup.layout.side())?;
    let ([rack, other], scoreless_turns) = (position.racks, position.scoreless_turns);
    if rack.is_empty() {
        return Err(BadPosition::NoRack);
    }
    if scoreless_turns >= SCORELESS_LIMIT {
        return Err(BadPosition::Over { why: format!("{scoreless_turns} scoreless turns in a row") });
    }
    let last = request.last.as_deref().map(|text| {
        read_last_move(text, &position.board, setup).map_err(|reason| BadPosition::Last { text: text.into(), reason })
    });
    let last = last.transpose()?;
    let other_rack = || BadPosition::OtherRack { rack: other.show(&setup.tileset) };
    let mut game = position.game(setup, stream(0, "unseen", 0)).ok_or_else(other_rack)?;
    if game.unseen().is_empty() {
        return Err(BadPosition::Over { why: "there are no unseen tiles, so the opponent has gone out".into() });
    }
    if !game.unseen().contains(&other) {
        return Err(other_rack());
    }
    if let Some(last) = last {
        game.set_last_move(&last);
    }
    Ok(game)
}
