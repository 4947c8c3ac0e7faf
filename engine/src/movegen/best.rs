//! The best move under score plus the value of what stays on the rack.

use super::shadow::{Reach, Shadow};
use super::{Anchor, Found, ValuedMove, Visitor, Walk, anchors, exchanged};
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::moves::{Move, Play};
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::setup::Setup;

/// The best play so far. Plays of the same equity are ordered by themselves, so the order of the search does not matter;
/// only what is certainly worse is cut.
struct Best<'a> {
    keep_values: &'a [Equity],
    equity: Equity,
    play: Option<Play>,
    reach: Reach,
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

    #[inline]
    fn wants(&self, kept: usize) -> bool {
        self.reach[kept] >= self.equity
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
    let without_play = best_without_play(setup, rack, bag, numbers, keep_values);
    if rack.is_empty() {
        return without_play;
    }
    let shadow = Shadow::new(setup, board, cross_sets, rack, numbers, keep_values);
    let mut best = Best { keep_values, equity: without_play.equity, play: None, reach: [Equity::ZERO; MAX_SUB_RACKS] };
    let mut open: Vec<(Equity, Anchor)> = anchors(setup, board, cross_sets)
        .into_iter()
        .filter_map(|anchor| shadow.bound(anchor).map(|bound| (bound, anchor)))
        .collect();
    open.sort_unstable_by_key(|&(bound, _)| std::cmp::Reverse(bound));
    for (bound, anchor) in open {
        if bound < best.equity {
            break;
        }
        shadow.reach(anchor, best.equity, &mut best.reach);
        if best.wants(numbers.whole()) {
            Walk::new(setup, board, cross_sets, numbers, anchor, &mut best).run();
        }
    }
    match best.play {
        Some(play) => ValuedMove { chosen: Move::Play(play), equity: best.equity },
        None => without_play,
    }
}

/// The best exchange, or the pass where none is allowed or worth more.
fn best_without_play(setup: &Setup, rack: &Rack, bag: usize, numbers: &SubRacks, keep_values: &[Equity]) -> ValuedMove {
    let pass = ValuedMove { chosen: Move::Pass, equity: keep_values[numbers.whole()] };
    if bag < setup.tileset.rules().exchange_minimum {
        return pass;
    }
    // A rule set may let a player exchange with less than a rackful in the bag: then only as many as can be drawn.
    let possible = |&kept: &usize| rack.size() <= bag || rack.size() - numbers.get(kept).size() <= bag;
    let top = (0..numbers.whole()).filter(possible).map(|kept| keep_values[kept]).max();
    let equal = (0..numbers.whole()).filter(possible).filter(|&kept| Some(keep_values[kept]) == top);
    match (top, equal.map(|kept| exchanged(rack, numbers, kept)).min()) {
        (Some(equity), Some(tiles)) if equity >= pass.equity => ValuedMove { chosen: Move::Exchange(tiles), equity },
        _ => pass,
    }
}
