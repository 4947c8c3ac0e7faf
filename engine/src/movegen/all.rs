//! Every legal move.

use super::{Found, ValuedMove, Visitor, visit_plays};
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::moves::{Move, Tiles};
use crate::rack::{Rack, SubRacks};
use crate::setup::Setup;

/// The tiles given back by the exchange that keeps sub-rack `kept`.
pub fn exchanged(rack: &Rack, numbers: &SubRacks, kept: usize) -> Tiles {
    rack.minus(&numbers.get(kept)).unwrap_or_default().tiles().collect()
}

struct Collect<'a> {
    keep_values: &'a [Equity],
    moves: Vec<ValuedMove>,
}

impl Visitor for Collect<'_> {
    fn visit(&mut self, found: &Found<'_>) {
        let equity = Equity::from_points(found.score) + self.keep_values[found.kept];
        self.moves.push(ValuedMove { chosen: Move::Play(found.play()), equity });
    }
}

/// Every legal move, the best first: plays, exchanges if the bag allows them, and the pass.
///
/// `keep_values[n]` is what keeping sub-rack `n` is worth.
pub fn all_moves(
    setup: &Setup,
    board: &Board,
    cross_sets: &CrossSets,
    rack: &Rack,
    bag: usize,
    numbers: &SubRacks,
    keep_values: &[Equity],
) -> Vec<ValuedMove> {
    let mut collect = Collect { keep_values, moves: Vec::new() };
    visit_plays(setup, board, cross_sets, numbers, &mut collect);
    let mut moves = collect.moves;
    if bag >= setup.tileset.rules().exchange_minimum {
        let exchanges = (0..numbers.whole()).map(|kept| (exchanged(rack, numbers, kept), keep_values[kept]));
        let possible = exchanges.filter(|(given, _)| given.len() <= bag);
        moves.extend(possible.map(|(given, equity)| ValuedMove { chosen: Move::Exchange(given), equity }));
    }
    moves.push(ValuedMove { chosen: Move::Pass, equity: keep_values[numbers.whole()] });
    moves.sort_unstable_by(|a, b| b.equity.cmp(&a.equity).then(a.chosen.cmp(&b.chosen)));
    moves
}
