//! The states of the lanes of a board on which plays are tried.
//!
//! Plays that are tried one after the other often bring a lane into the same state: all that lay the same tile on a square of it and
//! leave its cross words as they are. What is known of a state, such as its extents, is found once.

use super::by_graph;
use super::by_words::{QueueEntry, Search};
use super::lanes::{Extent, Lane};
use super::one_lane::LaneRack;
use super::visitor::Visitor;
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::layout::Direction;
use crate::moves::Play;
use crate::rack::Rack;
use crate::setup::{Setup, WordSearch};
use crate::tileset::Tile;

/// Room for this many extents is made at first.
const USUAL_EXTENTS: usize = 32;

/// The states that the lanes of a board are in before a play, and those that plays bring them into. Equal states of a lane have the same
/// number.
#[derive(Clone, Debug)]
pub(crate) struct LaneStates<'a> {
    setup: &'a Setup,
    /// Those of the board first: the rows, then the columns.
    states: Vec<State>,
    /// Whether extents are kept; a search for plays needs them again.
    keeps_extents: bool,
    /// Where extents are found that are not kept.
    scratch: Lane,
}

/// A lane that a play changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChangedLane {
    pub lane: (Direction, usize),
    /// The number of its state after the play.
    pub state: usize,
}

#[derive(Clone, Debug)]
struct State {
    lane: Lane,
    has_extents: bool,
    /// The number of the next state of the same lane; 0 for the last one.
    next: usize,
}

impl<'a> LaneStates<'a> {
    /// The states of the lanes of a board. If plays will be searched for, it is faster to keep extents.
    pub(crate) fn new(setup: &'a Setup, board: &Board, cross_sets: &CrossSets, keeps_extents: bool) -> LaneStates<'a> {
        let lanes = lanes_of(board.side());
        let state = |lane| State { lane: Lane::of_board(lane, board, cross_sets), has_extents: false, next: 0 };
        let scratch = Lane::of_board((Direction::Across, 0), board, cross_sets);
        LaneStates { setup, states: lanes.map(state).collect(), keeps_extents, scratch }
    }

    /// The lanes of the board: the rows, then the columns.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = (Direction, usize)> + Clone + use<> {
        lanes_of(self.setup.layout.side())
    }

    /// The number of the state of a lane before any play.
    pub(crate) fn before(&self, (direction, index): (Direction, usize)) -> usize {
        direction as usize * self.setup.layout.side() + index
    }

    /// The number of the state that a lane has on a board.
    pub(crate) fn number(&mut self, lane: (Direction, usize), board: &Board, cross_sets: &CrossSets) -> usize {
        let mut number = self.before(lane);
        loop {
            let State { lane, next, .. } = &self.states[number];
            if lane.is_as_on(board, cross_sets) {
                return number;
            }
            if *next == 0 {
                break;
            }
            number = *next;
        }
        let new = self.states.len();
        self.states[number].next = new;
        let lane = Lane::of_board(lane, board, cross_sets);
        self.states.push(State { lane, has_extents: false, next: 0 });
        new
    }

    /// The extents and the squares of a lane in a state.
    pub(crate) fn state(&mut self, number: usize) -> (&[Extent], &[Option<Tile>]) {
        let lane = if self.keeps_extents { self.lane(number) } else { self.scratch(number) };
        (&lane.extents, lane.cells())
    }

    fn lane(&mut self, number: usize) -> &Lane {
        let State { lane, has_extents, .. } = &mut self.states[number];
        if !*has_extents {
            lane.extents.reserve(USUAL_EXTENTS);
            lane.find_extents(self.setup);
            *has_extents = true;
        }
        lane
    }

    fn scratch(&mut self, number: usize) -> &Lane {
        let LaneStates { setup, states, scratch, .. } = self;
        scratch.copy_state(&states[number].lane);
        scratch.find_extents(setup);
        scratch
    }
}

fn lanes_of(side: usize) -> impl Iterator<Item = (Direction, usize)> + Clone {
    Direction::BOTH.into_iter().flat_map(move |direction| (0..side).map(move |index| (direction, index)))
}

/// A search for the highest scores of a rack in states of lanes.
#[derive(Debug)]
pub(crate) struct HighestScores {
    rack: LaneRack,
    queue: Vec<QueueEntry>,
}

/// The lanes with the highest scores so far, the best first, each with the score of its best play.
struct BestLanes {
    most: usize,
    /// Lower scores do not count.
    least: Equity,
    lanes: Vec<(Equity, (Direction, usize))>,
}

impl Visitor for BestLanes {
    fn threshold(&self) -> Equity {
        if self.lanes.len() == self.most { self.lanes[self.most - 1].0 } else { self.least }
    }

    fn visit(&mut self, score: Equity, play: impl FnOnce() -> Play) {
        if score < self.least || self.lanes.len() == self.most && score <= self.threshold() {
            return;
        }
        let Play { direction, start, .. } = play();
        let lane = (direction, start.lane(direction).0);
        match self.lanes.iter().position(|&(_, known)| known == lane) {
            Some(place) if self.lanes[place].0 >= score => return,
            Some(place) => drop(self.lanes.remove(place)),
            None => self.lanes.truncate(self.most - 1),
        }
        let place = self.lanes.partition_point(|&(better, _)| better >= score);
        self.lanes.insert(place, (score, lane));
    }
}

impl HighestScores {
    /// Prepares a rack that is not empty.
    pub(crate) fn new(setup: &Setup, rack: &Rack) -> HighestScores {
        HighestScores { rack: LaneRack::new(setup, rack), queue: Vec::new() }
    }

    /// The lanes with the best plays in some states, at most `most` of them and at least one, the best first, each with its highest score
    /// in points. Lanes whose plays all score less than `least` are left out.
    pub(crate) fn find(
        &mut self,
        states: &mut LaneStates<'_>,
        numbers: &[usize],
        most: usize,
        least: i32,
    ) -> impl Iterator<Item = (i32, (Direction, usize))> + use<> {
        for &number in numbers {
            states.lane(number);
        }
        let lanes: Vec<&Lane> = numbers.iter().map(|&number| &states.states[number].lane).collect();
        let mut best = BestLanes { most, least: Equity::from_points(least), lanes: Vec::with_capacity(most) };
        let HighestScores { rack: LaneRack { rack, leaves }, queue } = self;
        let setup = states.setup;
        match &setup.search {
            WordSearch::Map(map) => Search { setup, map, lanes: &lanes, rack }.visit_plays(queue, &mut best),
            WordSearch::Graph(graph) => by_graph::visit_plays(setup, graph, &lanes, rack, leaves, &mut best),
        }
        best.lanes.into_iter().map(|(score, lane)| (score.points() as i32, lane))
    }
}
