//! The states of the lanes of a board on which plays are tried.
//!
//! Plays that are tried one after the other often bring a lane into the same state. They lay the same tile on a square of it
//! and do not change its cross words. The properties of a state, such as its extents, are found once.
//!
//! Move generation for one lane at a time, for searches that cache the plays of each lane.

use super::lanes::{Extent, Lane, all_lanes};
use super::queue::Queue;
use super::search_rack::{SearchRack, Spelling};
use super::visitor::{Each, LeaveValues, Visitor};
use super::{by_graph, by_words, visit_plays};
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::layout::Direction;
use crate::moves::Play;
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::setup::{Setup, WordSearch};
use crate::tileset::Tile;

/// Room for this many extents is made at first.
const USUAL_EXTENTS: usize = 32;

/// The states that the lanes of a board are in before a play, and those that plays bring them into. Equal states of a lane have the same
/// number.
#[derive(Clone, Debug)]
pub(crate) struct LaneStates<'a> {
    setup: &'a Setup,
    /// The states of the board first: the rows, then the columns. States beyond the entries are spare.
    states: Vec<State>,
    entries: Vec<Entry>,
    /// Whether extents are kept, because a search for plays needs them again.
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
}

/// The entry that finds a state. By themselves, the entries of a lane fit a cache of the processor.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// A hash of the squares and cross sets.
    hash: u64,
    /// The number of the next state of the same lane, or 0 for the last one.
    next: usize,
}

impl<'a> LaneStates<'a> {
    /// The states of the lanes of a board. If plays will be searched for, it is faster to keep extents.
    pub(crate) fn new(setup: &'a Setup, board: &Board, cross_sets: &CrossSets, keeps_extents: bool) -> LaneStates<'a> {
        let lanes = all_lanes(board.side());
        let state = |lane| State { lane: Lane::of_board(lane, board, cross_sets), has_extents: false };
        let entry = |lane| Entry { hash: hash(lane, board, cross_sets), next: 0 };
        let scratch = Lane::of_board((Direction::Across, 0), board, cross_sets);
        let (states, entries) = (lanes.clone().map(state).collect(), lanes.map(entry).collect());
        LaneStates { setup, states, entries, keeps_extents, scratch }
    }

    pub(crate) fn lanes(&self) -> impl Iterator<Item = (Direction, usize)> + Clone + use<> {
        all_lanes(self.setup.layout.side())
    }

    /// The number of the state of a lane before any play.
    pub(crate) fn before(&self, (direction, index): (Direction, usize)) -> usize {
        direction as usize * self.setup.layout.side() + index
    }

    /// The number of the state that a lane has on a board.
    pub(crate) fn number(&mut self, lane: (Direction, usize), board: &Board, cross_sets: &CrossSets) -> usize {
        let wanted = hash(lane, board, cross_sets);
        let mut number = self.before(lane);
        loop {
            let Entry { hash, next } = self.entries[number];
            if hash == wanted && self.states[number].lane.is_as_on(board, cross_sets) {
                return number;
            }
            if next == 0 {
                break;
            }
            number = next;
        }
        let new = self.entries.len();
        self.entries[number].next = new;
        self.entries.push(Entry { hash: wanted, next: 0 });
        match self.states.get_mut(new) {
            Some(State { lane: spare, has_extents }) => {
                spare.set(lane, board, cross_sets);
                *has_extents = false;
            }
            None => self.states.push(State { lane: Lane::of_board(lane, board, cross_sets), has_extents: false }),
        }
        new
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Forgets the states from this number on. The states of the board must stay.
    pub(super) fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
        for entry in self.entries.iter_mut().filter(|entry| entry.next >= len) {
            entry.next = 0;
        }
    }

    /// A lane in a state whose extents have been found.
    pub(super) fn found(&self, number: usize) -> &Lane {
        &self.states[number].lane
    }

    /// The extents and the squares of a lane in a state.
    pub(crate) fn state(&mut self, number: usize) -> (&[Extent], &[Option<Tile>]) {
        let lane = if self.keeps_extents { self.lane(number) } else { self.scratch(number) };
        (&lane.extents, lane.cells())
    }

    /// A lane in a state, with its extents.
    pub(super) fn lane(&mut self, number: usize) -> &Lane {
        let State { lane, has_extents } = &mut self.states[number];
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

/// A hash of the squares and the cross sets of a lane.
fn hash((direction, index): (Direction, usize), board: &Board, cross_sets: &CrossSets) -> u64 {
    let mut hash = 0u64;
    let mut add = |part: u64| hash = (hash.rotate_left(5) ^ part).wrapping_mul(0x517c_c1b7_2722_0a95);
    for (cell, cross) in board.lane(direction, index).iter().zip(cross_sets.lane(direction, index)) {
        let tile = cell.map_or(0, |tile| u64::from(tile.letter()) << 1 | u64::from(tile.is_blank()));
        add(cross.letters.rotate_left(40) ^ tile << 32 ^ cross.score as u64);
    }
    hash
}

/// A search for the highest scores of a rack in states of lanes.
#[derive(Debug)]
pub(crate) struct HighestScores {
    rack: LaneRack,
    queue: Queue,
    spelling: Spelling,
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
        HighestScores { rack: LaneRack::new(setup, rack), queue: Queue::default(), spelling: Spelling::default() }
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
        let HighestScores { rack: LaneRack { rack, leaves, .. }, queue, spelling } = self;
        visit_plays(states.setup, &lanes, (rack, leaves), (queue, spelling), &mut best);
        best.lanes.into_iter().map(|(score, lane)| (score.points() as i32, lane))
    }
}

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
