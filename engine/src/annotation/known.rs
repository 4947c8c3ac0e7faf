//! Turns of recorded games: what the file says of them, and whether that is enough to judge the move.

use thiserror::Error;

use crate::board::Board;
use crate::game::gcg::{GcgAction, GcgEvent, GcgPosition};
use crate::game::{scoring, unseen};
use crate::moves::Move;
use crate::rack::Rack;
use crate::setup::Setup;

/// A turn of which everything is known that its player saw.
#[derive(Clone, Debug)]
pub struct KnownTurn {
    /// The board before the move.
    pub board: Board,
    /// The rack before the move.
    pub rack: Rack,
    /// The tiles that the player could not see.
    pub unseen: Rack,
    /// Tiles in the bag.
    pub bag: usize,
    /// The scores of the player to move and of the opponent before the move.
    pub scores: [i32; 2],
    /// Scoreless turns in a row before the move.
    pub scoreless_turns: u32,
    /// The move that was made.
    pub chosen: Move,
}

/// Why a move is not judged.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unjudged {
    #[error("{known} of {held} tiles of the rack are known")]
    PartOfRack { known: usize, held: usize },
    #[error("the tiles of the exchange are not known")]
    UnknownExchange,
    /// The opponent challenged the play off the board.
    #[error("withdrawn")]
    Withdrawn,
    /// The play has words that are not in the lexicon.
    #[error("not in the lexicon: {}", .words.join(", "))]
    Phony { words: Vec<String> },
    /// The position or the move breaks the rules in a way that the replay of the game does not check.
    #[error("not possible by the rules")]
    Impossible,
}

/// Whether an event is a move; the others are challenges, penalties and the count at the end.
pub fn is_turn(event: &GcgEvent) -> bool {
    use GcgAction::{Exchange, ExchangeUnknown, Pass, Play};
    matches!(event.action, Play { .. } | Exchange(_) | ExchangeUnknown(_) | Pass)
}

/// What is known of the turn of an event.
///
/// # Errors
/// [`Unjudged`] if something is missing.
pub fn known_turn(
    setup: &Setup,
    events: &[GcgEvent],
    number: usize,
    before: &GcgPosition,
    after: &GcgPosition,
) -> Result<KnownTurn, Unjudged> {
    let event = &events[number];
    if events.get(number + 1).is_some_and(|next| next.action == GcgAction::Withdrawal) {
        return Err(Unjudged::Withdrawn);
    }
    let chosen = after.chosen.ok_or(Unjudged::UnknownExchange)?;
    if let Move::Play(play) = &chosen
        && let Err(scoring::IllegalPlay::NotWords { words }) = scoring::check(setup, &before.board, play)
    {
        return Err(Unjudged::Phony { words });
    }
    let held = before.held[event.player];
    let rack = if chosen.tiles().len() == held { Rack::from_tiles(chosen.tiles()) } else { event.rack };
    if rack.size() < held {
        return Err(Unjudged::PartOfRack { known: rack.size(), held });
    }
    let unseen = unseen(&setup.tileset, &before.board, &rack).ok_or(Unjudged::Impossible)?;
    let scores = [event.player, 1 - event.player].map(|player| before.scores[player]);
    let (board, bag, scoreless_turns) = (before.board.clone(), before.bag, before.scoreless_turns);
    Ok(KnownTurn { board, rack, unseen, bag, scores, scoreless_turns, chosen })
}
