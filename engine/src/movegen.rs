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
//! has 464 extents, of which 355 have a bound above the best exchange and 149 are searched; it queries the filters 1,267
//! times and places 4 words.
//!
//! | what | per cent |
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
//! # Alternatives that were tried and dropped
//!
//! The figures are games per CPU-second, binaries in turn; `experiments/studies/04-word-map.md` has the runs.
//!
//! | used | dropped |
//! | --- | --- |
//! | the word map: 1,332 | a search of the GADDAG with the same bounds: 235 |
//! | extents cached until their lane changes: 1,355 | computed every turn: 1,195 |
//! | a filter of letters at their places: 1,355 | without it: 1,266 |
//! | filters of 8 bits per key: 1,370 | 4 bits: 1,290; 16 bits: 1,347 |
//! | extents searched one by one: 1,331 | four or sixteen together, so that their look-ups overlap: 1,181, 1,195 |
//! | extents sorted, then searched | the best extent searched first, so that fewer are sorted: no clear gain |
//! | cross sets from the word graph only | a filter queried first: no clear gain |
//! | extents sorted into buckets: 985 | sorted exactly: 893 |
//! | the filter's answers kept for a rack, by the letters played through: 945 | the words kept: 875 |
//!
//! Playouts meet the same racks on boards that differ in few lanes (`on_many_boards`). The figures are two-ply playouts per CPU-second
//! from the opening rack and on the crowded board of the benches; `experiments/studies/26-search.md` has the runs.
//!
//! | used | dropped |
//! | --- | --- |
//! | lane states that boards share: 28,000, 20,000 | a generator for each candidate and ply: 17,300, 11,500 |
//! | states forgotten after each deal | kept for 600 deals: the same; for 3,000 deals: slower |

use serde::{Deserialize, Serialize};

use crate::equity::Equity;
use crate::moves::Move;
use crate::setup::{Setup, WordSearch};
use crate::turn::Turn;

mod visitor;
mod lanes;
mod search_rack;
mod spelling;
mod walk;
mod by_graph;
mod site;
mod queue;
mod by_words;
mod ranked;
mod one_lane;
mod lane_states;
mod on_many_boards;
pub mod reference;

pub(crate) use lane_states::{ChangedLane, HighestScores, LaneStates, all_lanes};
pub use lanes::ALL_SQUARES;
pub(crate) use lanes::Extent;
pub(crate) use on_many_boards::{BoardLanes, ManyBoards};
pub use one_lane::{LaneGenerator, LaneRack};
pub use visitor::LeaveValues;

use visitor::Visitor;

/// A move generator. It caches the extents of lanes, which makes turns of one game fast.
///
/// Each thread needs its own. The result depends on the turn only, not on earlier calls.
///
/// The leave values must be for the turn's rack, and the turn must have the generator's setup; debug builds check the rack.
#[derive(Clone, Debug)]
pub struct Generator<'a> {
    setup: &'a Setup,
    lanes: lanes::Lanes,
    rack: search_rack::SearchRack,
    queue: queue::Queue,
    spelling: spelling::Spelling,
}

impl<'a> Generator<'a> {
    /// Creates a generator for a setup.
    pub fn new(setup: &'a Setup) -> Generator<'a> {
        let (lanes, rack) = (lanes::Lanes::new(setup), search_rack::SearchRack::default());
        Generator { setup, lanes, rack, queue: queue::Queue::default(), spelling: spelling::Spelling::default() }
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
        lanes.update(setup, turn.board, turn.cross_sets);
        match &setup.search {
            WordSearch::Map(map) => {
                rack.fill(setup, Some(map), leaves);
                spelling.begin();
                by_words::Search { setup, map, lanes: lanes.all(), rack }.visit_plays(queue, spelling, visitor);
            }
            WordSearch::Graph(graph) => {
                rack.fill(setup, None, leaves);
                by_graph::visit_plays(setup, graph, lanes.all(), rack, leaves, visitor);
            }
        }
    }
}

/// A move and its equity. Higher equities come first in the order; the order of moves breaks ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValuedMove {
    /// The move.
    pub chosen: Move,
    /// The score plus the value of the leave; [`Equity::PASS`] for a pass while there are tiles in the bag.
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
    /// Returns the equity for reports and records, where a pass is worth 0 instead of [`Equity::PASS`].
    pub fn reported_equity(&self) -> Equity {
        if self.chosen == Move::Pass && self.equity == Equity::PASS { Equity::ZERO } else { self.equity }
    }
}
