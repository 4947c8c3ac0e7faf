//! Self-play: games as functions of (seed, game index).

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::game::Game;
use crate::hash::sha256_of;
use crate::movegen::{Generator, Position, ValuedMove};
use crate::moves::Move;
use crate::player::Player;
use crate::rack::Rack;
use crate::setup::Setup;
use crate::tileset::Tile;

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
        let chosen = players[player].choose(generator, &game.position(), &unseen);
        see(&TurnSeen { game: &game, number: finished.turns as usize, chosen, unseen: &unseen });
        let is_bingo = matches!(chosen.chosen, Move::Play(play) if play.tiles.len() == setup.tileset.rules().rack_size);
        finished.bingos[player] += u32::from(is_bingo);
        finished.turns += 1;
        game.make(setup, &chosen.chosen);
    }
    Finished { scores: game.scores, ..finished }
}

/// A hash over games: every rack, move and score, and the final scores. Hexadecimal.
///
/// The same games have the same fingerprint however their moves were found and on however many threads, so a change that is
/// meant to make the engine faster must not move it. `choose` picks the move of a position, given the unseen tiles.
pub fn fingerprint(
    setup: &Setup,
    seed: u64,
    games: std::ops::Range<u64>,
    choose: impl Fn(&mut Generator<'_>, &Position<'_>, &Rack) -> Move + Sync,
) -> String {
    let games: Vec<Vec<u8>> = games
        .into_par_iter()
        .map_init(
            || Generator::new(setup),
            |generator, index| {
                let mut bytes = Vec::with_capacity(1024);
                let mut game = Game::deal(setup, seed, index);
                while !game.is_over() {
                    let chosen = choose(generator, &game.position(), &game.unseen());
                    bytes.extend(game.rack().tiles().map(Tile::kind));
                    write_move(&chosen, &mut bytes);
                    game.make(setup, &chosen);
                }
                bytes.extend(game.scores.iter().flat_map(|score| score.to_le_bytes()));
                bytes
            },
        )
        .collect();
    sha256_of(games.iter().map(Vec::as_slice))
}

/// Writes a move so that no two moves look alike.
fn write_move(chosen: &Move, bytes: &mut Vec<u8>) {
    match chosen {
        Move::Play(play) => {
            bytes.extend([1, play.direction as u8, play.start.row, play.start.column]);
            bytes.extend(play.score.to_le_bytes());
        }
        Move::Exchange(_) => bytes.push(2),
        Move::Pass => bytes.push(3),
    }
    bytes.push(chosen.tiles().len() as u8);
    bytes.extend(chosen.tiles().iter().flat_map(|tile| [tile.letter(), u8::from(tile.is_blank())]));
}
