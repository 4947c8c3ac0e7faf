//! Loading of win tables from artefact folders and bare files, and the choice of a default table.
//!
//! The win table that is embedded in the engine, for `enable2k` and the English tiles, was made with `configs/win-percentage/enable2k.toml` at
//! commit 50576b1. Today this config trains on other deals.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::scaled::scaled;
use super::{States, WinPercentage, csv, import};
use crate::artefact::{ArtefactError, ArtefactOrFile, Loader};
use crate::embedded::FILES;
use crate::gzip;
use crate::leave::load::{has_embedded, has_embedded_tiles};
use crate::lexicon::EMBEDDED_NAME;
use crate::setup::Setup;
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

/// The default win table of a setup was not trained for it.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DefaultWinTable {
    /// It was trained for the setup's tiles. Other words change little.
    #[error("the default win table was trained with the words of {EMBEDDED_NAME}, not with those of {lexicon}")]
    OtherWords { lexicon: String },
    /// It is computed from the tile set alone (see [`super::scaled`]).
    #[error("the default win table is only scaled to the {tileset} tile set")]
    Scaled { tileset: String },
}

impl WinPercentage {
    /// The default table of a setup: the embedded one for the English tiles, otherwise a table scaled to the tile set. The
    /// second result warns of a table that was not trained for the setup.
    pub fn for_setup(setup: &Setup) -> (WinPercentage, Option<DefaultWinTable>) {
        let fits = FILES.filter(|_| has_embedded_tiles(setup));
        let embedded = fits.and_then(|files| WinPercentage::from_bytes(files.win_percentage, &setup.tileset).ok());
        match embedded {
            Some(table) if has_embedded(setup) => (table, None),
            Some(table) => (table, Some(DefaultWinTable::OtherWords { lexicon: setup.lexicon.name.clone() })),
            None => (scaled(&setup.tileset), Some(DefaultWinTable::Scaled { tileset: setup.tileset.name().into() })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equity::Equity;
    use crate::tileset::TileSet;
    use crate::win_percentage::{States, TilesLeft};

    /// A setup with two words, for which no table was made.
    fn two_words(tileset: &str) -> Setup {
        Setup::from_words(TileSet::embedded(tileset).unwrap(), "AN\nNA\n").unwrap()
    }

    #[test]
    fn every_setup_has_a_default_table_with_a_warning_if_it_is_of_another() {
        let cases = [
            (Setup::embedded("english").unwrap(), None),
            (two_words("english"), Some(DefaultWinTable::OtherWords { lexicon: "text".into() })),
            (two_words("polish"), Some(DefaultWinTable::Scaled { tileset: "polish".into() })),
        ];
        for (setup, expected) in cases {
            let (table, warning) = WinPercentage::for_setup(&setup);
            assert_eq!((warning, table.states()), (expected, States::from_tileset(&setup.tileset)));
        }
    }

    #[test]
    fn the_embedded_table_rises_and_favours_the_player_to_move() {
        let (table, _) = WinPercentage::for_setup(&Setup::embedded("english").unwrap());
        for left in table.states().all() {
            assert!(table.row(left).is_sorted(), "{left:?}");
        }
        let start = TilesLeft { bag: 86, own: 7, other: 7 };
        assert!((0.55..0.58).contains(&table.win_probability(start, Equity::ZERO)));
        assert!(table.turns(start) > 190_000);
    }
}
