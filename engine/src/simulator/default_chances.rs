//! The chance to win where no table has been trained.

use crate::setup::Setup;
use crate::win_percentage::{TilesLeft, WinPercentage};

/// Leads up to so many bingo bonuses stand in the table.
const MOST_BONUSES: i32 = 10;

/// A rough table: the lead at the end is spread about the lead now, and the turn, with a variance that grows with the tiles left.
///
/// A logistic law, whose standard deviation is the square root of two bingo bonuses a tile: 100 points from the first turn of a
/// game of 100 tiles, 37 with two full racks and an empty bag. The turn is worth a third of a bonus, and less as tiles run out.
/// For English 57 % at the first turn; trained tables tell more.
pub fn win_percentage_default(setup: &Setup) -> WinPercentage {
    let rules = setup.tileset.rules();
    let bonus = f64::from(rules.bingo_bonus);
    let all = setup.tileset.total_tiles();
    let chance = |left: TilesLeft, spread: i32| {
        let tiles = (left.bag + left.own + left.other).max(1) as f64;
        let scale = (2.0 * bonus.max(1.0) * tiles).sqrt() * 3f64.sqrt() / std::f64::consts::PI;
        let turn = bonus / 3.0 * (tiles / all as f64).sqrt();
        1.0 / (1.0 + (-(f64::from(spread) + turn) / scale).exp())
    };
    let most_bag = all.saturating_sub(2 * rules.rack_size);
    WinPercentage::from_fn(rules.rack_size, most_bag, MOST_BONUSES * rules.bingo_bonus.max(1), chance)
}
