//! What stands behind each value of a leave table: support and standard error, as `leaves.parquet`.

use std::path::Path;

use tilewright_engine::leave::LeaveTable;
use tilewright_engine::rack::{MAX_SUB_RACKS, Rack, Ranking, SubRacks};
use tilewright_engine::tileset::TileSet;

use crate::parquet_file::{Column, TableError, read, to_bytes};
use crate::rack_values::RackValues;

/// The file beside the table.
pub const DETAIL_FILE: &str = "leaves.parquet";

/// Support and standard error of every leave, by its number; entry 0 is the empty leave.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// Observed turns whose rack held the leave.
    pub support: Vec<i64>,
    /// Standard error of the value, in points.
    pub standard_error: Vec<f64>,
}

/// Turns whose rack held each leave.
pub fn support(data: &RackValues, tileset: &TileSet) -> Vec<i64> {
    let racks = Ranking::new(&tileset.counts(), tileset.rules().rack_size);
    let leaves = Ranking::new(&tileset.counts(), tileset.rules().rack_size - 1);
    let first = racks.of_size(racks.max_size()).start;
    let mut support = vec![0; leaves.len()];
    let mut indices = [None; MAX_SUB_RACKS];
    for entry in data.entries() {
        let numbers = SubRacks::new(&racks.unrank(first + entry.rack as usize));
        leaves.sub_indices(&numbers, &mut indices);
        for &index in indices[..numbers.len()].iter().flatten() {
            support[index as usize] += i64::from(entry.count);
        }
    }
    support
}

impl Detail {
    /// The bytes of the file: `leave`, `value`, `standard_error`, `support`.
    ///
    /// # Errors
    /// What the Parquet writer says.
    pub fn to_bytes(&self, table: &LeaveTable, tileset: &TileSet) -> Result<Vec<u8>, parquet::errors::ParquetError> {
        let leaves = (1..table.ranking().len()).map(|index| table.ranking().unrank(index));
        let name = |leave: Rack| tileset.show_all(&leave.tiles().collect::<Vec<_>>());
        to_bytes(&[
            ("leave".into(), Column::Text(leaves.map(name).collect())),
            ("value".into(), Column::Double(table.values()[1..].iter().map(|value| value.points()).collect())),
            ("standard_error".into(), Column::Double(self.standard_error[1..].to_vec())),
            ("support".into(), Column::Int64(self.support[1..].to_vec())),
        ])
    }

    /// Reads the file beside the table of an artefact folder.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn read(folder: &Path, table: &LeaveTable) -> Result<Detail, TableError> {
        let path = folder.join(DETAIL_FILE);
        let fault = |reason: &str| TableError::Content { path: path.clone(), reason: reason.into() };
        let mut columns = read(&path, &["standard_error", "support"])?.into_iter();
        let (Some(Column::Double(errors)), Some(Column::Int64(supports))) = (columns.next(), columns.next()) else {
            return Err(fault("columns of other types than a leave table has"));
        };
        if errors.len() + 1 != table.values().len() || supports.len() != errors.len() {
            return Err(fault("another number of leaves than the table has"));
        }
        let standard_error = [0.0].into_iter().chain(errors).collect();
        Ok(Detail { support: [0].into_iter().chain(supports).collect(), standard_error })
    }
}
