//! Win tables: win probabilities by spread and tiles left. A table is dense, so a player needs one look-up.
//!
//! A table has the win probability of **the player to move** ([`WinPercentage::win_probability`]). The player who waits has
//! 1 minus it, so the two sum to 1. [`csv`] reads and writes whole tables, [`import`] and [`export`] use the layouts of
//! other tools, and [`load`] reads artefact folders and files.

use crate::equity::Equity;
use crate::game::Game;
use crate::tileset::TileSet;

pub mod csv;
pub mod export;
pub mod import;
pub mod load;

/// A table has leads up to this many points per tile of the set: 500 for 100 tiles. Fewer than 1 in 100,000 turns exceed it.
const SPREAD_PER_TILE: i32 = 5;

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
    /// The tiles left in a game.
    pub fn from_game(game: &Game) -> TilesLeft {
        let [own, other] = [game.to_move, 1 - game.to_move].map(|player| game.racks[player].size());
        TilesLeft { bag: game.bag.len(), own, other }
    }

    /// Tiles that the player to move cannot see.
    pub fn unseen(self) -> usize {
        self.bag + self.other
    }

    /// Whether the bag and a rack are empty: the game has ended, and the spread is final.
    pub fn is_over(self) -> bool {
        self.bag == 0 && (self.own == 0 || self.other == 0)
    }
}

/// The win probability of a final spread: 0, 1, or 0.5 for a draw.
pub fn final_win_probability(spread: i32) -> f64 {
    f64::from(1 + spread.signum()) / 2.0
}

/// The states that a table distinguishes, numbered from 0: with an empty bag by the sizes of both racks, otherwise by the
/// tiles in the bag, because both racks are then full or nearly so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct States {
    /// Tiles on a full rack.
    pub rack_size: usize,
    /// The most tiles in the bag: the number after the deal.
    pub most_bag: usize,
}

impl States {
    /// The states of games with a tile set.
    pub fn from_tileset(tileset: &TileSet) -> States {
        let rack_size = tileset.rules().rack_size;
        States { rack_size, most_bag: tileset.total_tiles() - 2 * rack_size }
    }

    /// The number of states.
    #[expect(clippy::len_without_is_empty, reason = "there are always some")]
    pub fn len(self) -> usize {
        self.empty_bag() + self.most_bag
    }

    /// The number of a state. Larger racks and bags count as the largest.
    pub fn number(self, TilesLeft { bag, own, other }: TilesLeft) -> usize {
        let rack = |tiles: usize| tiles.min(self.rack_size);
        if bag == 0 || self.most_bag == 0 {
            rack(own) * (self.rack_size + 1) + rack(other)
        } else {
            self.empty_bag() + bag.min(self.most_bag) - 1
        }
    }

    /// The state of a number.
    pub(crate) fn tiles_left(self, number: usize) -> TilesLeft {
        match (number + 1).checked_sub(self.empty_bag()) {
            None | Some(0) => TilesLeft { bag: 0, own: number / (self.rack_size + 1), other: number % (self.rack_size + 1) },
            Some(bag) => TilesLeft { bag, own: self.rack_size, other: self.rack_size },
        }
    }

    /// All states in the order of their numbers.
    pub fn all(self) -> impl Iterator<Item = TilesLeft> {
        (0..self.len()).map(move |number| self.tiles_left(number))
    }

    /// The number of states with an empty bag.
    fn empty_bag(self) -> usize {
        (self.rack_size + 1).pow(2)
    }
}

/// A win table: the win probability of the player to move by tiles left and spread, where a draw counts as half a win.
#[derive(Clone, Debug, PartialEq)]
pub struct WinPercentage {
    states: States,
    /// Leads beyond plus or minus this many points count as this many.
    most_spread: i32,
    /// By number of the state, then by spread from the lowest.
    probabilities: Vec<f32>,
    /// By number of the state.
    turns: Vec<u64>,
}

impl WinPercentage {
    /// A table of `probability(tiles left, spread in points)`, 0 to 1, for leads up to `most_spread` points. Once a game is over, the
    /// spread alone decides.
    pub fn from_fn(states: States, most_spread: i32, mut probability: impl FnMut(TilesLeft, i32) -> f64) -> WinPercentage {
        let mut probabilities = Vec::with_capacity(states.len() * (2 * most_spread as usize + 1));
        for left in states.all() {
            let of_spread = |spread| if left.is_over() { final_win_probability(spread) } else { probability(left, spread) };
            probabilities.extend((-most_spread..=most_spread).map(of_spread).map(|probability| probability as f32));
        }
        WinPercentage { states, most_spread, probabilities, turns: vec![0; states.len()] }
    }

    /// The same table with the number of turns seen in each state, by its number. Formats that have only the number of
    /// unseen tiles weight the states by it.
    #[must_use]
    pub fn with_turns(self, turns: Vec<u64>) -> WinPercentage {
        debug_assert_eq!(turns.len(), self.states.len());
        WinPercentage { turns, ..self }
    }

    /// The largest lead that a table for this tile set should have, in points.
    pub fn most_spread_of(tileset: &TileSet) -> i32 {
        SPREAD_PER_TILE * tileset.total_tiles() as i32
    }

    /// The states that the table distinguishes.
    pub fn states(&self) -> States {
        self.states
    }

    /// The largest lead in the table, in points.
    pub fn most_spread(&self) -> i32 {
        self.most_spread
    }

    /// The turns seen in a state when the table was made, or 0 if unknown.
    pub fn turns(&self, left: TilesLeft) -> u64 {
        self.turns[self.states.number(left)]
    }

    /// The win probability of the player to move, 0 to 1. A spread between whole points is interpolated.
    pub fn win_probability(&self, left: TilesLeft, spread: Equity) -> f64 {
        let row = self.row(left);
        let most = 1000 * self.most_spread;
        let thousandths = (spread.0.clamp(-most, most) + most) as usize;
        let (point, part) = (thousandths / 1000, (thousandths % 1000) as f64 / 1000.0);
        let low = f64::from(row[point]);
        if part == 0.0 { low } else { low + part * (f64::from(row[point + 1]) - low) }
    }

    /// The win probabilities of the player to move at all spreads of the table, from the lowest.
    pub fn row(&self, left: TilesLeft) -> &[f32] {
        let spreads = 2 * self.most_spread as usize + 1;
        &self.probabilities[self.states.number(left) * spreads..][..spreads]
    }

    /// The win probability at a whole spread when only the number of unseen tiles is known. With an empty bag the rack of
    /// the player to move may have any size: the sizes are weighted by the turns seen, or equally if none were.
    fn win_probability_unseen(&self, unseen: usize, spread: i32) -> f64 {
        let rack_size = self.states.rack_size;
        let probability = |left| self.win_probability(left, Equity::from_points(spread));
        if unseen > rack_size {
            return probability(TilesLeft { bag: unseen - rack_size, own: rack_size, other: rack_size });
        }
        let lefts = || (1..=rack_size).map(|own| TilesLeft { bag: 0, own, other: unseen });
        let all: u64 = lefts().map(|left| self.turns(left)).sum();
        let weight = |left| if all == 0 { 1.0 / rack_size as f64 } else { self.turns(left) as f64 / all as f64 };
        lefts().map(|left| weight(left) * probability(left)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_a_row_of_its_own() {
        let table = WinPercentage::from_fn(States { rack_size: 7, most_bag: 86 }, 2, |left, spread| {
            (left.bag + 100 * left.own + left.other) as f64 + f64::from(spread) / 10.0
        });
        for bag in 0..=86 {
            for (own, other) in (0..=7).flat_map(|own| (0..=7).map(move |other| (own, other))) {
                let left = TilesLeft { bag, own, other };
                let at_zero = if bag == 0 { (100 * own + other) as f64 } else { (bag + 707) as f64 };
                let expected = if left.is_over() { [0.5, 0.0, 1.0] } else { [at_zero, at_zero - 0.15, at_zero + 0.2] };
                for (spread, expected) in [Equity::ZERO, Equity(-1500), Equity::from_points(900)].into_iter().zip(expected) {
                    assert!((table.win_probability(left, spread) - expected).abs() < 1e-3, "{left:?} {spread}");
                }
            }
        }
    }

    #[test]
    fn states_are_numbered_both_ways() {
        for (rack_size, most_bag) in [(7, 86), (5, 50), (3, 0)] {
            let states = States { rack_size, most_bag };
            for (number, left) in states.all().enumerate() {
                assert_eq!(states.number(left), number, "{left:?}");
            }
        }
        assert_eq!(States { rack_size: 7, most_bag: 86 }.len(), 150);
    }
}
