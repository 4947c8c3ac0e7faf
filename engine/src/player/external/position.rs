//! Positions as requests say them.

use thiserror::Error;

use super::message::MoveRequest;
use crate::game::cgp::{self, CgpError, CgpPosition};
use crate::game::reading::{BadLastPlay, read_last_play};
use crate::game::{Game, SCORELESS_LIMIT};
use crate::moves::Move;
use crate::moves::notation;
use crate::rack::Rack;
use crate::rng::stream;
use crate::setup::Setup;

/// Why a request is no position to move in.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadPosition {
    /// Its CGP.
    #[error(transparent)]
    Cgp(#[from] CgpError),
    /// Its last play.
    #[error("the last play {text:?}: {reason}")]
    Last {
        /// As given.
        text: String,
        /// What is wrong with it.
        reason: BadLastPlay,
    },
    /// Nothing to move with.
    #[error("the player to move has no tiles")]
    NoRack,
    /// The game is over.
    #[error("the game is over: {why}")]
    Over {
        /// What has ended it.
        why: String,
    },
    /// The other rack.
    #[error("the other rack, {rack}, is not among the tiles that are unseen")]
    OtherRack {
        /// As given.
        rack: String,
    },
}

/// The position of a game as the player to move sees it; the request's number, its game and its times are left open.
pub fn request_of(game: &Game, setup: &Setup) -> MoveRequest {
    let (tileset, mut position) = (&setup.tileset, CgpPosition::from_game(game, setup));
    if !game.bag.is_empty() {
        position.racks[1] = Rack::default();
    }
    let last = game.last_play().map(|last| notation::show(&Move::Play(last.play), &last.board, tileset));
    MoveRequest {
        cgp: position.write(tileset),
        rack: game.rack().show(tileset),
        scores: position.scores,
        bag: game.bag.len(),
        last,
        ..MoveRequest::default()
    }
}

/// The game that a request asks about, its unseen tiles dealt at random. It reads the CGP and the last play; all else that a
/// request says of the position is a repetition.
///
/// # Errors
/// [`BadPosition`].
pub fn game_of(request: &MoveRequest, setup: &Setup) -> Result<Game, BadPosition> {
    let CgpPosition { board, racks: [rack, other], scores, scoreless_turns, .. } =
        cgp::read(&request.cgp, &setup.tileset, setup.layout.side())?;
    if rack.is_empty() {
        return Err(BadPosition::NoRack);
    }
    if scoreless_turns >= SCORELESS_LIMIT {
        return Err(BadPosition::Over { why: format!("{scoreless_turns} scoreless turns in a row") });
    }
    let last = request
        .last
        .as_deref()
        .map(|text| read_last_play(text, &board, setup).map_err(|reason| BadPosition::Last { text: text.into(), reason }));
    let last = last.transpose()?;
    let other_rack = || BadPosition::OtherRack { rack: other.show(&setup.tileset) };
    let mut game = Game::from_position(setup, board, rack, scores, stream(0, "unseen", 0)).ok_or_else(other_rack)?;
    if game.unseen().is_empty() {
        return Err(BadPosition::Over { why: "no tile is unseen, so the other player has gone out".into() });
    }
    if !game.unseen().contains(&other) {
        return Err(other_rack());
    }
    game.scoreless_turns = scoreless_turns;
    if let Some(last) = last {
        game.set_last_play(&last);
    }
    Ok(game)
}
