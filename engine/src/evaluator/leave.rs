//! `leave`: the score plus the value of the leave, optionally corrected for the unseen tiles and for few tiles in the bag. Evaluators without
//! a leave table: `greedy` counts the score alone, and `no-leaves` is `leave` with zeros and random ties. A function of turn and leave is an
//! evaluator too.

use super::{Evaluator, Ties};
use crate::equity::Equity;
use crate::leave::{CorrectedLeaves, leftover};
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::turn::Turn;

/// Values a move at its score plus the value of its leave.
impl Evaluator for CorrectedLeaves {
    fn leave_values(&self, turn: &Turn<'_>, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        self.fill(turn, sub_racks, leave_values);
    }

    fn needs_only_rack(&self, bag: usize) -> bool {
        CorrectedLeaves::needs_only_rack(self, bag)
    }
}

/// Values a move at its score. Without a scoring play it exchanges as many tiles as it may. It passes only if it must.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Evaluator for Greedy {
    fn leave_values(&self, _turn: &Turn<'_>, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        fill_with_zero(sub_racks, leave_values);
    }

    fn needs_only_rack(&self, _bag: usize) -> bool {
        true
    }
}

/// The player against which leave tables are measured. It values a move at its score. With an empty bag it also counts the
/// points of the tiles left, like `leave`. Among moves of equal equity it takes one at random.
///
/// So a match against it measures the values of a table. It does not measure the rule for the empty bag, which wins about a
/// point of win rate, or the order in which moves are found.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLeaves;

impl Evaluator for NoLeaves {
    fn leave_values(&self, turn: &Turn<'_>, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        if turn.bag == 0 {
            return leftover(turn, sub_racks, leave_values);
        }
        fill_with_zero(sub_racks, leave_values);
    }

    fn ties(&self) -> Ties {
        Ties::Random
    }
}

fn fill_with_zero(sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
    leave_values[..sub_racks.len()].fill(Equity::ZERO);
    leave_values[sub_racks.whole()] = Equity::PASS;
}

/// Values each leave by a function, in points.
pub(crate) struct ByLeaves<F>(pub(crate) F);

impl<F: Fn(&Turn<'_>, &Rack) -> f64 + Send + Sync> Evaluator for ByLeaves<F> {
    fn leave_values(&self, turn: &Turn<'_>, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        if turn.bag == 0 {
            return leftover(turn, sub_racks, leave_values);
        }
        for (number, value) in leave_values[..sub_racks.len()].iter_mut().enumerate() {
            *value = Equity::from_fractional_points((self.0)(turn, &sub_racks.get(number)));
        }
        leave_values[sub_racks.whole()] = Equity::PASS;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::bag::Bag;
    use crate::board::Board;
    use crate::cross_set::CrossSets;
    use crate::deals::Domain;
    use crate::leave::LeaveTable;
    use crate::leave::late::{LateRow, LateValues};
    use crate::rack::Rack;
    use crate::setup::Setup;
    use crate::tileset::TileSet;

    /// A table in which hardly any two values are equal.
    fn uneven_table(tileset: &TileSet) -> LeaveTable {
        let mut table = LeaveTable::zero(tileset);
        for index in 1..table.values().len() {
            table.set(index, Equity((index * 7919 % 40_001) as i32 - 20_000));
        }
        table
    }

    #[test]
    fn each_leave_is_adjusted_for_the_tiles_left_in_the_bag() {
        let setup = Setup::from_words(TileSet::embedded("english").unwrap(), "AN\nNA\n").unwrap();
        let english = &setup.tileset;
        let table = uneven_table(english);
        let row = |left: u8| LateRow {
            constant: f32::from(left) - 2.5,
            scale: 0.5 + f32::from(left) / 8.0,
            tiles: (0..27u8).map(|kind| f32::from(kind) / 4.0 - f32::from(left)).collect(),
        };
        let late = LateValues { rows: (0..4).map(row).collect() };
        let plain = CorrectedLeaves::new(Arc::new(table.clone()));
        let evaluator = plain.clone().with_late(Arc::new(late.clone()));
        let (board, cross_sets) = (Board::new(15), CrossSets::new(15, english));
        let mut adjusted = 0;
        for (game, bag) in (0..300).zip([1, 2, 3, 5, 6, 7, 9, 10, 11, 30].into_iter().cycle()) {
            // The rack of a typed position may be short; the draw fills it up.
            let mut rack = Rack::default();
            Bag::new(english, Domain::Match.deals(4), game).refill(&mut rack, 5 + game as usize % 3, 0);
            let unseen = Rack::from_counts(&english.counts()).minus(&rack).unwrap();
            let turn = Turn { setup: &setup, board: &board, cross_sets: &cross_sets, rack, unseen, bag, spread: 0 };
            let sub_racks = SubRacks::new(&rack);
            let [mut before, mut after] = [[Equity::ZERO; MAX_SUB_RACKS]; 2];
            plain.leave_values(&turn, &sub_racks, &mut before);
            evaluator.leave_values(&turn, &sub_racks, &mut after);
            for number in 0..sub_racks.whole() {
                let leave = sub_racks.get(number);
                let left = bag.saturating_sub(7 - leave.size());
                let tiles = |row: &LateRow| leave.tiles().map(|tile| row.tiles[tile.kind() as usize]).sum();
                let expected =
                    late.rows.get(left).map_or(before[number], |row| row.adjusted(table.get(&leave).unwrap(), tiles(row)));
                assert_eq!(after[number], expected, "{} of {}, {bag} in the bag", leave.show(english), rack.show(english));
                adjusted += u32::from(left < late.rows.len());
            }
            assert_eq!(after[sub_racks.whole()], before[sub_racks.whole()]);
        }
        assert!(adjusted > 5000, "{adjusted}");
    }

    #[test]
    fn leaves_that_need_only_the_rack_have_the_same_values_in_every_position() {
        let setup = Setup::from_words(TileSet::embedded("english").unwrap(), "AN\nNA\n").unwrap();
        let english = &setup.tileset;
        let plain = CorrectedLeaves::new(Arc::new(uneven_table(english)));
        let evaluators: [(&dyn Evaluator, bool); 3] =
            [(&plain, true), (&plain.clone().with_pool(english), false), (&super::super::Greedy, true)];
        let (board, cross_sets) = (Board::new(15), CrossSets::new(15, english));
        for (game, bag) in (0..40).zip([1, 2, 6, 7, 9, 30, 86, 0].into_iter().cycle()) {
            let mut rack = Rack::default();
            Bag::new(english, Domain::Match.deals(4), game).refill(&mut rack, 7, 0);
            let unseen = Rack::from_counts(&english.counts()).minus(&rack).unwrap();
            let full = Turn { setup: &setup, board: &board, cross_sets: &cross_sets, rack, unseen, bag: 86, spread: 0 };
            let mut few = Rack::default();
            Bag::new(english, Domain::Match.deals(5), game).refill(&mut few, 7, 0);
            let other = Turn { unseen: few, bag, spread: game as i32 - 20, ..full };
            let values = |evaluator: &dyn Evaluator, turn: &Turn<'_>| {
                let sub_racks = SubRacks::new(&turn.rack);
                let mut values = [Equity::ZERO; MAX_SUB_RACKS];
                evaluator.leave_values(turn, &sub_racks, &mut values);
                values[..sub_racks.len()].to_vec()
            };
            for (evaluator, needs_only_rack) in evaluators {
                let is_same = values(evaluator, &full) == values(evaluator, &other);
                assert!(is_same || !evaluator.needs_only_rack(bag), "{bag} in the bag");
                assert!(bag == 0 || evaluator.needs_only_rack(bag) == needs_only_rack);
            }
        }
    }
}
