//! Move generation.
//!
//! A play lays tiles on an *extent*: the empty squares of a lane from a first one on (`lanes`). For each extent and each
//! sub-rack of its size (`hand`) the generator asks the word map which words those tiles spell with the tiles that the extent
//! plays through (`by_words`). Without a word map it walks the GADDAG from each anchor instead (`by_graph`), after Steven
//! Gordon, *A Faster Scrabble Move Generation Algorithm* (1994). Both find the same plays.
//!
//! What is found goes to a `Visitor`, which says what it still wants: extents and anchors are taken by falling upper bound,
//! and what cannot reach that is cut. So [`Generator::best_move`] lists nothing, and returns what [`Generator::all_moves`]
//! lists first.
//!
//! # Where the time goes
//!
//! Static self-play of a trained table on enable2k, one thread, in per cent of the whole; a turn takes about 32 µs, has 464
//! extents, of which 355 could hold something better than an exchange and 149 are searched, asks the filters 1,267 times, and
//! lays 4 words.
//!
//! | what | per cent |
//! | --- | --- |
//! | letters for blanks, the filter of placed letters, looking words up and laying them | 27 |
//! | bounds of extents, and sub-racks against the first filter | 26 |
//! | extents of the lanes that changed | 14 |
//! | sorting extents and sub-racks | 9 |
//! | sub-racks of the rack with their keys and tile values | 8 |
//! | cross sets and making the move | 4 |
//! | the best exchange | 4 |
//! | leave values | 3 |
//! | the rest | 5 |
//!
//! The filter of placed letters is 10 of the 27: it waits for memory.
//!
//! # Tried, and dropped
//!
//! Games per CPU-second, binaries in turn; `experiments/studies/04-word-map.md` has the runs.
//!
//! | kept | instead of |
//! | --- | --- |
//! | the word map: 1,332 | a walk through the GADDAG with the same bounds: 235 |
//! | extents that stay while their lane does: 1,355 | found anew every turn: 1,195 |
//! | a filter of letters at their places: 1,355 | without: 1,266 |
//! | filters of 8 bits a key: 1,370 | 4 bits: 1,290; 16 bits: 1,347 |
//! | extents searched one by one: 1,331 | four or sixteen at once, so that their look-ups wait together: 1,181, 1,195 |
//! | extents sorted, then searched | the most promising one searched first, so that fewer are sorted: no clear gain |
//! | cross sets by the word graph alone | a filter asked first: no clear gain |

use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::moves::{Move, Play};
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::setup::{Setup, WordSearch};

mod by_graph;
mod by_words;
mod hand;
mod lanes;
mod one_lane;
mod ranked;
pub mod reference;
mod site;
mod walk;

pub use one_lane::{LaneGenerator, LaneHand};

/// A position to be searched.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// The tiles on the board.
    pub board: &'a Board,
    /// Those of the board.
    pub cross_sets: &'a CrossSets,
    /// What the player to move holds.
    pub rack: &'a Rack,
    /// Tiles in the bag.
    pub bag: usize,
}

/// What keeping each sub-rack of a rack is worth.
#[derive(Clone, Debug)]
pub struct KeepValues {
    /// The numbers of the sub-racks.
    pub numbers: SubRacks,
    /// By number; the last is the whole rack, that is, passing.
    pub values: [Equity; MAX_SUB_RACKS],
}

/// Which plays a `Visitor` is after; it changes the order of the search, nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// The best one or few.
    Best,
    /// All of them.
    All,
}

/// Takes plays as they are found; the order is not meaningful.
trait Visitor {
    /// Which plays it is after.
    const WANTED: Wanted = Wanted::Best;

    /// Plays worth less than this need not be found. It may rise while plays are visited.
    fn least(&self) -> Equity;

    /// A legal play, met once, and what it is worth. May also be called with plays below the least.
    fn visit(&mut self, equity: Equity, play: impl FnOnce() -> Play);
}

/// Finds the moves of one position after another; keeps what it knows of the lanes that stay as they are.
///
/// One for each thread: what it returns depends on the position alone.
#[derive(Clone, Debug)]
pub struct Generator<'a> {
    setup: &'a Setup,
    lanes: lanes::Lanes,
    hand: hand::Hand,
    queue: Vec<by_words::Queued>,
}

impl<'a> Generator<'a> {
    /// A generator for one tile set, board and lexicon.
    pub fn new(setup: &'a Setup) -> Generator<'a> {
        Generator { setup, lanes: lanes::Lanes::new(setup), hand: hand::Hand::default(), queue: Vec::new() }
    }

    /// What it generates for.
    pub fn setup(&self) -> &'a Setup {
        self.setup
    }

    /// Visits every legal play that the visitor wants, each once.
    fn visit_plays<V: Visitor>(&mut self, position: &Position<'_>, keeps: &KeepValues, visitor: &mut V) {
        if position.rack.is_empty() {
            return;
        }
        let Generator { setup, lanes, hand, queue } = self;
        lanes.update(setup, position.board, position.cross_sets);
        match &setup.search {
            WordSearch::Map(map) => {
                hand.fill(setup, Some(map), keeps);
                by_words::Search { setup, map, lanes, hand }.visit_plays(queue, visitor);
            }
            WordSearch::Graph(graph) => {
                hand.fill(setup, None, keeps);
                by_graph::visit_plays(setup, graph, lanes, hand, keeps, visitor);
            }
        }
    }
}

/// A move with what it is worth under an evaluator. The better move comes first; among equals the order of moves decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValuedMove {
    /// The move.
    pub chosen: Move,
    /// Score plus the value of what it keeps; [`Equity::PASS`] for a pass that is only the last resort.
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
    /// The equity as people and records should have it: a pass of last resort gains nothing, so it is worth 0.
    pub fn told_equity(&self) -> Equity {
        if self.chosen == Move::Pass && self.equity == Equity::PASS { Equity::ZERO } else { self.equity }
    }
}
