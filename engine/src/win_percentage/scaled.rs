//! A win table from nothing but the tile set, for those that nobody has trained one for.
//!
//! The rest of a game is a sum of turns, so the variance of its swing grows with the racks that are left, and the player to move
//! is part of a turn ahead: the chance of a lead `s` with `u` tiles unseen is
//!
//! ```text
//! 1 / (1 + exp(-(s + A·p) / w)),   w = p · √(B + C·u / rack size)
//! ```
//!
//! where `p` is what a turn earns, in points. A, B and C are those that self-play with the English tiles has; `p` of another set
//! is estimated from its tile values, its racks and its bingo bonus. Dialects of board and lexicon it does not know, so it is a
//! stand-in: `win-percentage train` makes a better one in minutes, and `win-percentage eval` says how much better.

use super::{States, WinPercentage, final_chance};
use crate::tileset::TileSet;

/// A: what the turn is worth, in turns.
const TURN: f64 = 0.5;
/// B: the variance that is left when nothing is unseen, in squared turns.
const LAST: f64 = 0.2;
/// C: that of each rack that is unseen, in squared turns.
const RACK: f64 = 0.13;

/// What a turn earns beside bingos, in points for each point of a rack of mean tiles: English racks hold 13.1 points.
const POINTS_OF_RACK: f64 = 2.2;
/// Bingos a turn.
const BINGOS: f64 = 0.17;

/// `1 / (1 + exp(-lead / width))`.
pub fn logistic(lead: f64, width: f64) -> f64 {
    1.0 / (1.0 + (-lead / width).exp())
}

/// About what a turn earns with these tiles, in points.
pub fn points_of_turn(tileset: &TileSet) -> f64 {
    let rules = tileset.rules();
    let points: usize = tileset.kinds().iter().map(|kind| kind.count as usize * kind.value as usize).sum();
    let of_rack = (rules.rack_size * points) as f64 / tileset.total_tiles() as f64;
    POINTS_OF_RACK * of_rack + BINGOS * f64::from(rules.bingo_bonus)
}

/// The table.
pub fn scaled(tileset: &TileSet) -> WinPercentage {
    let (states, turn) = (States::of(tileset), points_of_turn(tileset).max(1.0));
    let (rack_size, most_spread) = (states.rack_size(), WinPercentage::most_spread_of(tileset));
    WinPercentage::from_fn(rack_size, states.most_bag(), most_spread, |left, spread| {
        if left.is_over() {
            return final_chance(spread);
        }
        let racks = left.unseen() as f64 / rack_size as f64;
        logistic(f64::from(spread) + TURN * turn, turn * (LAST + RACK * racks).sqrt())
    })
    .rounded()
}
