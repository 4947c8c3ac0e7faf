//! Turns of recorded games: the facts that a file gives, and whether they suffice to judge the move.

use thiserror::Error;

use crate::game::gcg::{GcgAction, GcgEvent, GcgPosition};
use crate::game::{Game, scoring};
use crate::moves::Move;
use crate::rack::Rack;
use crate::rng::stream;
use crate::setup::Setup;

/// Why a move is not judged.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
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

/// Whether an event is a move. The other events are challenges, penalties and the count at the end.
pub(super) fn is_turn(event: &GcgEvent) -> bool {
    use GcgAction::{Exchange, ExchangeUnknown, Pass, Play};
    matches!(event.action, Play { .. } | Exchange(_) | ExchangeUnknown(_) | Pass)
}

/// The game before the turn of an event, with the unseen tiles dealt at random, and the move that was made. All that its player saw is known.
///
/// # Errors
/// [`Unjudged`] if something is missing.
pub(crate) fn known_turn(
    setup: &Setup,
    events: &[GcgEvent],
    number: usize,
    before: &GcgPosition,
    after: &GcgPosition,
) -> Result<(Game, Move), Unjudged> {
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
    let scores = [event.player, 1 - event.player].map(|player| before.scores[player]);
    let game = Game::from_position(setup, before.board.clone(), rack, scores, stream(0, "annotation", 0));
    let mut game = game.ok_or(Unjudged::Impossible)?;
    // A game that goes on after its end by the rules is judged as if the next scoreless turn ended it.
    let rules = setup.tileset.rules();
    game.scoreless_turns = before.scoreless_turns.min(rules.scoreless_turns_to_end - 1);
    game.passes = rules.passes_to_end.map_or(before.passes, |most| before.passes.min(most - 1));
    Ok((game, chosen))
}
