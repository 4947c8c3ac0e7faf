//! The boards after each of some moves of a game, and after the moves that follow. They share most of their lanes.

use super::{Game, Undo};
use crate::movegen::{BoardLanes, ManyBoards, all_lanes};
use crate::moves::Move;
use crate::setup::Setup;

/// The boards after some moves. The boards that follow are forgotten with the deal.
#[derive(Debug)]
pub(crate) struct Continuations<'a> {
    /// Finds the best moves on these boards.
    pub boards: ManyBoards<'a>,
    /// The lanes of the board after each of the moves.
    pub after: Vec<BoardLanes>,
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
