//! Scans records and computes the sums for queries.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use polars::prelude::{
    DataFrame, DataType, Expr, Float64Chunked, Int32Chunked, Int64Chunked, IntoColumn, IntoLazy, LazyFrame, NewChunkedArray,
    PlSmallStr, PolarsError, PolarsResult, StringChunked, col, len, lit,
};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::query::{Of, Query, Rules};
use super::ratio::Ratio;
use crate::parquet_file::{Column, TableError};
use crate::records::{self, RecordFiles, RecordTable};
use crate::schema::Schema;
use crate::selfplay::valued;

/// Bytes of files that are scanned at once.
const BYTES_AT_ONCE: usize = 16 << 20;

/// A line of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The key. [`Query::label`] names it.
    pub key: i32,
    /// The counts.
    pub ratio: Ratio,
}

/// The answers to some queries, in their order: rows in the order of their keys. Every file is read once and its checksum verified.
///
/// # Errors
/// [`TableError`]: files that cannot be read, that are not records, or that are of another tile set.
pub fn tables(records: &RecordFiles, queries: &[&Query], rules: &Rules) -> Result<Vec<Vec<Row>>, TableError> {
    let columns: BTreeSet<&str> = queries.iter().flat_map(|query| query.columns).copied().chain(["game"]).collect();
    let columns: Vec<&str> = columns.into_iter().collect();
    let of_candidates = queries.iter().any(|query| query.table == RecordTable::Candidates);
    let schema = if of_candidates { &valued::SCHEMA } else { &records::SCHEMA };
    let mut sums: Vec<Sums> = queries.iter().map(|_| Sums::default()).collect();
    let mut files = records.contents().peekable();
    while files.peek().is_some() {
        let (mut some, mut bytes) = (Vec::new(), 0);
        while bytes < BYTES_AT_ONCE
            && let Some(file) = files.next()
        {
            let (path, content) = file?;
            bytes += content.len();
            some.push((path, content));
        }
        let path = some[0].0.clone();
        let frames = some.into_par_iter().map(|(path, content)| frame(&path, content, schema, &columns));
        let turns = frames.collect::<Result<Vec<DataFrame>, TableError>>()?;
        let scanned = together(turns).and_then(|turns| {
            let added = queries.par_iter().zip(&mut sums);
            added
                .map(|(query, sums)| sums.add((query.rows)(turns.clone().lazy(), rules), query.of))
                .collect::<PolarsResult<()>>()
        });
        scanned.map_err(|error: PolarsError| TableError::Content { path, reason: reason(&error) })?;
    }
    Ok(queries.iter().zip(sums).map(|(query, sums)| sums.rows(query.of)).collect())
}

/// Some columns of a file of records.
fn frame(path: &Path, content: Vec<u8>, schema: &Schema, columns: &[&str]) -> Result<DataFrame, TableError> {
    let named = columns.iter().zip(schema.read(path, content, columns)?).map(|(name, column)| {
        let name = PlSmallStr::from_str(name);
        match column {
            Column::Int32(values) => Int32Chunked::from_vec(name, values).into_column(),
            Column::Int64(values) => Int64Chunked::from_vec(name, values).into_column(),
            Column::Double(values) => Float64Chunked::from_vec(name, values).into_column(),
            Column::Text(values) => StringChunked::from_iter_values(name, values.into_iter()).into_column(),
        }
    });
    let fault = |error: PolarsError| TableError::Content { path: path.into(), reason: reason(&error) };
    DataFrame::new_infer_height(named.collect()).map_err(fault)
}

/// The rows of some files.
fn together(frames: Vec<DataFrame>) -> PolarsResult<DataFrame> {
    let mut frames = frames.into_iter();
    let mut all = frames.next().unwrap_or_default();
    for frame in frames {
        all.vstack_mut(&frame)?;
    }
    Ok(all)
}

/// The first line of an error. The others show the plan of the query.
fn reason(error: &PolarsError) -> String {
    error.to_string().lines().next().unwrap_or_default().into()
}

/// The sums of a query.
#[derive(Default)]
struct Sums {
    by_key: BTreeMap<i32, Ratio>,
    /// The sums over all keys of a game.
    whole: Ratio,
}

impl Sums {
    /// Adds rows with the columns `game`, `key` and `x`.
    fn add(&mut self, rows: LazyFrame, of: Of) -> PolarsResult<()> {
        let wide = |sum: Expr, name: &str| sum.cast(DataType::Int64).alias(name);
        let by_game = rows.group_by([col("game"), col("key")]);
        let by_game = by_game.agg([wide(len(), "n"), wide(col("x").sum(), "x")]).collect()?;
        let wholes = by_game.clone().lazy().group_by([col("game")]);
        let wholes = match of {
            Of::Key | Of::All => wholes.agg([col("n").sum().alias("whole")]),
            Of::Games => wholes.agg([wide(lit(1).first(), "whole")]),
        };
        let by_game = match of {
            Of::Key => by_game.lazy(),
            Of::All | Of::Games => {
                let joined = by_game.lazy().inner_join(wholes.clone(), col("game"), col("game"));
                joined.select([col("key"), col("whole").alias("n"), col("x")])
            }
        };
        let [n, x] = ["n", "x"].map(col);
        let products = [
            wide(len(), "games"),
            n.clone().sum().alias("sum_n"),
            x.clone().sum().alias("sum_x"),
            (n.clone() * n.clone()).sum().alias("nn"),
            (n * x.clone()).sum().alias("nx"),
            (x.clone() * x).sum().alias("xx"),
        ];
        let summed = by_game.group_by([wide(col("key"), "key")]).agg(products).collect()?;
        for row in 0..summed.height() {
            let [key, games, n, x, nn, nx, xx] =
                ["key", "games", "sum_n", "sum_x", "nn", "nx", "xx"].map(|name| number(&summed, name, row));
            let ratio = Ratio { games: games?, n: n?, x: x?, nn: nn?, nx: nx?, xx: xx? };
            *self.by_key.entry(key? as i32).or_default() += ratio;
        }
        let whole = || col("whole");
        let total = [wide(len(), "games"), whole().sum().alias("n"), (whole() * whole()).sum().alias("nn")];
        let total = wholes.select(total);
        let total = total.collect()?;
        let of_all = |name| number(&total, name, 0);
        self.whole += Ratio { games: of_all("games")?, n: of_all("n")?, nn: of_all("nn")?, ..Ratio::default() };
        Ok(())
    }

    fn rows(self, of: Of) -> Vec<Row> {
        let Ratio { games, n, nn, .. } = self.whole;
        let rows = self.by_key.into_iter().map(|(key, own)| match of {
            Of::Key => Row { key, ratio: own },
            Of::All | Of::Games => Row { key, ratio: Ratio { games, n, nn, ..own } },
        });
        rows.collect()
    }
}

fn number(frame: &DataFrame, name: &str, row: usize) -> PolarsResult<i64> {
    Ok(frame.column(name)?.i64()?.get(row).unwrap_or_default())
}
