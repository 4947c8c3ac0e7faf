//! The best move, the best few moves, and all moves.

use std::collections::BinaryHeap;

use super::visitor::{Each, LeaveValues, Visitor};
use super::{Generator, ValuedMove};
use crate::equity::Equity;
use crate::moves::{Move, Play, Tiles};
use crate::rack::SubRacks;
use crate::tileset::Tile;
use crate::turn::Turn;

/// Returns the tiles that an exchange with a given leave puts back, in the order of the tile set.
fn exchanged(numbers: &SubRacks, leave: usize) -> Tiles {
    let mut given = Tiles::default();
    let mut rest = leave;
    for &(kind, count) in numbers.kinds() {
        let choices = count as usize + 1;
        (rest % choices..count as usize).for_each(|_| given.push(Tile::letter_tile(kind)));
        rest /= choices;
    }
    given
}

/// Sorts moves, the best first. It sorts keys that distinguish most moves, so that few moves are compared in full.
fn ranked(moves: &[ValuedMove]) -> Vec<ValuedMove> {
    let mut order: Vec<(u64, u32)> = moves.iter().map(sort_key).zip(0..).collect();
    order.sort_unstable();
    let mut ranked = Vec::with_capacity(moves.len());
    for equals in order.chunk_by(|a, b| a.0 == b.0) {
        let first = ranked.len();
        ranked.extend(equals.iter().map(|&(_, place)| moves[place as usize]));
        if equals.len() > 1 {
            ranked[first..].sort_unstable();
        }
    }
    ranked
}

/// Returns a key that sorts moves by descending equity, then plays before exchanges before the pass, then plays by
/// direction, row and column. It agrees with the order of [`ValuedMove`], but does not distinguish all moves.
fn sort_key(valued: &ValuedMove) -> u64 {
    let order = match valued.chosen {
        Move::Play(Play { direction, start, .. }) => {
            u64::from(direction as u8) << 16 | u64::from(start.row) << 8 | u64::from(start.column)
        }
        Move::Exchange(_) => 1 << 17,
        Move::Pass => 1 << 18,
    };
    u64::from(valued.equity.descending_key()) << 19 | order
}

/// The best play so far. The order of plays breaks ties, so the order of the search does not matter.
pub(super) struct Best {
    pub equity: Equity,
    pub play: Option<Play>,
}

impl Best {
    /// The play, or this move if there is none.
    pub(super) fn or(self, without_play: ValuedMove) -> ValuedMove {
        self.play.map_or(without_play, |play| ValuedMove { chosen: Move::Play(play), equity: self.equity })
    }
}

impl Visitor for Best {
    #[inline]
    fn threshold(&self) -> Equity {
        self.equity
    }

    #[inline]
    fn visit(&mut self, equity: Equity, play: impl FnOnce() -> Play) {
        if equity < self.equity {
            return;
        }
        let play = play();
        if equity > self.equity || self.play.is_none_or(|best| play < best) {
            *self = Best { equity, play: Some(play) };
        }
    }
}

/// The best few moves so far, with the worst of them on top of the heap.
struct Top {
    count: usize,
    moves: BinaryHeap<ValuedMove>,
}

impl Top {
    fn offer(&mut self, valued: ValuedMove) {
        if self.moves.len() < self.count {
            self.moves.push(valued);
        } else if let Some(mut worst) = self.moves.peek_mut()
            && valued < *worst
        {
            *worst = valued;
        }
    }
}

impl Visitor for Top {
    fn threshold(&self) -> Equity {
        match self.moves.peek() {
            Some(worst) if self.moves.len() == self.count => worst.equity,
            _ => Equity(i32::MIN),
        }
    }

    fn visit(&mut self, equity: Equity, play: impl FnOnce() -> Play) {
        if equity >= self.threshold() {
            self.offer(ValuedMove { chosen: Move::Play(play()), equity });
        }
    }
}

impl Generator<'_> {
    /// Returns the best move, which is the first of [`Generator::all_moves`], without listing the others.
    pub fn best_move(&mut self, turn: &Turn<'_>, leaves: &LeaveValues) -> ValuedMove {
        let without_play = best_without_play(turn, leaves);
        let mut best = Best { equity: without_play.equity, play: None };
        self.visit_plays(turn, leaves, &mut best);
        best.or(without_play)
    }

    /// Returns the best `count` moves, which are the first of [`Generator::all_moves`], without listing the others.
    pub fn top_moves(&mut self, turn: &Turn<'_>, leaves: &LeaveValues, count: usize) -> Vec<ValuedMove> {
        if count == 0 {
            return Vec::new();
        }
        let mut top = Top { count, moves: BinaryHeap::new() };
        self.each_without_play(turn, leaves, |equity, chosen| {
            if equity >= top.threshold() {
                top.offer(ValuedMove { chosen: chosen(), equity });
            }
        });
        self.visit_plays(turn, leaves, &mut top);
        top.moves.into_sorted_vec()
    }

    /// Returns every legal move, the best first: plays, exchanges if the bag allows them, and the pass.
    pub fn all_moves(&mut self, turn: &Turn<'_>, leaves: &LeaveValues) -> Vec<ValuedMove> {
        let mut all = Vec::with_capacity(1024);
        self.visit_plays(turn, leaves, &mut Each(|equity, play| all.push(ValuedMove { chosen: Move::Play(play), equity })));
        self.each_without_play(turn, leaves, |equity, chosen| all.push(ValuedMove { chosen: chosen(), equity }));
        ranked(&all)
    }

    /// Visits every exchange, and the pass, each with its equity.
    fn each_without_play(&self, turn: &Turn<'_>, leaves: &LeaveValues, mut visit: impl FnMut(Equity, &dyn Fn() -> Move)) {
        let numbers = &leaves.sub_racks;
        if turn.bag >= self.setup.tileset.rules().exchange_minimum {
            for leave in 0..numbers.whole() {
                if can_exchange(turn, numbers, leave) {
                    visit(leaves.values[leave], &|| Move::Exchange(exchanged(numbers, leave)));
                }
            }
        }
        visit(leaves.values[numbers.whole()], &|| Move::Pass);
    }
}

/// Whether the bag has as many tiles as an exchange that keeps a leave: rules may allow exchanges with less than a rackful in it.
fn can_exchange(turn: &Turn<'_>, numbers: &SubRacks, leave: usize) -> bool {
    turn.rack.size() <= turn.bag || turn.rack.size() - numbers.get(leave).size() <= turn.bag
}

/// Returns the best exchange, or the pass if no exchange is allowed or the pass is worth more.
pub(super) fn best_without_play(turn: &Turn<'_>, leaves: &LeaveValues) -> ValuedMove {
    let (numbers, values) = (&leaves.sub_racks, &leaves.values);
    let pass = ValuedMove { chosen: Move::Pass, equity: values[numbers.whole()] };
    if turn.bag < turn.setup.tileset.rules().exchange_minimum {
        return pass;
    }
    let possible = |&leave: &usize| can_exchange(turn, numbers, leave);
    let top = (0..numbers.whole()).filter(possible).map(|leave| values[leave]).max();
    let equal = (0..numbers.whole()).filter(possible).filter(|&leave| Some(values[leave]) == top);
    match (top, equal.map(|leave| exchanged(numbers, leave)).min()) {
        (Some(equity), Some(tiles)) if equity >= pass.equity => ValuedMove { chosen: Move::Exchange(tiles), equity },
        _ => pass,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::cross_set::CrossSets;
    use crate::rack::{MAX_SUB_RACKS, Rack};
    use crate::setup::Setup;
    use crate::tileset::TileSet;

    #[test]
    fn the_best_move_may_be_an_exchange_with_the_fewest_tiles_in_the_bag() {
        let setup = Setup::from_words(TileSet::embedded("english").unwrap(), "AN\nNA\n").unwrap();
        let (board, cross_sets) = (Board::new(15), CrossSets::new(15, &setup.tileset));
        // Without A, N and a blank there is no play.
        let rack = Rack::from_kinds(&[2, 3, 4, 6, 7, 8, 10]);
        let sub_racks = SubRacks::new(&rack);
        let mut values = [Equity::ZERO; MAX_SUB_RACKS];
        values[sub_racks.whole()] = Equity::PASS;
        let leaves = LeaveValues { sub_racks, values };
        let mut generator = Generator::new(&setup);
        let mut exchanges = |bag| {
            let unseen = Rack::default();
            let turn = Turn { setup: &setup, board: &board, cross_sets: &cross_sets, rack, unseen, bag, spread: 0 };
            let best = generator.best_move(&turn, &leaves);
            assert_eq!(best, generator.all_moves(&turn, &leaves)[0]);
            matches!(best.chosen, Move::Exchange(_))
        };
        assert_eq!([6, 7, 8].map(&mut exchanges), [false, true, true]);
    }
}
