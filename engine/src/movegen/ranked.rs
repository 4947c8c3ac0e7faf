//! The best move, the best few, and all of them.

use std::collections::BinaryHeap;

use super::{Generator, KeepValues, Position, ValuedMove, Visitor};
use crate::equity::Equity;
use crate::moves::{Move, Play, Tiles};
use crate::rack::{Rack, SubRacks};

/// The tiles given back by the exchange that keeps sub-rack `kept`.
pub fn exchanged(rack: &Rack, numbers: &SubRacks, kept: usize) -> Tiles {
    rack.minus(&numbers.get(kept)).unwrap_or_default().tiles().collect()
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
        let mut all = All(Vec::new());
        self.visit_plays(position, keeps, &mut all);
        self.each_without_play(position, keeps, |valued| all.0.push(valued));
        all.0.sort_unstable();
        all.0
    }

    /// Every exchange, and the pass.
    fn each_without_play(&self, position: &Position<'_>, keeps: &KeepValues, mut see: impl FnMut(ValuedMove)) {
        let numbers = &keeps.numbers;
        if position.bag >= self.setup.tileset.rules().exchange_minimum {
            for kept in 0..numbers.whole() {
                let given = exchanged(position.rack, numbers, kept);
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
        match (top, equal.map(|kept| exchanged(rack, numbers, kept)).min()) {
            (Some(equity), Some(tiles)) if equity >= pass.equity => ValuedMove { chosen: Move::Exchange(tiles), equity },
            _ => pass,
        }
    }
}
