//! The plays of one lane at a time, for searches that change a few lanes and come back to what they have seen.

use super::hand::Hand;
use super::lanes::Lanes;
use super::{KeepValues, Visitor, Wanted, by_graph, by_words};
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::layout::Direction;
use crate::moves::Play;
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::setup::{Setup, WordSearch};

/// Finds what racks can play in a lane.
///
/// One for each thread: what it finds depends on the rack, the lane and its cross sets alone.
#[derive(Clone, Debug)]
pub struct LaneGenerator<'a> {
    setup: &'a Setup,
    lanes: Lanes,
    queue: Vec<by_words::Queued>,
}

/// A rack as a [`LaneGenerator`] takes it.
#[derive(Clone, Debug)]
pub struct LaneHand {
    hand: Hand,
    keeps: KeepValues,
}

impl LaneHand {
    /// Of a rack that is not empty.
    pub fn new(setup: &Setup, rack: &Rack) -> LaneHand {
        let keeps = KeepValues { numbers: SubRacks::new(rack), values: [Equity::ZERO; MAX_SUB_RACKS] };
        let mut hand = Hand::default();
        let map = if let WordSearch::Map(map) = &setup.search { Some(&**map) } else { None };
        hand.fill(setup, map, &keeps);
        LaneHand { hand, keeps }
    }
}

impl<'a> LaneGenerator<'a> {
    /// For one tile set, board and lexicon.
    pub fn new(setup: &'a Setup) -> LaneGenerator<'a> {
        LaneGenerator { setup, lanes: Lanes::of_one(setup), queue: Vec::new() }
    }

    /// Fills in every legal play along a lane, each once, in no meaningful order. A single tile that makes words both ways is a
    /// play across.
    pub fn find(
        &mut self,
        LaneHand { hand, keeps }: &LaneHand,
        (direction, lane): (Direction, usize),
        (board, cross_sets): (&Board, &CrossSets),
        plays: &mut Vec<Play>,
    ) {
        plays.clear();
        let LaneGenerator { setup, lanes, queue } = self;
        lanes.set_only(setup, direction, lane, board, cross_sets);
        let mut visitor = Plays(plays);
        match &setup.search {
            WordSearch::Map(map) => by_words::Search { setup, map, lanes, hand }.visit_plays(queue, &mut visitor),
            WordSearch::Graph(graph) => by_graph::visit_plays(setup, graph, lanes, hand, keeps, &mut visitor),
        }
    }
}

struct Plays<'a>(&'a mut Vec<Play>);

impl Visitor for Plays<'_> {
    const WANTED: Wanted = Wanted::All;

    fn least(&self) -> Equity {
        Equity(i32::MIN)
    }

    fn visit(&mut self, _: Equity, play: impl FnOnce() -> Play) {
        self.0.push(play());
    }
}
