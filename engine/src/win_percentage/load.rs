//! Loading of win tables from artefact folders and bare files.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{States, WinPercentage, csv, import};
use crate::artefact::{ArtefactError, ArtefactOrFile, Loader};
use crate::gzip;
use crate::tileset::TileSet;

/// The kind of artefact that holds a win table.
pub const WIN_PERCENTAGE_KIND: &str = "win-percentage";
/// The file name of the table in such an artefact.
pub const WIN_PERCENTAGE_FILE: &str = "win-percentage.csv";
/// The size limit of an unpacked table, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// Why a win table cannot be loaded for a setup.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WinTableError {
    /// The content of the file cannot be used.
    #[error("win table {path}: {reason}")]
    Table { path: PathBuf, reason: String },
    /// The artefact cannot be used.
    #[error("win table {0}")]
    Artefact(#[from] ArtefactError),
}

impl WinPercentage {
    /// Loads a table from an artefact folder, or from a file that may be gzipped: this project's CSV, Macondo's CSV,
    /// MAGPIE's text or Quackle's lines. The first line shows which it is.
    ///
    /// # Errors
    /// [`WinTableError`]. A bare file names no tile set and no lexicon, so only rack size and number of tiles are checked.
    pub fn load(path: &Path, loader: Loader<'_>) -> Result<WinPercentage, WinTableError> {
        WinPercentage::read(&ArtefactOrFile::open(path, WIN_PERCENTAGE_KIND, loader)?, &loader.setup.tileset)
    }

    /// Reads the table of an artefact or a file that is already open.
    ///
    /// # Errors
    /// As [`WinPercentage::load`].
    pub fn read(place: &ArtefactOrFile, tileset: &TileSet) -> Result<WinPercentage, WinTableError> {
        let (path, bytes) = place.read(WIN_PERCENTAGE_FILE)?;
        WinPercentage::from_bytes(&bytes, tileset).map_err(|reason| WinTableError::Table { path, reason })
    }

    /// Reads a table from the bytes of a file, gzipped or not.
    pub(super) fn from_bytes(bytes: &[u8], tileset: &TileSet) -> Result<WinPercentage, String> {
        let text = gzip::unpack_if_packed(bytes, MAX_BYTES).map_err(|error| gzip::reason(&error))?;
        let text = &text[..];
        let text = std::str::from_utf8(text).map_err(|error| format!("not UTF-8 from byte {}", error.valid_up_to()))?;
        let (rack_size, tiles) = (tileset.rules().rack_size, tileset.total_tiles());
        let name = tileset.name();
        if !text.trim_start_matches('\u{feff}').starts_with(csv::HEAD) {
            let table = import::read_any(text).map_err(|error| error.to_string())?;
            return table.table(rack_size, tiles).map_err(|reason| format!("not for the {name} tile set: {reason}"));
        }
        let table = csv::read_table(text).map_err(|error| error.to_string())?;
        let (own, playing) = (table.states(), States::from_tileset(tileset));
        if own == playing {
            return Ok(table);
        }
        Err(format!(
            "made for racks of {} and {} tiles in the bag after the deal; the {name} tile set has {} and {}",
            own.rack_size, own.most_bag, playing.rack_size, playing.most_bag
        ))
    }
}
