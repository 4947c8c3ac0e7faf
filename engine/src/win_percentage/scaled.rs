//! A win table from the tile set alone, for tile sets without a trained table.
//!
//! The rest of a game is a sum of turns, so the variance of its remaining spread grows with the number of racks left, and the player to
//! move is part of a turn ahead. The win probability of a lead `s` with `u` unseen tiles is
//!
//! ```text
//! 1 / (1 + exp(-(s + A·p) / w)),   w = p · √(B + C·u / rack size),   with an empty bag w = p · (D + E·u / rack size)
//! ```
//!
//! where `p` is the mean score of a turn, in points. A to E are from self-play with the English tiles. `p` of another set is
//! estimated from its tile values, its rack size and its bingo bonus. The board and the lexicon do not enter, so the table
//! is a stand-in: `win-percentage train` makes a better one in minutes, and `win-percentage eval` measures how much better.

use super::{States, WinPercentage, final_win_probability};
use crate::tileset::TileSet;

/// A: the advantage of the player to move, in turns.
const TURN: f64 = 0.5;
/// B: the variance with no unseen tiles, in squared turns.
const LAST: f64 = 0.16;
/// C: the variance that each unseen rack adds, in squared turns.
const RACK: f64 = 0.143;
/// D and E: the width with an empty bag, and the addition for a full rack of the opponent, in turns.
const EMPTY_BAG: [f64; 2] = [0.15, 0.4];

/// The score of a turn without bingo bonuses, per point of a rack of mean tiles (13.1 points in English).
const POINTS_OF_RACK: f64 = 2.2;
/// Bingos per turn.
const BINGOS: f64 = 0.17;

/// `1 / (1 + exp(-lead / width))`.
pub fn logistic(lead: f64, width: f64) -> f64 {
    1.0 / (1.0 + (-lead / width).exp())
}

/// The estimated mean score of a turn with these tiles, in points.
pub(crate) fn points_of_turn(tileset: &TileSet) -> f64 {
    let rules = tileset.rules();
    let points: usize = tileset.kinds().iter().map(|kind| kind.count as usize * kind.value as usize).sum();
    let rack_points = (rules.rack_size * points) as f64 / tileset.total_tiles() as f64;
    POINTS_OF_RACK * rack_points + BINGOS * f64::from(rules.bingo_bonus)
}

/// The win table that is scaled to a tile set.
pub fn scaled(tileset: &TileSet) -> WinPercentage {
    let (states, turn) = (States::from_tileset(tileset), points_of_turn(tileset).max(1.0));
    WinPercentage::from_fn(states, WinPercentage::most_spread_of(tileset), |left, spread| {
        if left.is_over() {
            return final_win_probability(spread);
        }
        let racks = left.unseen() as f64 / states.rack_size as f64;
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
            let start = TilesLeft { bag: states.most_bag, own: states.rack_size, other: states.rack_size };
            let probability = |lead| table.win_probability(start, Equity::from_points(lead));
            assert!((0.54..0.62).contains(&probability(0)), "{name}");
            assert!(probability(100) > 0.8 && probability(most) > 0.999, "{name}");
        }
    }
}
