//! The boards after each of some moves of a game, and after the moves that follow. They share most of their lanes.

use super::{Game, Undo};
use crate::movegen::{BoardLanes, LeaveValues, ManyBoards, ValuedMove, all_lanes};
use crate::moves::Move;
use crate::setup::Setup;
use crate::turn::Turn;

/// Finds moves on the boards after each of some moves.
#[derive(Debug)]
pub(crate) struct Continuations<'a> {
    boards: ManyBoards<'a>,
    /// The lanes of the board after each of the moves.
    after: Vec<BoardLanes>,
}

impl<'a> Continuations<'a> {
    /// Begins with the boards after these moves of a game.
    pub(crate) fn new(setup: &'a Setup, game: &mut Game, moves: impl IntoIterator<Item = Move>) -> Continuations<'a> {
        let boards = ManyBoards::new(setup, game.board(), game.cross_sets());
        let mut continuations = Continuations { boards, after: Vec::new() };
        for chosen in moves {
            let mut lanes = continuations.boards.first_board();
            let undo = continuations.make(game, &chosen, &mut lanes);
            game.unmake(&undo);
            continuations.after.push(lanes);
        }
        continuations.boards.keep();
        continuations
    }

    /// The lanes of the board after one of the moves.
    pub(crate) fn after(&self, number: usize) -> BoardLanes {
        self.after[number]
    }

    /// Begins another deal: forgets the racks, and all boards but those after the moves.
    pub(crate) fn begin_deal(&mut self) {
        self.boards.begin_deal();
    }

    /// As [`ManyBoards::best_move`].
    pub(crate) fn best_move(
        &mut self,
        turn: &Turn<'_>,
        leaves: impl FnOnce() -> LeaveValues,
        fixes_leaves: bool,
        lanes: &BoardLanes,
    ) -> ValuedMove {
        self.boards.best_move(turn, leaves, fixes_leaves, lanes)
    }

    /// Makes a move. After it `lanes` are the lanes of the board.
    pub(crate) fn make(&mut self, game: &mut Game, chosen: &Move, lanes: &mut BoardLanes) -> Undo {
        let was_empty = game.board().is_empty();
        let undo = game.make_with_undo(self.boards.setup(), chosen);
        if was_empty {
            // On an empty board, only the lanes of the start square take a play.
            self.boards.change(lanes, all_lanes(game.board().side()), game.board(), game.cross_sets());
        } else {
            self.boards.change(lanes, undo.crosses.lanes(game.board().side()), game.board(), game.cross_sets());
        }
        undo
    }
}
