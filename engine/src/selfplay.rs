//! Self-play: games as functions of (seed, game index).

use crate::game::Game;
use crate::movegen::{Generator, ValuedMove};
use crate::moves::Move;
use crate::player::Player;
use crate::rack::Rack;

/// One turn, as seen before the move is made.
pub struct TurnSeen<'a> {
    /// The game before the move.
    pub game: &'a Game,
    /// Turn number from 0.
    pub number: usize,
    /// The move and what it is worth to its player.
    pub chosen: ValuedMove,
    /// Tiles that the player to move cannot see.
    pub unseen: &'a Rack,
}

/// A finished game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// Final scores of players 0 and 1, in points.
    pub scores: [i32; 2],
    /// Full racks played at once, by player.
    pub bingos: [u32; 2],
    /// Turns of both players together.
    pub turns: u32,
}

/// Plays game `index` of a seed between two players, the first of them moving first; `see` hears of every turn.
pub fn play_game(
    generator: &mut Generator<'_>,
    players: [&Player; 2],
    seed: u64,
    index: u64,
    mut see: impl FnMut(&TurnSeen<'_>),
) -> Finished {
    let setup = generator.setup();
    let mut game = Game::deal(setup, seed, index);
    let mut finished = Finished::default();
    while !game.is_over() {
        let unseen = game.unseen();
        let player = game.to_move;
        let chosen = players[player].choose(generator, &game);
        see(&TurnSeen { game: &game, number: finished.turns as usize, chosen, unseen: &unseen });
        let is_bingo = matches!(chosen.chosen, Move::Play(play) if play.tiles.len() == setup.tileset.rules().rack_size);
        finished.bingos[player] += u32::from(is_bingo);
        finished.turns += 1;
        game.make(setup, &chosen.chosen);
    }
    Finished { scores: game.scores, ..finished }
}
