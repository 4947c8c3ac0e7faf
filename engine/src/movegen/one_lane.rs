//! Move generation for one lane at a time, for searches that cache the plays of each lane.

use super::lanes::Lane;
use super::queue::Queue;
use super::search_rack::SearchRack;
use super::spelling::Spelling;
use super::visitor::{Each, LeaveValues};
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
pub(crate) struct LaneGenerator<'a> {
    setup: &'a Setup,
    lane: Lane,
    queue: Queue,
    spelling: Spelling,
}

/// A rack prepared for a search of lanes whose plays are worth their scores.
#[derive(Clone, Debug)]
pub(crate) struct LaneRack {
    pub(super) rack: SearchRack,
    pub(super) leaves: LeaveValues,
    tiles: usize,
}

impl LaneRack {
    /// Prepares a rack that is not empty.
    pub(crate) fn new(setup: &Setup, rack: &Rack) -> LaneRack {
        let leaves = LeaveValues { sub_racks: SubRacks::new(rack), values: [Equity::ZERO; MAX_SUB_RACKS] };
        let mut search_rack = SearchRack::default();
        search_rack.fill(setup, &leaves);
        LaneRack { rack: search_rack, leaves, tiles: rack.size() }
    }
}

impl<'a> LaneGenerator<'a> {
    /// Creates a generator for a setup.
    pub(crate) fn new(setup: &'a Setup) -> LaneGenerator<'a> {
        let side = setup.layout.side();
        let (board, cross_sets) = (Board::new(side), CrossSets::new(side, &setup.tileset));
        LaneGenerator {
            setup,
            lane: Lane::of_board((Direction::Across, 0), &board, &cross_sets),
            queue: Queue::default(),
            spelling: Spelling::default(),
        }
    }

    /// Fills `plays` with every legal play along a lane that covers an anchor among some squares, as bits of their offsets, each once, in
    /// no particular order. A play of one tile that forms words in both directions is found across only.
    pub(crate) fn find(
        &mut self,
        LaneRack { rack, leaves, tiles }: &LaneRack,
        lane: (Direction, usize),
        squares: u32,
        (board, cross_sets): (&Board, &CrossSets),
        plays: &mut Vec<Play>,
    ) {
        plays.clear();
        self.lane.set(lane, board, cross_sets);
        let LaneGenerator { setup, lane, queue, spelling } = self;
        let mut visitor = Each(|_, play| plays.push(play));
        match &setup.search {
            WordSearch::Map(map) => {
                lane.find_extents_at(setup, *tiles, squares);
                spelling.begin();
                let lanes = std::slice::from_ref(&*lane);
                by_words::Search { setup, map, lanes, rack }.visit_plays(queue, spelling, &mut visitor);
            }
            WordSearch::Graph(graph) => {
                lane.find_anchors_at(setup, squares);
                by_graph::visit_all(setup, graph, lane, leaves, &mut visitor);
            }
        }
    }
}
