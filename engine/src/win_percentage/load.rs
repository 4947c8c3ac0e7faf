//! Loading of win tables from artefact folders and bare files, and the choice of a default table.
//!
//! The win table that is embedded in the engine, for `enable2k` and the English tiles, was made with `configs/win-percentage/enable2k.toml` at
//! commit 50576b1. Today this config trains on other deals.
//!
//! A win table from the tile set alone, for tile sets without a trained table.
//!
//! The rest of a game is a sum of turns, so the variance of its remaining spread grows with the number of racks left, and the player to
//! move is part of a turn ahead. The win probability of a lead `s` with `u` unseen tiles is
//!
//! ```text
//! 1 / (1 + exp(-(s + A·p) / w)),   w = p · √(B + C·u / rack size),   with an empty bag w = p · (D + E·u / rack size)
//! ```
//!
//! where `p` is the mean score of a turn, in points. A to E are from self-play with the English tiles. `p` of another set is
//! estimated from its tile values, its rack size and its bingo bonus. The board and the lexicon do not enter, so the table
//! is a stand-in: `win-percentage train` makes a better one in minutes, and `win-percentage eval` measures how much better.

use std::path::{Path, PathBuf};

use thiserror::Error;

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
    /// It is computed from the tile set alone (see [`scaled`]).
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

/// A: the advantage of the player to move, in turns.
const TURN: f64 = 0.5;
/// B: the variance with no unseen tiles, in squared turns.
const LAST: f64 = 0.16;
/// C: the variance that each unseen rack adds, in squared turns.
const RACK: f64 = 0.143;
/// D and E: the width with an empty bag, and the addition for a full rack of the opponent, in turns.
const EMPTY_BAG: [f64; 2] = [0.15, 0.4];

/// The score of a turn without bingo bonuses, per point of a rack of mean tiles (13.1 points in English).
const POINTS_OF_RACK: f64 = 2.2;
/// Bingos per turn.
const BINGOS: f64 = 0.17;

/// `1 / (1 + exp(-lead / width))`.
pub fn logistic(lead: f64, width: f64) -> f64 {
    1.0 / (1.0 + (-lead / width).exp())
}

/// The estimated mean score of a turn with these tiles, in points.
pub(crate) fn points_of_turn(tileset: &TileSet) -> f64 {
    let rules = tileset.rules();
    let points: usize = tileset.kinds().iter().map(|kind| kind.count as usize * kind.value as usize).sum();
    let rack_points = (rules.rack_size * points) as f64 / tileset.total_tiles() as f64;
    POINTS_OF_RACK * rack_points + BINGOS * f64::from(rules.bingo_bonus)
}

/// The win table that is scaled to a tile set.
pub fn scaled(tileset: &TileSet) -> WinPercentage {
    let (states, turn) = (States::from_tileset(tileset), points_of_turn(tileset).max(1.0));
    WinPercentage::from_fn(states, WinPercentage::most_spread_of(tileset), |left, spread| {
        let racks = left.unseen() as f64 / states.rack_size as f64;
        let width = if left.bag == 0 { EMPTY_BAG[0] + EMPTY_BAG[1] * racks } else { (LAST + RACK * racks).sqrt() };
        logistic(f64::from(spread) + TURN * turn, turn * width)
    })
    .rounded()
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

    #[test]
    fn every_tile_set_has_a_table_that_rises() {
        for name in ["english", "english_super", "polish", "dutch"] {
            let tileset = TileSet::embedded(name).unwrap();
            let table = scaled(&tileset);
            let (states, most) = (table.states(), table.most_spread());
            assert_eq!((states, most), (States::from_tileset(&tileset), 5 * tileset.total_tiles() as i32));
            for left in states.all() {
                assert!(table.row(left).is_sorted(), "{name} {left:?}");
            }
            let start = TilesLeft { bag: states.most_bag, own: states.rack_size, other: states.rack_size };
            let probability = |lead| table.win_probability(start, Equity::from_points(lead));
            assert!((0.54..0.62).contains(&probability(0)), "{name}");
            assert!(probability(100) > 0.8 && probability(most) > 0.999, "{name}");
        }
    }
}
