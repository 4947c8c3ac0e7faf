//! The queries: tables of bingos, scores, words, squares and simulations.

mod simulations;

use polars::prelude::{Expr, LazyFrame, col, lit};

use super::columns::{is_bingo, kinds_held, squares, tiles_laid, word_length};
use super::query::{Of, Query, Rules, exploded, kind, number, rows, square, turn};
use crate::records::RecordTable;

/// All queries.
pub const QUERIES: [&Query; 17] = [
    &BINGOS_BY_TURN,
    &BINGOS_BY_TILE,
    &SCORES_BY_TURN,
    &SCORES_BY_TILE,
    &SCORES_BY_TWO,
    &TILES_LAID,
    &SCORES_BY_TILES_LAID,
    &WORD_LENGTHS,
    &SCORES_BY_WORD_LENGTH,
    &SQUARES,
    &SCORES_BY_SQUARE,
    &simulations::BEST_RANK,
    &simulations::BEST_GAP,
    &simulations::SIMULATION_GAIN,
    &simulations::PLAYOUT_DEVIATION,
    &simulations::DIFFERENCE_DEVIATION,
    &simulations::COMMON_DEALS,
];

const BINGOS_BY_TURN: Query = Query {
    name: "bingos-by-turn",
    key: "turn",
    value: "turns with a bingo",
    unit: "%",
    scale: 100.0,
    table: RecordTable::Turns,
    of: Of::Key,
    columns: &["turn", "move"],
    label: number,
    rows: |turns, rules| rows(turns, turn(), is_bingo(rules)),
};
const BINGOS_BY_TILE: Query = Query {
    name: "bingos-by-tile",
    key: "tile held",
    columns: &["rack", "move"],
    label: kind,
    rows: |turns, rules| held(turns, rules, 1, is_bingo(rules)),
    ..BINGOS_BY_TURN
};

const SCORES_BY_TURN: Query = Query {
    name: "scores-by-turn",
    value: "score of a turn",
    unit: "points",
    scale: 1.0,
    columns: &["turn", "score"],
    rows: |turns, _| rows(turns, turn(), col("score")),
    ..BINGOS_BY_TURN
};
const SCORES_BY_TILE: Query = Query {
    name: "scores-by-tile",
    key: "tile held",
    columns: &["rack", "score"],
    label: kind,
    rows: |turns, rules| held(turns, rules, 1, col("score")),
    ..SCORES_BY_TURN
};
const SCORES_BY_TWO: Query = Query {
    name: "scores-by-two",
    key: "tile held twice or more",
    rows: |turns, rules| held(turns, rules, 2, col("score")),
    ..SCORES_BY_TILE
};

const TILES_LAID: Query = Query {
    name: "tiles-laid",
    key: "tiles laid",
    value: "turns",
    of: Of::All,
    columns: &["move"],
    rows: |turns, _| rows(turns, tiles_laid(), lit(1)),
    ..BINGOS_BY_TURN
};
const SCORES_BY_TILES_LAID: Query = Query {
    name: "scores-by-tiles-laid",
    key: "tiles laid",
    columns: &["move", "score"],
    rows: |turns, _| rows(turns, tiles_laid(), col("score")),
    ..SCORES_BY_TURN
};
const WORD_LENGTHS: Query = Query {
    name: "word-lengths",
    key: "length of the word",
    value: "plays",
    rows: |turns, _| rows(plays(turns), word_length(), lit(1)),
    ..TILES_LAID
};
const SCORES_BY_WORD_LENGTH: Query = Query {
    name: "scores-by-word-length",
    key: "length of the word",
    value: "score of a play",
    rows: |turns, _| rows(plays(turns), word_length(), col("score")),
    ..SCORES_BY_TILES_LAID
};

const SQUARES: Query = Query {
    name: "squares",
    key: "square",
    value: "games in which it is covered",
    of: Of::Games,
    columns: &["move", "score"],
    label: square,
    rows: |turns, rules| covered(turns, rules, lit(1)),
    ..BINGOS_BY_TURN
};
const SCORES_BY_SQUARE: Query = Query {
    name: "scores-by-square",
    key: "square",
    value: "score of the play that covers it",
    label: square,
    rows: |turns, rules| covered(turns, rules, col("score")),
    ..SCORES_BY_TILES_LAID
};

/// A row for each kind of which a rack holds at least this many.
fn held(turns: LazyFrame, rules: &Rules, at_least: usize, x: Expr) -> LazyFrame {
    let held = turns.select([col("game"), kinds_held(rules, at_least), x.alias("x")]);
    rows(exploded(held, "rack"), col("rack"), col("x"))
}

fn plays(turns: LazyFrame) -> LazyFrame {
    turns.filter(tiles_laid().gt(lit(0)))
}

/// A row for each square that a play covers.
fn covered(turns: LazyFrame, rules: &Rules, x: Expr) -> LazyFrame {
    let covered = turns.select([col("game"), squares(rules), col("score")]);
    rows(exploded(covered, "move"), col("move"), x)
}
