//! Scans records and computes the sums for queries, and ratios of sums over games.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use std::path::Path;

use polars::prelude::{
    DataFrame, DataType, Expr, Float64Chunked, Int32Chunked, Int64Chunked, IntoColumn, IntoLazy, LazyFrame, NewChunkedArray,
    PlSmallStr, PolarsError, PolarsResult, StringChunked, col, len, lit,
};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use tilewright_engine::series::NORMAL_95;

use super::query::{Of, Query, Rules};
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

/// The sums over games of how often a thing could happen (n) and how much of it happened (x).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratio {
    /// Games with the key.
    pub games: i64,
    /// The sum of n.
    pub n: i64,
    /// The sum of x.
    pub x: i64,
    /// The sum of n².
    pub nn: i64,
    /// The sum of n·x.
    pub nx: i64,
    /// The sum of x².
    pub xx: i64,
}

impl AddAssign for Ratio {
    fn add_assign(&mut self, other: Ratio) {
        self.games += other.games;
        self.n += other.n;
        self.x += other.x;
        self.nn += other.nn;
        self.nx += other.nx;
        self.xx += other.xx;
    }
}

impl Ratio {
    /// x per n.
    pub fn value(self) -> f64 {
        self.x as f64 / self.n as f64
    }

    /// Half the width of the 95 % interval of the value, with games as the sample. The squared standard error is the
    /// variance of the sum of x − r·n over games, over the square of n. NaN for a key of one game. If x is 0 in all games,
    /// they do not vary. Then it is the upper end of Wilson's interval for a thing that happens or not.
    pub fn half_width(self) -> f64 {
        if self.games < 2 {
            return f64::NAN;
        }
        if self.x == 0 {
            return NORMAL_95.powi(2) / (self.n as f64 + NORMAL_95.powi(2));
        }
        let (r, games) = (self.value(), self.games as f64);
        let squares = self.xx as f64 - 2.0 * r * self.nx as f64 + r * r * self.nn as f64;
        let variance = squares.max(0.0) * games / (games - 1.0).max(1.0);
        NORMAL_95 * variance.sqrt() / self.n as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_games(games: &[(i64, i64)]) -> Ratio {
        let mut sum = Ratio::default();
        for &(n, x) in games {
            sum += Ratio { games: 1, n, x, nn: n * n, nx: n * x, xx: x * x };
        }
        sum
    }

    #[test]
    fn with_one_of_n_in_each_game_the_interval_is_that_of_a_mean() {
        let scores = [(1, 380), (1, 420), (1, 500), (1, 300)];
        let ratio = of_games(&scores);
        let variance = scores.iter().map(|&(_, x)| (x as f64 - 400.0).powi(2)).sum::<f64>() / 3.0;
        assert!((ratio.value() - 400.0).abs() < 1e-12);
        assert!((ratio.half_width() - NORMAL_95 * (variance / 4.0).sqrt()).abs() < 1e-9);
    }

    #[test]
    fn what_never_happened_may_happen() {
        assert!(of_games(&[(1, 5)]).half_width().is_nan());
        assert!((of_games(&[(40, 0), (60, 0)]).half_width() - 0.037).abs() < 1e-4);
    }

    #[test]
    fn intervals_hold_the_ratio_of_games_whose_turns_are_alike() {
        // Games of 1 to 20 turns; all turns of a game are bingos or none is.
        let mut draws = 12345u64;
        let mut draw = |below: u64| {
            draws = draws.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (draws >> 33) % below
        };
        let (mut held, mut narrow) = (0, 0);
        for _ in 0..400 {
            let games: Vec<(i64, i64)> = (0..300)
                .map(|_| {
                    let turns = 1 + draw(20) as i64;
                    (turns, if draw(10) < 3 { turns } else { 0 })
                })
                .collect();
            let ratio = of_games(&games);
            let distance = (ratio.value() - 0.3).abs();
            held += usize::from(distance <= ratio.half_width());
            let as_if_independent = NORMAL_95 * (ratio.value() * (1.0 - ratio.value()) / ratio.n as f64).sqrt();
            narrow += usize::from(distance <= as_if_independent);
        }
        assert!((365..=396).contains(&held), "{held} of 400");
        assert!(narrow < 250, "{narrow} of 400");
    }
}
