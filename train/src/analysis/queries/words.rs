//! Plays by the tiles that they lay and by the length of their word.

use polars::prelude::{LazyFrame, col, lit};

use crate::analysis::columns::{tiles_laid, word_length};
use crate::analysis::query::{Of, Query, number, rows};
use crate::records::RecordTable;

/// Turns by tiles laid.
pub const TILES_LAID: Query = Query {
    name: "tiles-laid",
    key: "tiles laid",
    value: "turns",
    unit: "%",
    scale: 100.0,
    table: RecordTable::Turns,
    of: Of::All,
    columns: &["move"],
    label: number,
    rows: |turns, _| rows(turns, tiles_laid(), lit(1)),
};

/// Scores by tiles laid.
pub const SCORES_BY_TILES_LAID: Query = Query {
    name: "scores-by-tiles-laid",
    key: "tiles laid",
    value: "score of a turn",
    unit: "points",
    scale: 1.0,
    table: RecordTable::Turns,
    of: Of::Key,
    columns: &["move", "score"],
    label: number,
    rows: |turns, _| rows(turns, tiles_laid(), col("score")),
};

/// Plays by length of the main word.
pub const LENGTHS: Query = Query {
    name: "word-lengths",
    key: "length of the word",
    value: "plays",
    unit: "%",
    scale: 100.0,
    table: RecordTable::Turns,
    of: Of::All,
    columns: &["move"],
    label: number,
    rows: |turns, _| rows(plays(turns), word_length(), lit(1)),
};

/// Scores by length of the main word.
pub const SCORES_BY_LENGTH: Query = Query {
    name: "scores-by-word-length",
    key: "length of the word",
    value: "score of a play",
    unit: "points",
    scale: 1.0,
    table: RecordTable::Turns,
    of: Of::Key,
    columns: &["move", "score"],
    label: number,
    rows: |turns, _| rows(plays(turns), word_length(), col("score")),
};

/// Turns that are plays.
fn plays(turns: LazyFrame) -> LazyFrame {
    turns.filter(tiles_laid().gt(lit(0)))
}
