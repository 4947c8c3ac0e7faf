//! What the end of a game does to the scores.

use crate::rack::Rack;
use crate::tileset::TileSet;

/// Score changes when `player` has gone out: twice the tiles of the other.
pub fn out(tileset: &TileSet, racks: &[Rack; 2], player: usize) -> [i32; 2] {
    let mut changes = [0; 2];
    changes[player] = 2 * racks[1 - player].points(tileset);
    changes
}

/// Score changes after too many scoreless turns: each player loses the tiles it holds.
pub fn scoreless(tileset: &TileSet, racks: &[Rack; 2]) -> [i32; 2] {
    racks.map(|rack| -rack.points(tileset))
}
