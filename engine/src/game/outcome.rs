//! The changes of the scores at the end of a game, in points.

use crate::rack::Rack;
use crate::tileset::TileSet;

/// Returns the changes when `player` goes out: that player gains twice the value of the opponent's rack.
pub fn out(tileset: &TileSet, racks: &[Rack; 2], player: usize) -> [i32; 2] {
    let mut changes = [0; 2];
    changes[player] = 2 * racks[1 - player].points(tileset);
    changes
}

/// Returns the changes after too many scoreless turns: each player loses the value of their own rack.
pub fn scoreless(tileset: &TileSet, racks: &[Rack; 2]) -> [i32; 2] {
    racks.map(|rack| -rack.points(tileset))
}
