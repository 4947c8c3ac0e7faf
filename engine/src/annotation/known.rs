//! Turns of recorded games: the facts that a file gives, and whether they suffice to judge the move.

use std::array;
use std::iter::once;

use thiserror::Error;

use crate::game::gcg::{GcgAction, GcgGame, GcgPosition};
use crate::game::{Game, scoring, unseen};
use crate::moves::Move;
use crate::rack::Rack;
use crate::rng::stream;
use crate::setup::Setup;
use crate::tileset::MAX_KINDS;

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

/// A recorded game with the positions before the first event and after each.
pub(super) struct Recorded<'a> {
    pub(super) setup: &'a Setup,
    pub(super) game: &'a GcgGame,
    pub(super) positions: Vec<GcgPosition>,
}

/// The game before event `number` of a recorded game, from 0, or after the last event. It is the game as the player to move
/// saw it, with the unseen tiles dealt at random. The move of the event does not matter: it may be withdrawn or a phony.
///
/// `positions` are the positions after each event. `rack` replaces the rack in the file.
///
/// # Errors
/// [`Unjudged`] if the rack is not known, or if there is no such event.
pub fn game_before(
    setup: &Setup,
    game: &GcgGame,
    positions: &[GcgPosition],
    number: usize,
    rack: Option<Rack>,
) -> Result<Game, Unjudged> {
    let positions = once(GcgPosition::start(setup)).chain(positions.iter().cloned()).collect();
    Recorded { setup, game, positions }.before(number, rack)
}

impl Recorded<'_> {
    /// Whether an event is a move. The other events are challenges, penalties, the count at the end and all that follows the out play.
    pub(super) fn is_turn(&self, number: usize) -> bool {
        use GcgAction::{Exchange, ExchangeUnknown, Pass, Play};
        let event = &self.game.events[number];
        let is_move = matches!(event.action, Play { .. } | Exchange(_) | ExchangeUnknown(_) | Pass);
        is_move && self.positions[number].held[1 - event.player] > 0
    }

    /// The game before the turn of an event, and the move that was made. All that its player saw is known.
    ///
    /// # Errors
    /// [`Unjudged`] if something is missing.
    pub(super) fn turn(&self, number: usize) -> Result<(Game, Move), Unjudged> {
        if self.game.is_withdrawn(number) {
            return Err(Unjudged::Withdrawn);
        }
        let chosen = self.positions[number + 1].chosen.ok_or(Unjudged::UnknownExchange)?;
        if let Move::Play(play) = &chosen
            && let Err(scoring::IllegalPlay::NotWords { words }) =
                scoring::check(self.setup, &self.positions[number].board, play)
        {
            return Err(Unjudged::Phony { words });
        }
        Ok((self.before(number, None)?, chosen))
    }

    /// See [`game_before`].
    fn before(&self, number: usize, rack: Option<Rack>) -> Result<Game, Unjudged> {
        let before = self.positions.get(number).ok_or(Unjudged::Impossible)?;
        let event = self.game.events.get(number);
        let player = event.map_or(before.to_move, |event| event.player);
        let held = before.held[player];
        let chosen = self.positions.get(number + 1).and_then(|after| after.chosen);
        let laid = chosen.map(|chosen| Rack::from_tiles(chosen.tiles())).filter(|laid| laid.size() == held);
        let by_elimination = || self.rack_by_elimination(number, player);
        let written = event.map_or(self.game.racks[player], |event| event.rack);
        let rack = rack.or(laid).or_else(by_elimination).unwrap_or(written);
        if rack.size() < held {
            return Err(Unjudged::PartOfRack { known: rack.size(), held });
        }
        let scores = [player, 1 - player].map(|player| before.scores[player]);
        let game = Game::from_position(self.setup, before.board.clone(), rack, scores, stream(0, "annotation", 0));
        let mut game = game.ok_or(Unjudged::Impossible)?;
        // A game that goes on after its end by the rules is judged as if the next scoreless turn ended it.
        let rules = self.setup.tileset.rules();
        game.scoreless_turns = before.scoreless_turns.min(rules.scoreless_turns_to_end - 1);
        game.passes = rules.passes_to_end.map_or(before.passes, |most| before.passes.min(most - 1));
        Ok(game)
    }

    /// A player's rack before an event with an empty bag, if the rest of the game tells the tiles of one of the two racks.
    fn rack_by_elimination(&self, number: usize, player: usize) -> Option<Rack> {
        let before = &self.positions[number];
        if before.bag > 0 {
            return None;
        }
        let rack_of = |player: usize| Some(self.held_from(number, player)).filter(|rack| rack.size() == before.held[player]);
        let by_other = || unseen(&self.setup.tileset, &before.board, &rack_of(1 - player)?);
        rack_of(player).or_else(by_other).filter(|rack| rack.size() == before.held[player])
    }

    /// The tiles that a player holds before an event, as far as this and later events tell, if none can be drawn any more.
    fn held_from(&self, number: usize, player: usize) -> Rack {
        let (mut known, mut played) = (Rack::default(), Rack::default());
        for (at, event) in self.game.events.iter().enumerate().skip(number) {
            let shown = match &event.action {
                GcgAction::Out(left) if event.player != player => *left,
                _ if event.player == player => event.rack,
                _ => continue,
            };
            known = union(&known, &played.plus(&shown));
            if let (Some(Move::Play(play)), true) = (&self.positions[at + 1].chosen, event.player == player) {
                let tiles = played.plus(&Rack::from_tiles(&play.tiles));
                known = union(&known, &tiles);
                played = if self.game.is_withdrawn(at) { played } else { tiles };
            }
        }
        known
    }
}

/// The smallest rack that contains both.
fn union(one: &Rack, other: &Rack) -> Rack {
    Rack::from_counts(&array::from_fn::<u8, MAX_KINDS, _>(|kind| one.count(kind as u8).max(other.count(kind as u8))))
}
