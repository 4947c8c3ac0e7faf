//! Squares: how often they are covered, and by plays of what score.

use polars::prelude::{LazyFrame, col, lit};

use crate::analysis::columns::squares;
use crate::analysis::query::{Of, Query, Rules, exploded, rows, square};
use crate::records::RecordTable;

/// Games in which a square is covered.
pub const USE: Query = Query {
    name: "squares",
    key: "square",
    value: "games in which it is covered",
    unit: "%",
    scale: 100.0,
    table: RecordTable::Turns,
    of: Of::Games,
    columns: &["move", "score"],
    label: square,
    rows: |turns, rules| rows(covered(turns, rules), col("move"), lit(1)),
};

/// Scores of the plays that cover a square.
pub const SCORES: Query = Query {
    name: "scores-by-square",
    key: "square",
    value: "score of the play that covers it",
    unit: "points",
    scale: 1.0,
    table: RecordTable::Turns,
    of: Of::Key,
    columns: &["move", "score"],
    label: square,
    rows: |turns, rules| rows(covered(turns, rules), col("move"), col("score")),
};

/// A row for each tile that is laid; `move` is its square.
fn covered(turns: LazyFrame, rules: &Rules) -> LazyFrame {
    exploded(turns.select([col("game"), squares(rules), col("score")]), "move")
}
