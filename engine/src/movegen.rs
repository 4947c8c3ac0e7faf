//! Move generation.
//!
//! A play lays its tiles on an *extent*: a number of consecutive empty squares of a lane (`lanes`). For each extent and each
//! selection of as many tiles from the rack (`search_rack`), the generator looks up in the word map the words that these
//! tiles spell together with the tiles that the extent plays through (`by_words`). Without a word map it searches the GADDAG
//! from each anchor instead (`by_graph`), after Steven Gordon, *A Faster Scrabble Move Generation Algorithm* (1994). Both
//! find the same plays.
//!
//! The generator passes each play to a `Visitor`, which sets a threshold of equity. Extents and anchors are searched in the
//! order of their upper bounds, and those whose bound is below the threshold are skipped. [`Generator::best_move`] therefore
//! lists no moves, and returns the first move of [`Generator::all_moves`].
//!
//! # Where the time goes
//!
//! The share of the time of static self-play with a trained table on enable2k, on one thread. A turn takes about 32 µs and
//! has 464 extents, of which 355 have a bound above the best exchange and 149 are searched. It queries the filters 1,267
//! times and places 4 words.
//!
//! | step | per cent |
//! | --- | --- |
//! | letters for blanks, the filter of placed letters, looking up words and placing them | 27 |
//! | bounds of extents, and selections against the first filter | 26 |
//! | extents of the lanes that changed | 14 |
//! | sorting extents and selections | 9 |
//! | selections from the rack with their keys and tile values | 8 |
//! | cross sets and making the move | 4 |
//! | the best exchange | 4 |
//! | leave values | 3 |
//! | the rest | 5 |
//!
//! The filter of placed letters takes 10 of the 27 per cent: it waits for memory.
//!
//! Alternatives that were tried and dropped, with figures: `experiments/studies/04-word-map.md` and `26-search.md`.

use std::borrow::Borrow;

use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::moves::Move;
use crate::setup::{Setup, WordSearch};
use crate::turn::Turn;

mod visitor;
mod lanes;
mod search_rack;
mod walk;
mod by_graph;
mod site;
mod queue;
mod by_words;
mod ranked;
mod lane_states;
mod on_many_boards;
#[cfg(test)]
#[path = "../tests/it/movegen/reference.rs"]
pub(crate) mod reference;

pub(crate) use lane_states::{ChangedLane, HighestScores, LaneGenerator, LaneRack, LaneStates};
pub(crate) use lanes::ALL_SQUARES;
pub(crate) use lanes::{Extent, all_lanes};
pub(crate) use on_many_boards::{BoardLanes, ManyBoards};
pub use visitor::LeaveValues;

use lanes::Lane;
use queue::Queue;
use search_rack::{SearchRack, Spelling};
use visitor::Visitor;

/// A move generator. It caches the extents of lanes, which makes turns of one game fast.
///
/// Each thread needs its own. The result depends on the turn only, not on earlier calls.
///
/// The leave values must be for the turn's rack, and the turn must have the generator's setup. Debug builds check the rack.
#[derive(Clone, Debug)]
pub struct Generator<'a> {
    setup: &'a Setup,
    /// The rows, then the columns.
    lanes: Vec<Lane>,
    rack: SearchRack,
    queue: Queue,
    spelling: Spelling,
}

impl<'a> Generator<'a> {
    /// Creates a generator for a setup.
    pub fn new(setup: &'a Setup) -> Generator<'a> {
        let side = setup.layout.side();
        let (board, cross_sets) = (Board::new(side), CrossSets::new(side, &setup.tileset));
        let mut lanes: Vec<Lane> = all_lanes(side).map(|lane| Lane::of_board(lane, &board, &cross_sets)).collect();
        for lane in &mut lanes {
            lane.find_extents(setup);
        }
        let (rack, queue, spelling) = Default::default();
        Generator { setup, lanes, rack, queue, spelling }
    }

    /// Returns the setup.
    pub fn setup(&self) -> &'a Setup {
        self.setup
    }

    /// Visits every legal play whose equity is not below the threshold, each once.
    fn visit_plays<V: Visitor>(&mut self, turn: &Turn<'_>, leaves: &LeaveValues, visitor: &mut V) {
        debug_assert!(leaves.sub_racks.get(leaves.sub_racks.whole()) == turn.rack, "the leave values are for another rack");
        if turn.rack.is_empty() {
            return;
        }
        let Generator { setup, lanes, rack, queue, spelling } = self;
        for lane in lanes.iter_mut().filter(|lane| !lane.is_as_on(turn.board, turn.cross_sets)) {
            lane.set((lane.direction, lane.index), turn.board, turn.cross_sets);
            lane.find_extents(setup);
        }
        rack.fill(setup, leaves);
        spelling.begin();
        visit_plays(setup, lanes, (rack, leaves), (queue, spelling), visitor);
    }
}

/// Visits every play on some lanes whose equity is not below the threshold. `queue` is scratch memory. `spelling` must have
/// begun with the rack.
fn visit_plays<L: Borrow<Lane>, V: Visitor>(
    setup: &Setup,
    lanes: &[L],
    (rack, leaves): (&SearchRack, &LeaveValues),
    (queue, spelling): (&mut Queue, &mut Spelling),
    visitor: &mut V,
) {
    match &setup.search {
        WordSearch::Map(map) => by_words::Search { setup, map, lanes, rack }.visit_plays(queue, spelling, visitor),
        WordSearch::Graph(graph) => by_graph::visit_plays(setup, graph, lanes, rack, leaves, visitor),
    }
}

/// A move and its equity. Higher equities come first in the order. The order of moves breaks ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValuedMove {
    /// The move.
    pub chosen: Move,
    /// The score plus the value of the leave, or [`Equity::PASS`] for a pass while there are tiles in the bag.
    pub equity: Equity,
}

impl Ord for ValuedMove {
    fn cmp(&self, other: &ValuedMove) -> std::cmp::Ordering {
        other.equity.cmp(&self.equity).then_with(|| self.chosen.cmp(&other.chosen))
    }
}

impl PartialOrd for ValuedMove {
    fn partial_cmp(&self, other: &ValuedMove) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl ValuedMove {
    /// Returns the equity for sums, means and reports, where a pass is worth 0 instead of [`Equity::PASS`].
    pub fn reported_equity(&self) -> Equity {
        if self.chosen == Move::Pass && self.equity == Equity::PASS { Equity::ZERO } else { self.equity }
    }
}
