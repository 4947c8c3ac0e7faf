//! Move generation over the GADDAG.
//!
//! Every play covers an anchor (an empty square beside a tile; the start square of an empty board). From each anchor the
//! generator walks left and then right through the GADDAG (`walk`), keeping the score and the number of the tiles left on
//! the rack as it goes; what it finds goes to a [`Visitor`], so that nothing is stored that nobody wants. After Steven
//! Gordon, *A Faster Scrabble Move Generation Algorithm* (1994).
//!
//! [`best_move`] visits the anchors by falling upper bound (`shadow`) and cuts what cannot win; it returns what
//! [`all_moves`] lists first.

use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::layout::{Direction, MAX_SIDE, Square};
use crate::moves::{Move, Play, Tiles};
use crate::rack::SubRacks;
use crate::setup::Setup;
use crate::tileset::Tile;

mod all;
mod best;
pub mod reference;
mod shadow;
mod walk;

pub use all::{all_moves, exchanged};
pub use best::best_move;
use walk::Walk;

/// A play as the generator meets it.
pub struct Found<'a> {
    direction: Direction,
    lane: usize,
    start: usize,
    end: usize,
    strip: &'a [Tile; MAX_SIDE],
    /// Points, bonus included.
    pub score: i32,
    /// The number of the sub-rack that stays.
    pub kept: usize,
}

impl Found<'_> {
    /// The play itself.
    pub fn play(&self) -> Play {
        let laid = self.strip[self.start..=self.end].iter().copied().filter(|&tile| tile != NOTHING);
        Play {
            direction: self.direction,
            start: Square::in_lane(self.direction, self.lane, self.start),
            tiles: laid.collect::<Tiles>(),
            score: self.score,
        }
    }
}

/// Takes each play as it is found; the order is not meaningful.
pub trait Visitor {
    /// One legal play, met once.
    fn visit(&mut self, found: &Found<'_>);

    /// Whether any play that keeps sub-rack `kept` or less of it is still wanted.
    #[inline]
    fn wants(&self, _kept: usize) -> bool {
        true
    }
}

/// On the strip of tiles laid: nothing here. No tile that is laid is an undesignated blank.
const NOTHING: Tile = Tile::BLANK;

/// Where plays along a lane begin their search.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    direction: Direction,
    lane: usize,
    offset: usize,
    /// Squares before this one belong to the anchor before.
    left_limit: usize,
}

/// Every anchor in both directions.
fn anchors(setup: &Setup, board: &Board, cross_sets: &CrossSets) -> Vec<Anchor> {
    if board.is_empty() {
        let at_start = |direction| {
            let (lane, offset) = setup.layout.start().lane(direction);
            Anchor { direction, lane, offset, left_limit: 0 }
        };
        return Direction::BOTH.map(at_start).to_vec();
    }
    let mut anchors = Vec::with_capacity(128);
    for direction in Direction::BOTH {
        for lane in 0..board.side() {
            let cells = board.lane(direction, lane);
            let crosses = cross_sets.lane(direction, lane);
            let taken = |offset: usize| cells.get(offset).is_some_and(Option::is_some);
            let mut left_limit = 0;
            for (offset, cross) in crosses.iter().enumerate() {
                let beside = cross.joined || taken(offset + 1) || (offset > 0 && taken(offset - 1));
                if beside && !taken(offset) {
                    anchors.push(Anchor { direction, lane, offset, left_limit });
                    left_limit = offset + 1;
                }
            }
        }
    }
    anchors
}

/// Visits every legal play of the rack whose sub-racks are `numbers`, each once.
pub fn visit_plays<V: Visitor>(setup: &Setup, board: &Board, cross_sets: &CrossSets, numbers: &SubRacks, visitor: &mut V) {
    for anchor in anchors(setup, board, cross_sets) {
        Walk::new(setup, board, cross_sets, numbers, anchor, visitor).run();
    }
}

/// A move with what it is worth under an evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValuedMove {
    /// The move.
    pub chosen: Move,
    /// Score plus the value of what it keeps; [`Equity::PASS`] for a pass that is only the last resort.
    pub equity: Equity,
}

impl ValuedMove {
    /// The equity as people and records should have it: a pass of last resort gains nothing, so it is worth 0.
    pub fn told_equity(&self) -> Equity {
        if self.chosen == Move::Pass && self.equity == Equity::PASS { Equity::ZERO } else { self.equity }
    }
}
