//! Rack values from a census of boards.
//!
//! The boards come from self-play games with the current table, spread evenly over the number of unplayed tiles, so that
//! every stage of the game counts equally. Each board is a function of its slot, on any thread.

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use tilewright_engine::census::{Census, NOT_DEALT};
use tilewright_engine::deals::Deals;
use tilewright_engine::game::Game;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::movegen::Generator;
use tilewright_engine::rack::Rack;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;

use crate::rack_values::RackValues;

/// The source of a census: the games that its boards come from, and the values that its racks are compared with.
#[derive(Clone, Copy)]
pub struct BoardSource<'a> {
    /// The tile set, the board and the words.
    pub setup: &'a Setup,
    /// The static player of the table, which plays up to the board.
    pub player: &'a StaticPlayer,
    pub table: &'a LeaveTable,
    /// The prior value of each full rack by its number, in thousandths of a point.
    pub prior: &'a [i32],
    /// The deals of the games; a slot's number is its deal's index.
    pub deals: Deals,
}

impl BoardSource<'_> {
    /// Takes the census of the boards of these slots and tallies their racks.
    ///
    /// What all racks of a board share says nothing about leaves, so each board is taken less its mean difference from the prior.
    pub fn tally(&self, slots: std::ops::Range<u64>, advance: impl Fn() + Sync) -> RackValues {
        let worker = || (Generator::new(self.setup), Census::new(self.setup));
        let values = slots.into_par_iter().map_init(worker, |(generator, census), slot| {
            let values = self.values(generator, census, slot);
            advance();
            values
        });
        let boards: Vec<Vec<i32>> = values.collect();
        let racks = self.prior.len();
        let tallies: Vec<(u32, i64, u64)> = (0..racks)
            .into_par_iter()
            .with_min_len(4096)
            .map(|rack| {
                let dealt = boards.iter().map(|values| values[rack]).filter(|&value| value != NOT_DEALT);
                dealt.fold((0, 0, 0), |(count, sum, squares), value| {
                    (count + 1, sum + i64::from(value), squares + i64::from(value).unsigned_abs().pow(2))
                })
            })
            .collect();
        RackValues::from_dense(tallies.into_iter())
    }

    /// The values of all racks on a slot's board less their mean difference from the prior, in thousandths of a point.
    fn values(&self, generator: &mut Generator<'_>, census: &mut Census<'_>, slot: u64) -> Vec<i32> {
        let game = self.board(generator, slot);
        let unseen = unplayed(&game);
        let mut values = census.take(&game.board, &game.cross_sets, &unseen, game.bag.len(), self.table).to_vec();
        let dealt = || values.iter().zip(self.prior).filter(|&(&value, _)| value != NOT_DEALT);
        let sum: i64 = dealt().map(|(&value, &prior)| i64::from(value) - i64::from(prior)).sum();
        let level = sum / (dealt().count() as i64).max(1);
        values.iter_mut().filter(|value| **value != NOT_DEALT).for_each(|value| *value -= level as i32);
        values
    }

    /// The first position of the slot's game with at most as many unplayed tiles as the slot asks for.
    fn board(&self, generator: &mut Generator<'_>, slot: u64) -> Game {
        let tileset = &self.setup.tileset;
        let least = 2 * tileset.rules().rack_size + 1;
        let wanted = unplayed_of_slot(slot, least, tileset.total_tiles());
        let mut game = Game::deal(self.setup, self.deals, slot);
        while unplayed(&game).size() > wanted {
            let chosen = self.player.choose(generator, &game.turn(self.setup)).chosen;
            let mut next = game.clone();
            next.make(self.setup, &chosen);
            if next.is_over() || next.bag.is_empty() {
                break;
            }
            game = next;
        }
        game
    }
}

/// The tiles that are not on the board; the player to move may hold any of them.
fn unplayed(game: &Game) -> Rack {
    let mut unplayed = game.unseen();
    game.rack().tiles().for_each(|tile| unplayed.add(tile.kind()));
    unplayed
}

/// Spreads any number of slots evenly over `least..=most`: the reversed bits of a slot's number are a fraction (van der Corput).
pub(super) fn unplayed_of_slot(slot: u64, least: usize, most: usize) -> usize {
    // Only as many bits as an f64 fraction holds, so that it stays below 1.
    let fraction = (slot.reverse_bits() >> 11) as f64 / 2f64.powi(53);
    least + (fraction * (most - least + 1) as f64) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn slots_are_spread_evenly() {
        for slots in [16, 86, 200] {
            let mut tally = BTreeMap::new();
            for slot in 0..slots {
                *tally.entry((unplayed_of_slot(slot, 15, 100) - 15) / 8).or_insert(0u64) += 1;
            }
            let fair = slots as f64 * 8.0 / 86.0;
            assert!(tally.values().take(10).all(|&count| (count as f64 - fair).abs() < 3.0), "{tally:?}");
        }
        assert_eq!((unplayed_of_slot(0, 15, 100), unplayed_of_slot(u64::MAX, 15, 100)), (15, 100));
    }
}
