//! The table of candidates.

use tilewright_engine::movegen::ValuedMove;
use tilewright_engine::moves::notation;
use tilewright_engine::selfplay::TurnSeen;
use tilewright_engine::setup::Setup;

use crate::parquet_file::Column;
use crate::schema::{Schema, double, int32, int64, text};

/// The columns.
pub const SCHEMA: Schema = Schema {
    name: "candidates",
    row: "one of the best moves of a turn, as the static ranking of the player to move has them",
    fields: &[
        int64("game", "number of the game, as in turns"),
        int32("turn", "turn of the game, as in turns"),
        int32("rank", "1 for the best move"),
        text("move", "the move, as in turns"),
        int32("score", "points of the move").unit("points").view("player to move"),
        double("equity", "equity of the move").unit("points").view("player to move"),
        int32("chosen", "1 for the move that was made, else 0"),
    ],
};

/// The best moves of turns, one row each.
#[derive(Default)]
pub struct Candidates {
    game: Vec<i64>,
    turn: Vec<i32>,
    rank: Vec<i32>,
    moves: Vec<String>,
    score: Vec<i32>,
    equity: Vec<f64>,
    chosen: Vec<i32>,
}

impl Candidates {
    /// Adds a move of a turn; `rank` is 1 for the best one.
    pub fn add(&mut self, setup: &Setup, game: u64, rank: i32, valued: &ValuedMove, seen: &TurnSeen<'_>) {
        self.game.push(game as i64);
        self.turn.push(seen.number as i32);
        self.rank.push(rank);
        self.moves.push(notation::show(&valued.chosen, &seen.game.board, &setup.tileset));
        self.score.push(valued.chosen.score());
        self.equity.push(valued.reported_equity().points());
        self.chosen.push(i32::from(valued.chosen == seen.chosen.chosen));
    }

    /// Adds the rows of further games.
    pub fn append(&mut self, mut more: Candidates) {
        self.game.append(&mut more.game);
        self.turn.append(&mut more.turn);
        self.rank.append(&mut more.rank);
        self.moves.append(&mut more.moves);
        self.score.append(&mut more.score);
        self.equity.append(&mut more.equity);
        self.chosen.append(&mut more.chosen);
    }

    /// The columns as [documented](super).
    pub fn into_columns(self) -> Vec<(String, Column)> {
        let columns = [
            ("game", Column::Int64(self.game)),
            ("turn", Column::Int32(self.turn)),
            ("rank", Column::Int32(self.rank)),
            ("move", Column::Text(self.moves)),
            ("score", Column::Int32(self.score)),
            ("equity", Column::Double(self.equity)),
            ("chosen", Column::Int32(self.chosen)),
        ];
        columns.into_iter().map(|(name, column)| (name.to_string(), column)).collect()
    }
}
