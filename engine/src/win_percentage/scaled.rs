//! A win table from nothing but the tile set, for those that nobody has trained one for.
//!
//! The rest of a game is a sum of turns, so the variance of its swing grows with the racks that are left, and the player to move
//! is part of a turn ahead: the chance of a lead `s` with `u` tiles unseen is
//!
//! ```text
//! 1 / (1 + exp(-(s + A·p) / w)),   w = p · √(B + C·u / rack size),   with an empty bag w = p · (D + E·u / rack size)
//! ```
//!
//! where `p` is what a turn earns, in points. A to E are those that self-play with the English tiles has; `p` of another set is
//! estimated from its tile values, its racks and its bingo bonus. Boards and lexicons it does not know, so it is a stand-in:
//! `win-percentage train` makes a better one in minutes, and `win-percentage eval` says how much better.

use super::{States, WinPercentage, final_win_probability};
use crate::tileset::TileSet;

/// A: what the turn is worth, in turns.
const TURN: f64 = 0.5;
/// B: the variance that is left when nothing is unseen, in squared turns.
const LAST: f64 = 0.16;
/// C: that of each rack that is unseen, in squared turns.
const RACK: f64 = 0.143;
/// D and E: the width with an empty bag, in turns, and what a whole rack of the other adds.
const EMPTY_BAG: [f64; 2] = [0.15, 0.4];

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
    let (states, turn) = (States::from_tileset(tileset), points_of_turn(tileset).max(1.0));
    let (rack_size, most_spread) = (states.rack_size(), WinPercentage::most_spread_of(tileset));
    WinPercentage::from_fn(rack_size, states.most_bag(), most_spread, |left, spread| {
        if left.is_over() {
            return final_win_probability(spread);
        }
        let racks = left.unseen() as f64 / rack_size as f64;
        let width = if left.bag == 0 { EMPTY_BAG[0] + EMPTY_BAG[1] * racks } else { (LAST + RACK * racks).sqrt() };
        logistic(f64::from(spread) + TURN * turn, turn * width)
    })
    .rounded()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equity::Equity;
    use crate::win_percentage::TilesLeft;

    #[test]
    fn every_tile_set_has_a_table_that_rises() {
        for name in ["english", "english_super", "polish", "dutch"] {
            let tileset = TileSet::embedded(name).unwrap();
            let table = scaled(&tileset);
            let (states, most) = (table.states(), table.most_spread());
            assert_eq!((states, most), (States::from_tileset(&tileset), 5 * tileset.total_tiles() as i32));
            for left in states.all() {
                assert!(table.row(left).is_sorted(), "{name} {left:?}");
            }
            let start = TilesLeft { bag: states.most_bag(), own: states.rack_size(), other: states.rack_size() };
            let chance = |lead| table.win_probability(start, Equity::from_points(lead));
            assert!((0.54..0.62).contains(&chance(0)) && chance(100) > 0.8 && chance(most) > 0.999, "{name}");
        }
    }
}
