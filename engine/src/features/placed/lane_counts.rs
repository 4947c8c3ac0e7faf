//! Counts of squares and places that a lane offers, and how a play changes them.

use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::layout::Direction;
use crate::movegen::{ChangedLane, LaneStates};
use crate::turn::Turn;

/// A count for each lane, with the counts of the states in which it was needed so far.
#[derive(Debug)]
pub(super) struct LaneCount {
    count: fn(&Turn<'_>, &Board, &CrossSets, Direction, usize) -> i32,
    known: Vec<Option<i32>>,
}

/// The sum of a count's increases over the lanes that a play changes, and the sum of its decreases.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Change {
    pub opened: i32,
    pub closed: i32,
}

impl LaneCount {
    /// Counts empty triple word squares that a play can reach from a tile or a hook of the lane.
    pub(super) fn of_triple_words() -> LaneCount {
        LaneCount { count: triple_words, known: Vec::new() }
    }

    /// Counts places for a bingo: a full rack of empty squares that follow each other, connected to the board by exactly one tile between or
    /// next to them or exactly one hook.
    pub(super) fn of_bingo_places() -> LaneCount {
        LaneCount { count: bingo_places, known: Vec::new() }
    }

    /// The sums of the increases and of the decreases over some lanes, on a board after a play.
    pub(super) fn change(
        &mut self,
        turn: &Turn<'_>,
        changed: &[ChangedLane],
        states: &LaneStates<'_>,
        after: (&Board, &CrossSets),
    ) -> Change {
        let mut change = Change::default();
        for &ChangedLane { lane, state } in changed {
            let after = self.of_state(turn, lane, state, after);
            let before = self.of_state(turn, lane, states.before(lane), (turn.board, turn.cross_sets));
            change.opened += (after - before).max(0);
            change.closed += (before - after).max(0);
        }
        change
    }

    fn of_state(
        &mut self,
        turn: &Turn<'_>,
        (direction, lane): (Direction, usize),
        state: usize,
        (board, cross_sets): (&Board, &CrossSets),
    ) -> i32 {
        if self.known.len() <= state {
            self.known.resize(state + 1, None);
        }
        *self.known[state].get_or_insert_with(|| (self.count)(turn, board, cross_sets, direction, lane))
    }
}

fn triple_words(turn: &Turn<'_>, board: &Board, cross_sets: &CrossSets, direction: Direction, lane: usize) -> i32 {
    let (cells, crosses) = (board.lane(direction, lane), cross_sets.lane(direction, lane));
    let premiums = turn.setup.layout.lane(direction, lane);
    let size = turn.setup.tileset.rules().rack_size;
    let connects = |square: usize| cells[square].is_some() || crosses[square].joined;
    // A play fills the square of a hook but not the square of a tile, so a tile may be one square farther away.
    let is_near = |distance: usize, square: usize| distance < size || cells[square].is_some() && distance == size;
    let is_reached = |square: usize| {
        let before = (0..=square).rev().enumerate().find(|&(_, at)| connects(at));
        let after = (square..cells.len()).enumerate().find(|&(_, at)| connects(at));
        let reaches =
            |(distance, at): (usize, usize)| is_near(distance, at) && (cells[at].is_some() || crosses[at].letters != 0);
        before.into_iter().chain(after).any(reaches)
    };
    let empty = (0..cells.len()).filter(|&square| premiums[square].word >= 3 && cells[square].is_none());
    empty.filter(|&square| is_reached(square)).count() as i32
}

fn bingo_places(turn: &Turn<'_>, board: &Board, cross_sets: &CrossSets, direction: Direction, lane: usize) -> i32 {
    let (cells, crosses) = (board.lane(direction, lane), cross_sets.lane(direction, lane));
    let size = turn.setup.tileset.rules().rack_size;
    let is_place = |&first: &usize| {
        if first > 0 && cells[first - 1].is_some() {
            return false;
        }
        let (mut tiles, mut hooks, mut laid, mut square) = (0, 0, 0, first);
        while square < cells.len() && (laid < size || cells[square].is_some()) {
            if cells[square].is_some() {
                tiles += 1;
            } else {
                laid += 1;
                hooks += i32::from(crosses[square].joined);
                if crosses[square].letters == 0 {
                    return false;
                }
            }
            square += 1;
        }
        laid == size && tiles + hooks == 1
    };
    (0..cells.len()).filter(is_place).count() as i32
}
