//! The table of candidates.

use tilewright_engine::movegen::ValuedMove;
use tilewright_engine::moves::notation;
use tilewright_engine::selfplay::TurnSeen;
use tilewright_engine::setup::Setup;

use crate::schema::Cell::{Double, Int32, Int64, Text};
use crate::schema::{Cell, Schema, double, int32, int64, text};

/// The columns.
pub const SCHEMA: Schema = Schema {
    name: "candidates",
    row: "one of the best moves of a turn, as the static ranking of the player to move has them",
    fields: &[
        int64("game", "number of the game, as in turns"),
        int32("turn", "turn of the game, as in turns"),
        int32("rank", "1 for the best move"),
        text("move", "the move, as in turns"),
        int32("score", "points of the move").points().view("player to move"),
        double("equity", "equity of the move").points().view("player to move"),
        int32("chosen", "1 for the move that was made, else 0").within(0, 1),
    ],
};

/// The row of one of the best moves of a turn. The best move has `rank` 1.
pub fn row(setup: &Setup, game: u64, rank: i32, valued: &ValuedMove, seen: &TurnSeen<'_>) -> [(&'static str, Cell); 7] {
    [
        ("game", Int64(game as i64)),
        ("turn", Int32(seen.number as i32)),
        ("rank", Int32(rank)),
        ("move", Text(notation::show(&valued.chosen, seen.game.board(), &setup.tileset))),
        ("score", Int32(valued.chosen.score())),
        ("equity", Double(valued.reported_equity().points())),
        ("chosen", Int32(i32::from(valued.chosen == seen.chosen.chosen))),
    ]
}
