//! The queries: tables of bingos, scores, words, squares and simulations, with columns of numbers from the texts of a record.

use polars::prelude::{
    Column, DataType, Expr, Field, Int32Chunked, Int32Type, IntoColumn, LazyFrame, ListBuilderTrait,
    ListPrimitiveChunkedBuilder, PolarsResult, col, lit, polars_err,
};
use tilewright_engine::tileset::TileSet;

use super::query;
use super::query::{Of, Query, Rules, exploded, kind, number, rows, square, turn};
use crate::records::RecordTable;

mod simulations;

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
    rows: |turns, _| rows(plays(turns), of_move(query::word_length), lit(1)),
    ..TILES_LAID
};
const SCORES_BY_WORD_LENGTH: Query = Query {
    name: "scores-by-word-length",
    key: "length of the word",
    value: "score of a play",
    rows: |turns, _| rows(plays(turns), of_move(query::word_length), col("score")),
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

/// The number of tiles that the move lays.
pub fn tiles_laid() -> Expr {
    of_move(query::tiles_laid)
}

/// 1 for a bingo, else 0.
pub fn is_bingo(rules: &Rules) -> Expr {
    tiles_laid().eq(lit(rules.tileset.rules().rack_size as i32)).cast(DataType::Int32)
}

/// The squares on which the move lays tiles, as a list of row × side + column.
pub fn squares(rules: &Rules) -> Expr {
    let side = rules.side;
    lists("move", move |chosen, list| {
        let laid = query::word_squares(chosen).filter(|(_, is_laid)| *is_laid);
        list.extend(laid.map(|(square, _)| (usize::from(square.row) * side + usize::from(square.column)) as i32));
        Ok(())
    })
}

/// The kinds with at least this many tiles on the rack, each once, as a list.
pub fn kinds_held(rules: &Rules, at_least: usize) -> Expr {
    let tileset = rules.tileset.clone();
    lists("rack", move |rack, list| {
        for token in query::tokens(rack) {
            let kind = kind_of(token, &tileset);
            list.push(kind.ok_or_else(|| format!("rack {rack:?}: {} has no tile {token}", tileset.name()))?);
        }
        list.sort_unstable();
        let enough: Vec<i32> = list.chunk_by(i32::eq).filter(|same| same.len() >= at_least).map(|same| same[0]).collect();
        *list = enough;
        Ok(())
    })
}

fn kind_of(token: &str, tileset: &TileSet) -> Option<i32> {
    let label = token.strip_prefix('[').and_then(|token| token.strip_suffix(']')).unwrap_or(token);
    tileset.kinds().iter().position(|kind| kind.label == label).map(|kind| kind as i32)
}

fn of_move(number: fn(&str) -> i32) -> Expr {
    let map = move |column: Column| {
        let numbers: Int32Chunked = column.str()?.iter().map(|text| text.map(number)).collect();
        Ok(numbers.with_name(column.name().clone()).into_column())
    };
    col("move").map(map, |_, field| Ok(Field::new(field.name().clone(), DataType::Int32)))
}

/// A column of lists from a column of texts. `fill` gets an empty list for each text.
fn lists(name: &str, fill: impl Fn(&str, &mut Vec<i32>) -> Result<(), String> + Send + Sync + 'static) -> Expr {
    let map = move |column: Column| -> PolarsResult<Column> {
        let texts = column.str()?;
        let (rows, name) = (texts.len(), column.name().clone());
        let mut lists = ListPrimitiveChunkedBuilder::<Int32Type>::new(name, rows, 7 * rows, DataType::Int32);
        let mut list = Vec::new();
        for text in texts.iter() {
            list.clear();
            fill(text.unwrap_or_default(), &mut list).map_err(|reason| polars_err!(ComputeError: "{reason}"))?;
            lists.append_slice(&list);
        }
        Ok(lists.finish().into_column())
    };
    col(name).map(map, |_, field| Ok(Field::new(field.name().clone(), DataType::List(Box::new(DataType::Int32)))))
}
