//! The data for features of the leave: a leave table, and its adjustments for few tiles in the bag.

use std::path::Path;
use std::sync::Arc;

use super::late::LateValues;
use super::load::{LATE_FILE, LEAVES_FILE, LEAVES_KIND, LeaveTableError};
use super::{LeaveTable, klv};
use crate::artefact::{ArtefactError, ArtefactOrFile, Loader};
use crate::folder::Folder;
use crate::hash::sha256_parts;
use crate::tileset::TileSet;

/// A leave table with its adjustments for few tiles in the bag. Cheap to clone.
#[derive(Clone, Debug)]
pub struct LeaveData {
    /// The table.
    pub table: Arc<LeaveTable>,
    /// The adjustments, or `None` if the table came without.
    pub late: Option<Arc<LateValues>>,
}

impl From<LeaveTable> for LeaveData {
    fn from(table: LeaveTable) -> LeaveData {
        LeaveData { table: Arc::new(table), late: None }
    }
}

impl LeaveData {
    /// Loads a table from an artefact folder or a bare file, with its adjustments if they are there.
    ///
    /// # Errors
    /// [`LeaveTableError`].
    pub fn load(path: &Path, loader: Loader<'_>) -> Result<LeaveData, LeaveTableError> {
        LeaveData::named(&ArtefactOrFile::open(path, LEAVES_KIND, loader)?, LEAVES_FILE, &loader.setup.tileset)
    }

    /// The table that is the payload `name` of an artefact of any kind, with the adjustments of the same artefact.
    pub(crate) fn named(place: &ArtefactOrFile, name: &str, tileset: &TileSet) -> Result<LeaveData, LeaveTableError> {
        let table = Arc::new(LeaveTable::named(place, name, tileset)?);
        match LateValues::read(place, tileset) {
            Ok(late) => Ok(LeaveData { table, late: Some(Arc::new(late)) }),
            Err(LeaveTableError::NoLateValues(_)) => Ok(LeaveData { table, late: None }),
            Err(error) => Err(error),
        }
    }

    /// A hash of all values.
    pub fn identity(&self, tileset: &TileSet) -> String {
        let values: Vec<u8> = self.table.values().iter().flat_map(|value| value.0.to_le_bytes()).collect();
        let late = self.late.as_ref().map(|late| late.to_csv(tileset)).unwrap_or_default();
        sha256_parts([&values, late.as_bytes()])
    }

    /// The payloads of an artefact in `folder` from which a loader reads the same values: names and contents.
    ///
    /// # Errors
    /// [`ArtefactError::Encoding`] if the table has values beyond the format.
    pub fn payloads(&self, tileset: &TileSet, folder: &Folder) -> Result<Vec<(&'static str, Vec<u8>)>, ArtefactError> {
        let table = klv::write(&self.table)
            .map_err(|error| ArtefactError::Encoding { path: folder.place(LEAVES_FILE), source: error.into() })?;
        let late = self.late.as_ref().map(|late| (LATE_FILE, late.to_csv(tileset).into_bytes()));
        Ok([(LEAVES_FILE, table)].into_iter().chain(late).collect())
    }
}
