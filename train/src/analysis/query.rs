//! Queries and their parts.
//!
//! Turns of a game are numbered from 1, so the player who moved first has the odd numbers.

use std::sync::Arc;

use polars::prelude::{ExplodeOptions, Expr, LazyFrame, by_name, col, lit};
use tilewright_engine::layout::{Direction, Layout, Square, show_coordinate};
use tilewright_engine::tileset::TileSet;

use crate::records::RecordTable;

/// The rules by which the records were played.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The tile set.
    pub tileset: Arc<TileSet>,
    /// Rows and columns of the board.
    pub side: usize,
}

impl Rules {
    /// The rules of a tile set and its board.
    pub fn new(tileset: &TileSet, layout: &Layout) -> Rules {
        Rules { tileset: Arc::new(tileset.clone()), side: layout.side() }
    }
}

/// The denominator of a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The rows with the key: bingos of the turns with this number.
    Key,
    /// Everything that was counted: turns with this number of tiles, of all turns.
    All,
    /// Games.
    Games,
}

/// A table of one ratio per key.
pub struct Query {
    /// Its name.
    pub name: &'static str,
    /// The meaning of a key.
    pub key: &'static str,
    /// The meaning of the ratio.
    pub value: &'static str,
    /// The unit of the value: `%` or points.
    pub unit: &'static str,
    /// The factor from a ratio to the unit. It is needed because x is an integer.
    pub scale: f64,
    /// The table of the records that it asks.
    pub table: RecordTable,
    /// The denominator of the ratio.
    pub of: Of,
    /// The columns that it asks for, besides `game`.
    pub columns: &'static [&'static str],
    /// The name of a key.
    pub label: fn(i32, &Rules) -> String,
    /// Makes rows with the columns `game`, `key` and `x` from the table. n is the number of rows.
    pub rows: fn(LazyFrame, &Rules) -> LazyFrame,
}

/// Rows of a query: the game, a key and x.
pub fn rows(turns: LazyFrame, key: Expr, x: Expr) -> LazyFrame {
    turns.select([col("game"), key.alias("key"), x.alias("x")])
}

/// A row for each element of a column of lists.
pub fn exploded(rows: LazyFrame, column: &str) -> LazyFrame {
    rows.explode(by_name([column], true, false), ExplodeOptions { empty_as_null: false, keep_nulls: false })
}

/// The number of the turn in its game, from 1.
pub fn turn() -> Expr {
    col("turn") + lit(1)
}

/// A key that is a number.
pub fn number(key: i32, _: &Rules) -> String {
    key.to_string()
}

/// A key that is a kind of tile.
pub fn kind(key: i32, rules: &Rules) -> String {
    rules.tileset.kinds().get(key as usize).map_or_else(String::new, |kind| kind.label.clone())
}

/// A key that is a square, `8H`.
pub fn square(key: i32, rules: &Rules) -> String {
    let (row, column) = (key as usize / rules.side, key as usize % rules.side);
    show_coordinate(Square { row: row as u8, column: column as u8 }, Direction::Across)
}
