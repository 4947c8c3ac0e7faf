//! How often a lead wins, by what is left to be drawn: a dense table, so that play pays one look-up.

use crate::equity::Equity;
use crate::game::Game;

/// The tiles that are not on the board, from the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TilesLeft {
    /// Tiles in the bag.
    pub bag: usize,
    /// Tiles on the rack of the player to move.
    pub own: usize,
    /// Tiles on the other rack.
    pub other: usize,
}

impl TilesLeft {
    /// Those of a game.
    pub fn of(game: &Game) -> TilesLeft {
        let [own, other] = [game.to_move, 1 - game.to_move].map(|player| game.racks[player].size());
        TilesLeft { bag: game.bag.len(), own, other }
    }
}

/// The chance of the player to move to win, a draw being half a win, by tiles left and spread.
#[derive(Clone, Debug, PartialEq)]
pub struct WinPercentage {
    rack_size: usize,
    most_bag: usize,
    /// Leads beyond plus or minus this many points count as this many.
    most_spread: i32,
    /// By number of tiles left, then by spread from the lowest.
    chances: Vec<f32>,
}

impl WinPercentage {
    /// A table of `chance(tiles left, spread in points)`, 0 to 1, for leads up to `most_spread`.
    pub fn from_fn(
        rack_size: usize,
        most_bag: usize,
        most_spread: i32,
        mut chance: impl FnMut(TilesLeft, i32) -> f64,
    ) -> WinPercentage {
        let mut table = WinPercentage { rack_size, most_bag, most_spread, chances: Vec::new() };
        table.chances = (0..table.states())
            .flat_map(|number| (-most_spread..=most_spread).map(move |spread| (number, spread)))
            .map(|(number, spread)| chance(table.tiles_left(number), spread) as f32)
            .collect();
        table
    }

    /// The chance at a spread, which may be between whole points.
    pub fn chance(&self, left: TilesLeft, spread: Equity) -> f64 {
        let row = self.row(left);
        let most = 1000 * self.most_spread;
        let thousandths = (spread.0.clamp(-most, most) + most) as usize;
        let (point, part) = (thousandths / 1000, (thousandths % 1000) as f64 / 1000.0);
        let low = f64::from(row[point]);
        if part == 0.0 { low } else { low + part * (f64::from(row[point + 1]) - low) }
    }

    /// The chances at all spreads, from the lowest.
    pub fn row(&self, left: TilesLeft) -> &[f32] {
        let spreads = 2 * self.most_spread as usize + 1;
        &self.chances[self.number(left) * spreads..][..spreads]
    }

    /// With tiles in the bag, by those, since both racks are full or nearly so; else by both racks.
    fn number(&self, TilesLeft { bag, own, other }: TilesLeft) -> usize {
        let rack = |tiles: usize| tiles.min(self.rack_size);
        if bag == 0 {
            rack(own) * (self.rack_size + 1) + rack(other)
        } else {
            self.empty_bag_states() + bag.min(self.most_bag) - 1
        }
    }

    fn tiles_left(&self, number: usize) -> TilesLeft {
        let (own, other) = (number / (self.rack_size + 1), number % (self.rack_size + 1));
        match (number + 1).checked_sub(self.empty_bag_states()) {
            None | Some(0) => TilesLeft { bag: 0, own, other },
            Some(bag) => TilesLeft { bag, own: self.rack_size, other: self.rack_size },
        }
    }

    fn empty_bag_states(&self) -> usize {
        (self.rack_size + 1).pow(2)
    }

    fn states(&self) -> usize {
        self.empty_bag_states() + self.most_bag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_a_row_of_its_own() {
        let table = WinPercentage::from_fn(7, 86, 2, |left, spread| {
            (left.bag + 100 * left.own + left.other) as f64 + f64::from(spread) / 10.0
        });
        for bag in 0..=86 {
            for (own, other) in (0..=7).flat_map(|own| (0..=7).map(move |other| (own, other))) {
                let left = TilesLeft { bag, own, other };
                let expected = if bag == 0 { (100 * own + other) as f64 } else { (bag + 707) as f64 };
                assert!((table.chance(left, Equity::ZERO) - expected).abs() < 1e-3, "{left:?}");
                assert!((table.chance(left, Equity(-1500)) - expected + 0.15).abs() < 1e-3, "{left:?}");
                assert!((table.chance(left, Equity::from_points(900)) - expected - 0.2).abs() < 1e-3, "{left:?}");
            }
        }
    }
}
