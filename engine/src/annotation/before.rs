//! The position before the turn of a recorded game, to examine it whatever the move was.

use super::known::{Unjudged, known_turn};
use crate::game::Game;
use crate::game::gcg::{GcgAction, GcgEvent, GcgGame, GcgPosition};
use crate::moves::Move;
use crate::rack::Rack;
use crate::setup::Setup;

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
    let (event, after, start) = (game.events.get(number), positions.get(number), GcgPosition::start(setup));
    let before = number.checked_sub(1).map_or(Some(&start), |last| positions.get(last)).ok_or(Unjudged::Impossible)?;
    if let (None, Some(_), Some(after)) = (rack, event, after) {
        let known = known_turn(setup, &game.events, number, before, after);
        if !matches!(known, Err(Unjudged::Withdrawn | Unjudged::UnknownExchange | Unjudged::Phony { .. })) {
            return known.map(|(game, _)| game);
        }
    }
    // A pass from the same position replaces the move.
    let player = event.map_or(before.to_move, |event| event.player);
    let laid = after.and_then(|after| after.chosen).map(|chosen| Rack::from_tiles(chosen.tiles()));
    let whole = rack.or(laid.filter(|laid| laid.size() == before.held[player]));
    let rack = whole.unwrap_or(event.map_or(game.racks[player], |event| event.rack));
    let (score, total) = (0, before.scores[player]);
    let pass = GcgEvent { line: None, player, rack, action: GcgAction::Pass, score, total, notes: Vec::new() };
    let later = game.events.iter().skip(number + 1).skip_while(|event| event.action == GcgAction::Withdrawal);
    let events: Vec<GcgEvent> = game.events.iter().take(number).chain([&pass]).chain(later).cloned().collect();
    let after = GcgPosition { chosen: Some(Move::Pass), ..before.clone() };
    known_turn(setup, &events, number, before, &after).map(|(game, _)| game)
}
