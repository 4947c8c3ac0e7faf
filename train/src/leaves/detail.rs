//! Support and standard error of each value of a leave table, stored as `leaves.parquet`.

use std::ops::Add;

use serde::{Deserialize, Serialize};
use tilewright_engine::artefact::Artefact;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::rack::Rack;
use tilewright_engine::tileset::TileSet;

use super::lattice::Lattice;
use crate::parquet_file::{Column, TableError, from_bytes, to_bytes};
use crate::rack_values::RackValues;
use crate::schema::{Schema, double, int64, text};

/// The columns.
pub const SCHEMA: Schema = Schema {
    name: "leaves",
    row: "a leave",
    fields: &[
        text("leave", "the tiles; ? is a blank, [CH] one tile"),
        double("value", "value of keeping the leave").unit("points").view("player who keeps it"),
        double("standard_error", "standard error of the value; NaN if the table does not know").unit("points"),
        int64("support", "turns of self-play whose rack contained the leave; 0 if the table does not know").unit("turns"),
        int64("boards", "boards of the census on which a rack with the leave was valued; 0 if the table does not know")
            .unit("boards"),
    ],
};

/// The file name, next to the table.
pub const DETAIL_FILE: &str = "leaves.parquet";

/// Support and standard error of every leave, by its number; entry 0 is the empty leave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    /// Turns of self-play whose rack contained the leave.
    pub support: Vec<i64>,
    /// Boards of the census on which a rack with the leave was valued.
    pub boards: Vec<i64>,
    /// Standard error of the value, in points.
    pub standard_error: Vec<f64>,
}

/// For each leave, the number of boards that valued the most often valued rack with that leave.
pub fn boards(census: &RackValues, lattice: &Lattice) -> Vec<i64> {
    leave_counts(census, lattice, i64::max)
}

/// For each leave, the number of observations of racks that contain it.
pub fn support(data: &RackValues, lattice: &Lattice) -> Vec<i64> {
    leave_counts(data, lattice, i64::add)
}

/// Combines the observation counts of the racks that contain a leave into one number per leave.
fn leave_counts(data: &RackValues, lattice: &Lattice, combine: fn(i64, i64) -> i64) -> Vec<i64> {
    let racks = lattice.racks();
    let mut counts = vec![0; racks.end];
    for entry in data.entries() {
        counts[racks.start + entry.rack as usize] = i64::from(entry.count);
    }
    lattice.combine_wholes(&mut counts, combine);
    counts.truncate(racks.start);
    counts
}

impl Detail {
    /// The detail of a table that averages each leave's own observations. The errors are standard errors of such a mean
    /// with the standard deviation of all observations around the overall mean, so they are rather too large.
    pub fn from_own_observations(data: &RackValues, support: &[i64], boards: &[i64]) -> Detail {
        let points = |thousandths: f64| thousandths / 1000.0;
        let (sum, squares, count) = data.entries().iter().fold((0.0, 0.0, 0.0), |(sum, squares, count), entry| {
            (sum + entry.sum as f64, squares + entry.squares as f64, count + f64::from(entry.count))
        });
        let deviation = points((squares / count - (sum / count).powi(2)).max(0.0).sqrt());
        let observed = support.iter().zip(boards).map(|(&turns, &boards)| turns.max(boards).max(1) as f64);
        let standard_error = observed.map(|times| deviation / times.sqrt()).collect();
        Detail { support: support.to_vec(), boards: boards.to_vec(), standard_error }
    }

    /// The columns of [`SCHEMA`] for a table.
    pub fn columns(&self, table: &LeaveTable, tileset: &TileSet) -> Vec<(String, Column)> {
        let leaves = (1..table.ranking().len()).map(|index| table.ranking().unrank(index));
        let name = |leave: Rack| tileset.show_all(&leave.tiles().collect::<Vec<_>>());
        vec![
            ("leave".into(), Column::Text(leaves.map(name).collect())),
            ("value".into(), Column::Double(table.values()[1..].iter().map(|value| value.points()).collect())),
            ("standard_error".into(), Column::Double(self.standard_error[1..].to_vec())),
            ("support".into(), Column::Int64(self.support[1..].to_vec())),
            ("boards".into(), Column::Int64(self.boards[1..].to_vec())),
        ]
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// An error of the Parquet writer.
    pub fn to_bytes(&self, table: &LeaveTable, tileset: &TileSet) -> Result<Vec<u8>, parquet::errors::ParquetError> {
        to_bytes(&self.columns(table, tileset), &[])
    }

    /// Reads the detail of an artefact's leave table; `None` if it has none.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn read(artefact: &Artefact, table: &LeaveTable) -> Result<Option<Detail>, TableError> {
        if !artefact.has(DETAIL_FILE) {
            return Ok(None);
        }
        let (path, bytes) = (artefact.path(DETAIL_FILE), artefact.payload(DETAIL_FILE)?);
        let fault = |reason: String| TableError::Content { path: path.clone(), reason };
        let mut columns = from_bytes(&path, bytes, &["standard_error", "support", "boards"])?.into_iter();
        let (Some(Column::Double(errors)), Some(Column::Int64(supports)), Some(Column::Int64(boards))) =
            (columns.next(), columns.next(), columns.next())
        else {
            return Err(fault("expected a column of doubles and two of 64-bit integers".into()));
        };
        let leaves = table.values().len() - 1;
        if errors.len() != leaves || supports.len() != leaves || boards.len() != leaves {
            return Err(fault(format!("it has {} rows, but the table has {leaves} leaves", errors.len())));
        }
        // The empty leave comes first.
        let whole = |column: Vec<i64>| [0].into_iter().chain(column).collect();
        let standard_error = [0.0].into_iter().chain(errors).collect();
        Ok(Some(Detail { support: whole(supports), boards: whole(boards), standard_error }))
    }
}
