//! Columns of numbers from the texts of a record.

use polars::prelude::{
    Column, DataType, Expr, Field, Int32Chunked, Int32Type, IntoColumn, ListBuilderTrait, ListPrimitiveChunkedBuilder,
    PolarsResult, col, lit, polars_err,
};
use tilewright_engine::tileset::TileSet;

use super::notation;
use super::query::Rules;

/// The number of tiles that the move lays.
pub fn tiles_laid() -> Expr {
    of_move(notation::tiles_laid)
}

/// The number of tiles of the play's word.
pub fn word_length() -> Expr {
    of_move(notation::word_length)
}

/// 1 for a bingo, else 0.
pub fn is_bingo(rules: &Rules) -> Expr {
    tiles_laid().eq(lit(rules.tileset.rules().rack_size as i32)).cast(DataType::Int32)
}

/// The squares on which the move lays tiles, as a list of row × side + column.
pub fn squares(rules: &Rules) -> Expr {
    let side = rules.side;
    lists("move", move |chosen, list| {
        let laid = notation::word_squares(chosen).filter(|(_, is_laid)| *is_laid);
        list.extend(laid.map(|(square, _)| (usize::from(square.row) * side + usize::from(square.column)) as i32));
        Ok(())
    })
}

/// The kinds of which the rack holds at least this many, each once, as a list.
pub fn kinds_held(rules: &Rules, at_least: usize) -> Expr {
    let tileset = rules.tileset.clone();
    lists("rack", move |rack, list| {
        for token in notation::tokens(rack) {
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
