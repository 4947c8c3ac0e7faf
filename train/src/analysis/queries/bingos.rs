//! Bingos and scores by turn and by the tiles held.

use polars::prelude::{Expr, LazyFrame, col};

use crate::analysis::columns::{is_bingo, kinds_held};
use crate::analysis::query::{Of, Query, Rules, exploded, kind, number, rows, turn};
use crate::records::RecordTable;

/// Bingos by turn.
pub const BY_TURN: Query = Query {
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

/// Bingos by tile held.
pub const BY_TILE: Query = Query {
    name: "bingos-by-tile",
    key: "tile held",
    value: "turns with a bingo",
    unit: "%",
    scale: 100.0,
    table: RecordTable::Turns,
    of: Of::Key,
    columns: &["rack", "move"],
    label: kind,
    rows: |turns, rules| rows(held(turns, rules, 1, is_bingo(rules)), col("rack"), col("x")),
};

/// Scores by turn.
pub const SCORES_BY_TURN: Query = Query {
    name: "scores-by-turn",
    key: "turn",
    value: "score of a turn",
    unit: "points",
    scale: 1.0,
    table: RecordTable::Turns,
    of: Of::Key,
    columns: &["turn", "score"],
    label: number,
    rows: |turns, _| rows(turns, turn(), col("score")),
};

/// Scores by tile held.
pub const SCORES_BY_TILE: Query = Query {
    name: "scores-by-tile",
    key: "tile held",
    value: "score of a turn",
    unit: "points",
    scale: 1.0,
    table: RecordTable::Turns,
    of: Of::Key,
    columns: &["rack", "score"],
    label: kind,
    rows: |turns, rules| rows(held(turns, rules, 1, col("score")), col("rack"), col("x")),
};

/// Scores by tile held twice.
pub const SCORES_BY_TWO: Query = Query {
    name: "scores-by-two",
    key: "tile held twice or more",
    value: "score of a turn",
    unit: "points",
    scale: 1.0,
    table: RecordTable::Turns,
    of: Of::Key,
    columns: &["rack", "score"],
    label: kind,
    rows: |turns, rules| rows(held(turns, rules, 2, col("score")), col("rack"), col("x")),
};

/// A row for each kind of which a rack holds at least this many, with x.
fn held(turns: LazyFrame, rules: &Rules, at_least: usize, x: Expr) -> LazyFrame {
    exploded(turns.select([col("game"), kinds_held(rules, at_least), x.alias("x")]), "rack")
}
