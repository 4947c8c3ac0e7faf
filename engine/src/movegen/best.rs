//! The best move under score plus the value of what stays on the rack.

use super::{Found, ValuedMove, Visitor, exchanged, visit_plays};
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::moves::{Move, Play};
use crate::rack::{Rack, SubRacks};
use crate::setup::Setup;

struct Best<'a> {
    keep_values: &'a [Equity],
    equity: Equity,
    play: Option<Play>,
}

impl Visitor for Best<'_> {
    #[inline]
    fn visit(&mut self, found: &Found<'_>) {
        let equity = Equity::from_points(found.score) + self.keep_values[found.kept];
        if equity < self.equity {
            return;
        }
        let play = found.play();
        if equity > self.equity || self.play.is_none_or(|best| play < best) {
            self.equity = equity;
            self.play = Some(play);
        }
    }
}

/// The move that [`super::all_moves`] lists first, without listing the others.
pub fn best_move(
    setup: &Setup,
    board: &Board,
    cross_sets: &CrossSets,
    rack: &Rack,
    bag: usize,
    numbers: &SubRacks,
    keep_values: &[Equity],
) -> ValuedMove {
    let mut best = Best { keep_values, equity: Equity(i32::MIN), play: None };
    visit_plays(setup, board, cross_sets, rack, numbers, &mut best);
    let mut chosen = ValuedMove { chosen: Move::Pass, equity: keep_values[numbers.whole()] };
    if bag >= setup.tileset.rules().exchange_minimum {
        let top = keep_values[..numbers.whole()].iter().copied().max();
        let equal = (0..numbers.whole()).filter(|&kept| Some(keep_values[kept]) == top);
        if let (Some(equity), Some(tiles)) = (top, equal.map(|kept| exchanged(rack, numbers, kept)).min())
            && equity >= chosen.equity
        {
            chosen = ValuedMove { chosen: Move::Exchange(tiles), equity };
        }
    }
    match best.play {
        Some(play) if best.equity >= chosen.equity => ValuedMove { chosen: Move::Play(play), equity: best.equity },
        _ => chosen,
    }
}
