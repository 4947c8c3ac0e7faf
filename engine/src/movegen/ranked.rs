//! The best move, the best few, and all of them.

use std::collections::BinaryHeap;

use super::{Generator, KeepValues, Position, ValuedMove, Visitor, Wanted};
use crate::equity::Equity;
use crate::moves::{Move, Play, Tiles};
use crate::rack::SubRacks;
use crate::tileset::Tile;

/// The tiles given back by the exchange that keeps sub-rack `kept`, in the tile set's order.
fn exchanged(numbers: &SubRacks, kept: usize) -> Tiles {
    let mut given = Tiles::default();
    let mut rest = kept;
    for &(kind, count) in numbers.kinds() {
        let choices = count as usize + 1;
        (rest % choices..count as usize).for_each(|_| given.push(Tile::letter_tile(kind)));
        rest /= choices;
    }
    given
}

/// Moves in order, the best first. Sorts numbers that tell most of them apart, so that few are compared in full.
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

/// The first parts of a move's order, the first in the highest bits: falling equity, plays before exchanges before the pass,
/// and of a play its direction, row and column.
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

/// The best play so far. Plays of the same equity are ordered by themselves, so the order of the search does not matter.
struct Best {
    equity: Equity,
    play: Option<Play>,
}

impl Visitor for Best {
    #[inline]
    fn least(&self) -> Equity {
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

/// All plays.
struct All(Vec<ValuedMove>);

impl Visitor for All {
    const WANTED: Wanted = Wanted::All;

    fn least(&self) -> Equity {
        Equity(i32::MIN)
    }

    fn visit(&mut self, equity: Equity, play: impl FnOnce() -> Play) {
        self.0.push(ValuedMove { chosen: Move::Play(play()), equity });
    }
}

/// The best few moves so far; the worst of them on top of the heap.
struct Top {
    most: usize,
    moves: BinaryHeap<ValuedMove>,
}

impl Top {
    fn offer(&mut self, valued: ValuedMove) {
        if self.moves.len() < self.most {
            self.moves.push(valued);
        } else if let Some(mut worst) = self.moves.peek_mut()
            && valued < *worst
        {
            *worst = valued;
        }
    }
}

impl Visitor for Top {
    fn least(&self) -> Equity {
        match self.moves.peek() {
            Some(worst) if self.moves.len() == self.most => worst.equity,
            _ => Equity(i32::MIN),
        }
    }

    fn visit(&mut self, equity: Equity, play: impl FnOnce() -> Play) {
        if equity >= self.least() {
            self.offer(ValuedMove { chosen: Move::Play(play()), equity });
        }
    }
}

impl Generator<'_> {
    /// The move that [`Generator::all_moves`] lists first, without listing the others.
    pub fn best_move(&mut self, position: &Position<'_>, keeps: &KeepValues) -> ValuedMove {
        let without_play = self.best_without_play(position, keeps);
        let mut best = Best { equity: without_play.equity, play: None };
        self.visit_plays(position, keeps, &mut best);
        match best.play {
            Some(play) => ValuedMove { chosen: Move::Play(play), equity: best.equity },
            None => without_play,
        }
    }

    /// The first `most` moves of [`Generator::all_moves`], without listing the others.
    pub fn top_moves(&mut self, position: &Position<'_>, keeps: &KeepValues, most: usize) -> Vec<ValuedMove> {
        if most == 0 {
            return Vec::new();
        }
        let mut top = Top { most, moves: BinaryHeap::new() };
        self.each_without_play(position, keeps, |valued| top.offer(valued));
        self.visit_plays(position, keeps, &mut top);
        top.moves.into_sorted_vec()
    }

    /// Every legal move, the best first: plays, exchanges if the bag allows them, and the pass.
    pub fn all_moves(&mut self, position: &Position<'_>, keeps: &KeepValues) -> Vec<ValuedMove> {
        let mut all = All(Vec::with_capacity(1024));
        self.visit_plays(position, keeps, &mut all);
        self.each_without_play(position, keeps, |valued| all.0.push(valued));
        ranked(&all.0)
    }

    /// Every exchange, and the pass.
    fn each_without_play(&self, position: &Position<'_>, keeps: &KeepValues, mut see: impl FnMut(ValuedMove)) {
        let numbers = &keeps.numbers;
        if position.bag >= self.setup.tileset.rules().exchange_minimum {
            for kept in 0..numbers.whole() {
                let given = exchanged(numbers, kept);
                if given.len() <= position.bag {
                    see(ValuedMove { chosen: Move::Exchange(given), equity: keeps.values[kept] });
                }
            }
        }
        see(ValuedMove { chosen: Move::Pass, equity: keeps.values[numbers.whole()] });
    }

    /// The best exchange, or the pass where none is allowed or worth more.
    fn best_without_play(&self, position: &Position<'_>, keeps: &KeepValues) -> ValuedMove {
        let Position { rack, bag, .. } = *position;
        let (numbers, values) = (&keeps.numbers, &keeps.values);
        let pass = ValuedMove { chosen: Move::Pass, equity: values[numbers.whole()] };
        if bag < self.setup.tileset.rules().exchange_minimum {
            return pass;
        }
        // A rule set may let a player exchange with less than a rackful in the bag: then only as many as can be drawn.
        let possible = |&kept: &usize| rack.size() <= bag || rack.size() - numbers.get(kept).size() <= bag;
        let top = (0..numbers.whole()).filter(possible).map(|kept| values[kept]).max();
        let equal = (0..numbers.whole()).filter(possible).filter(|&kept| Some(values[kept]) == top);
        match (top, equal.map(|kept| exchanged(numbers, kept)).min()) {
            (Some(equity), Some(tiles)) if equity >= pass.equity => ValuedMove { chosen: Move::Exchange(tiles), equity },
            _ => pass,
        }
    }
}
