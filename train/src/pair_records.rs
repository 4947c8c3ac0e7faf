//! The pairs of a match in Parquet: one row per pair, in the order of their numbers.
//!
//! [`SCHEMA`] describes the columns. In an unpaired match (`match --unpaired`), pair i has deals 2i and 2i + 1.

use std::path::{Path, PathBuf};

use tilewright_engine::series::Pair;

use crate::parquet_file::{TableError, TableWriter, stopped_mark};
use crate::schema::Cell::{Int32, Int64};
use crate::schema::{Cell, Schema, Table, int32, int64};

/// The columns.
pub const SCHEMA: Schema = Schema {
    name: "pairs",
    row: "a pair of games",
    fields: &[
        int64("pair", "number of the pair; with the seed it names the deal"),
        int32("score_a_first", "points in the game that A began, less overtime penalties").points().view("A"),
        int32("score_b_first", "points in the game that A began").points().view("B"),
        int32("score_a_second", "points in the game that B began").points().view("A"),
        int32("score_b_second", "points in the game that B began").points().view("B"),
        int32("half_wins", "half wins in both games, 0 to 4").unit("half wins").within(0, 4).view("A"),
        int32("bingos_a_first", "plays of a full rack in the game that A began").unit("bingos").view("A"),
        int32("bingos_b_first", "plays of a full rack in the game that A began").unit("bingos").view("B"),
        int32("bingos_a_second", "plays of a full rack in the game that B began").unit("bingos").view("A"),
        int32("bingos_b_second", "plays of a full rack in the game that B began").unit("bingos").view("B"),
        int32("turns_first", "turns of both players in the game that A began").unit("turns"),
        int32("turns_second", "turns of both players in the game that B began").unit("turns"),
        int32("differing", "1 if any move of the two games differs, else 0").within(0, 1),
    ],
};

/// The row of a pair. A has seat 0 in its first game and seat 1 in the second.
fn row(pair: &Pair) -> [(&'static str, Cell); 13] {
    let [first, second] = &pair.games;
    [
        ("pair", Int64(pair.index as i64)),
        ("score_a_first", Int32(first.scores[0])),
        ("score_b_first", Int32(first.scores[1])),
        ("score_a_second", Int32(second.scores[1])),
        ("score_b_second", Int32(second.scores[0])),
        ("half_wins", Int32(pair.half_wins() as i32)),
        ("bingos_a_first", Int32(first.bingos[0] as i32)),
        ("bingos_b_first", Int32(first.bingos[1] as i32)),
        ("bingos_a_second", Int32(second.bingos[1] as i32)),
        ("bingos_b_second", Int32(second.bingos[0] as i32)),
        ("turns_first", Int32(first.turns as i32)),
        ("turns_second", Int32(second.turns as i32)),
        ("differing", Int32(i32::from(pair.games_differ))),
    ]
}

/// Pairs of a row group. It is constant, so that the bytes depend on the pairs alone.
const PAIRS_PER_GROUP: usize = 1 << 16;

/// Gathers pairs into tables with the rows of a row group each. The last table has fewer.
pub struct Groups(Table);

impl Default for Groups {
    fn default() -> Groups {
        Groups(Table::new(&SCHEMA))
    }
}

impl Groups {
    /// Adds a pair. Returns the table if it is full.
    pub fn add(&mut self, pair: &Pair) -> Option<Table> {
        self.0.add(row(pair));
        (self.0.rows() == PAIRS_PER_GROUP).then(|| std::mem::take(self).0)
    }

    /// The rows since the last full table.
    pub fn rest(self) -> Table {
        self.0
    }
}

/// A file of pairs that is written while the match plays. It appears complete or not at all.
pub struct PairsWriter {
    path: PathBuf,
    marks: Vec<(&'static str, String)>,
    /// The rows of the next row group.
    waiting: Groups,
    table: Option<TableWriter>,
    /// Why rows are missing.
    failed: Option<TableError>,
}

impl PairsWriter {
    /// Begins a file with these [marks](crate::parquet_file::marks_of_games). Nothing is written before the first row group.
    pub fn new(path: &Path, marks: Vec<(&'static str, String)>) -> PairsWriter {
        PairsWriter { path: path.into(), marks, waiting: Groups::default(), table: None, failed: None }
    }

    /// Adds pairs, in the order of their numbers. [`PairsWriter::finish`] returns the errors.
    pub fn add(&mut self, pairs: &[Pair]) {
        if self.failed.is_some() {
            return;
        }
        for pair in pairs {
            if let Some(full) = self.waiting.add(pair) {
                self.failed = self.write(&full).err();
            }
        }
    }

    /// Puts the file in its place. `stopped` is the name of the match if it was stopped before its end.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn finish(mut self, stopped: Option<&str>) -> Result<(), TableError> {
        if let Some(failed) = self.failed {
            return Err(failed);
        }
        let rest = std::mem::take(&mut self.waiting).rest();
        if rest.rows() > 0 || self.table.is_none() {
            self.write(&rest)?;
        }
        self.table.map_or(Ok(()), |table| table.finish(stopped.map(stopped_mark)))
    }

    fn write(&mut self, Table { columns, .. }: &Table) -> Result<(), TableError> {
        if self.table.is_none() {
            self.table = Some(TableWriter::new(&self.path, columns, &self.marks)?);
        }
        self.table.as_mut().map_or(Ok(()), |table| table.add(columns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parquet_file::{Column, read, stopped, to_bytes};

    #[test]
    fn rows_come_in_groups_and_do_not_depend_on_the_batches() {
        let folder = tempfile::tempdir().unwrap();
        let pair = |index| Pair { index, games_differ: index % 3 == 0, ..Pair::default() };
        let pairs: Vec<Pair> = (0..2 * PAIRS_PER_GROUP as u64 + 7).map(pair).collect();
        let write = |name: &str, batch: usize, stop: Option<&str>| {
            let path = folder.path().join(name);
            let mut writer = PairsWriter::new(&path, vec![("seed", "7".into())]);
            pairs.chunks(batch).for_each(|batch| writer.add(batch));
            assert!(!path.exists());
            writer.finish(stop).unwrap();
            path
        };
        let [one, other] = [("one", 100), ("other", 70_000)].map(|(name, batch)| write(name, batch, None));
        assert_eq!(std::fs::read(&one).unwrap(), std::fs::read(other).unwrap());
        let numbers = pairs.iter().map(|pair| pair.index as i64).collect();
        let differing = pairs.iter().map(|pair| i32::from(pair.games_differ)).collect();
        assert_eq!(read(&one, &["pair", "differing"]).unwrap(), [Column::Int64(numbers), Column::Int32(differing)]);
        assert_eq!((stopped(&one), stopped(&write("stopped", 9, Some("a match")))), (None, Some("a match".into())));
        // A short match has one group, as a table that is written at once.
        let (path, few) = (folder.path().join("few"), &pairs[..5]);
        let mut writer = PairsWriter::new(&path, Vec::new());
        writer.add(few);
        writer.finish(None).unwrap();
        let mut table = Groups::default();
        assert!(few.iter().all(|pair| table.add(pair).is_none()));
        assert_eq!(std::fs::read(path).unwrap(), to_bytes(&table.rest().columns, &[]).unwrap());
    }
}
