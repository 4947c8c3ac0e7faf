//! Support and standard error of each value of a leave table, stored as `leaves.parquet`.

use serde::{Deserialize, Serialize};
use tilewright_engine::{Artefact, LeaveTable, Rack, TileSet};

use super::lattice::Lattice;
use crate::parquet_file::{Column, TableError, to_bytes};
use crate::rack_values::RackValues;
use crate::schema::{Schema, double, int64, text};

/// The columns.
pub const SCHEMA: Schema = Schema {
    name: "leaves",
    row: "a leave",
    fields: &[
        text("leave", "the tiles; ? is a blank, [CH] one tile"),
        double("value", "value of keeping the leave").points().view("player who keeps it"),
        double("standard_error", "standard error of the value; NaN if the table does not know").points().or_unknown(),
        int64("support", "turns of self-play whose rack contained the leave; 0 if the table does not know").unit("turns"),
    ],
};

/// The file name, next to the table.
pub const DETAIL_FILE: &str = "leaves.parquet";

/// Support and standard error of every leave, by its number. Entry 0 is the empty leave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    /// Turns of self-play whose rack contained the leave.
    pub support: Vec<i64>,
    /// Standard error of the value, in points.
    pub standard_error: Vec<f64>,
}

/// For each leave, the number of observations of racks that contain it.
pub(super) fn support(data: &RackValues, lattice: &Lattice) -> Vec<i64> {
    let racks = lattice.racks();
    let mut counts = vec![0; racks.end];
    for entry in data.entries() {
        counts[racks.start + entry.rack as usize] = i64::from(entry.count);
    }
    lattice.sum_over_wholes(&mut counts);
    counts.truncate(racks.start);
    counts
}

impl Detail {
    /// The columns of [`SCHEMA`] for a table.
    pub fn columns(&self, table: &LeaveTable, tileset: &TileSet) -> Vec<(String, Column)> {
        let leaves = (1..table.ranking().len()).map(|index| table.ranking().unrank(index));
        let name = |leave: Rack| tileset.show_all(&leave.tiles().collect::<Vec<_>>());
        vec![
            ("leave".into(), Column::Text(leaves.map(name).collect())),
            ("value".into(), Column::Double(table.values()[1..].iter().map(|value| value.points()).collect())),
            ("standard_error".into(), Column::Double(self.standard_error[1..].to_vec())),
            ("support".into(), Column::Int64(self.support[1..].to_vec())),
        ]
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// An error of the Parquet writer.
    pub fn to_bytes(&self, table: &LeaveTable, tileset: &TileSet) -> Result<Vec<u8>, parquet::errors::ParquetError> {
        to_bytes(&self.columns(table, tileset), &[])
    }

    /// Reads the detail of an artefact's leave table, or `None` if the artefact holds no detail.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn read(artefact: &Artefact, table: &LeaveTable) -> Result<Option<Detail>, TableError> {
        if !artefact.has(DETAIL_FILE) {
            return Ok(None);
        }
        let (path, bytes) = (artefact.path(DETAIL_FILE), artefact.payload(DETAIL_FILE)?);
        let fault = |reason: String| TableError::Content { path: path.clone(), reason };
        let mut columns = SCHEMA.read(&path, bytes, &["standard_error", "support"])?.into_iter();
        let (Some(Column::Double(errors)), Some(Column::Int64(supports))) = (columns.next(), columns.next()) else {
            return Err(fault("expected a column of doubles and one of 64-bit integers".into()));
        };
        let leaves = table.values().len() - 1;
        if errors.len() != leaves || supports.len() != leaves {
            return Err(fault(format!("it has {} rows, but the table has {leaves} leaves", errors.len())));
        }
        // The empty leave comes first.
        let support = [0].into_iter().chain(supports).collect();
        let standard_error = [0.0].into_iter().chain(errors).collect();
        Ok(Some(Detail { support, standard_error }))
    }
}
