//! Move generation for one lane at a time, for searches that cache the plays of each lane.

use super::lanes::{Extent, Lanes};
use super::search_rack::SearchRack;
use super::visitor::{Goal, LeaveValues, Visitor};
use super::{by_graph, by_words};
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::layout::Direction;
use crate::moves::Play;
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::setup::{Setup, WordSearch};

/// A generator of the plays in a lane.
///
/// Each thread needs its own. The result depends on the rack, the lane and its cross sets only.
#[derive(Clone, Debug)]
pub struct LaneGenerator<'a> {
    setup: &'a Setup,
    lanes: Lanes,
    queue: Vec<by_words::QueueEntry>,
}

/// A rack prepared for a [`LaneGenerator`].
#[derive(Clone, Debug)]
pub struct LaneRack {
    rack: SearchRack,
    leaves: LeaveValues,
}

impl LaneRack {
    /// Prepares a rack that is not empty.
    pub fn new(setup: &Setup, rack: &Rack) -> LaneRack {
        let leaves = LeaveValues { sub_racks: SubRacks::new(rack), values: [Equity::ZERO; MAX_SUB_RACKS] };
        let mut search_rack = SearchRack::default();
        let map = if let WordSearch::Map(map) = &setup.search { Some(&**map) } else { None };
        search_rack.fill(setup, map, &leaves);
        LaneRack { rack: search_rack, leaves }
    }
}

impl<'a> LaneGenerator<'a> {
    /// Creates a generator for a setup.
    pub fn new(setup: &'a Setup) -> LaneGenerator<'a> {
        LaneGenerator { setup, lanes: Lanes::single(setup), queue: Vec::new() }
    }

    /// Fills `plays` with every legal play along a lane, each once, in no particular order. A play of one tile that forms
    /// words in both directions is found across only.
    pub fn find(
        &mut self,
        LaneRack { rack, leaves }: &LaneRack,
        (direction, lane): (Direction, usize),
        (board, cross_sets): (&Board, &CrossSets),
        plays: &mut Vec<Play>,
    ) {
        plays.clear();
        let LaneGenerator { setup, lanes, queue } = self;
        lanes.set_single(setup, direction, lane, board, cross_sets);
        let mut visitor = Plays(plays);
        match &setup.search {
            WordSearch::Map(map) => by_words::Search { setup, map, lanes, rack }.visit_plays(queue, &mut visitor),
            WordSearch::Graph(graph) => by_graph::visit_plays(setup, graph, lanes, rack, leaves, &mut visitor),
        }
    }
}

/// Finds the extents of a lane at a time.
#[derive(Clone, Debug)]
pub(crate) struct LaneExtents {
    lanes: Lanes,
}

impl LaneExtents {
    pub(crate) fn new(setup: &Setup) -> LaneExtents {
        LaneExtents { lanes: Lanes::single(setup) }
    }

    /// The extents of a lane of a board.
    pub(crate) fn find(
        &mut self,
        setup: &Setup,
        direction: Direction,
        lane: usize,
        board: &Board,
        cross_sets: &CrossSets,
    ) -> &[Extent] {
        self.lanes.set_single(setup, direction, lane, board, cross_sets);
        &self.lanes.get(0).extents
    }
}

struct Plays<'a>(&'a mut Vec<Play>);

impl Visitor for Plays<'_> {
    const GOAL: Goal = Goal::All;

    fn threshold(&self) -> Equity {
        Equity(i32::MIN)
    }

    fn visit(&mut self, _: Equity, play: impl FnOnce() -> Play) {
        self.0.push(play());
    }
}
