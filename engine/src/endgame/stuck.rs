//! The tiles that cannot be played.

use super::position::Position;
use super::solution::{EndgameError, check};
use crate::game::Game;
use crate::rack::Rack;
use crate::setup::Setup;

/// Returns the stuck tiles of both players, by their numbers in the game: the tiles of every kind that no play of their holder
/// lays on this board. Later moves of either side may still make room for them.
///
/// # Errors
/// [`EndgameError`] if the bag is not empty or the game is over.
pub fn stuck_tiles(setup: &Setup, game: &Game) -> Result<[Rack; 2], EndgameError> {
    check(game)?;
    let mut position = Position::new(setup, game);
    let mut stuck = game.racks;
    // In the position player 0 is the player to move.
    for player in [0, 1] {
        let stuck = &mut stuck[game.to_move ^ player];
        position.list(player, |listed| {
            for tile in &*listed.play.tiles {
                while stuck.remove(tile.kind()) {}
            }
        });
    }
    Ok(stuck)
}
