//! The win table that comes with the engine, for `enable2k` and the English tiles; and one for everybody else.
//!
//! `configs/win-percentage/enable2k.toml` makes it again, bit for bit on a machine with the same floating-point kernels.

use super::WinPercentage;
use super::scaled::scaled;
use crate::leave::embedded::{has_embedded, has_embedded_tiles};
use crate::setup::Setup;

static TABLE: &[u8] = include_bytes!("../../../lexicons/win-percentage/enable2k.csv.gz");

/// Where a table that nobody named comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Trained for these words and tiles.
    Embedded,
    /// Trained for these tiles and other words, which change little.
    OtherWords,
    /// Scaled from what the tile set says alone; see [`super::scaled`].
    Scaled,
}

impl WinPercentage {
    /// The table for a game that names none: the embedded one for the English tiles, else one that is scaled to the tile set;
    /// and which it is.
    pub fn for_setup(setup: &Setup) -> (WinPercentage, Source) {
        let source = if has_embedded(setup) { Source::Embedded } else { Source::OtherWords };
        let embedded = has_embedded_tiles(setup).then(|| WinPercentage::from_bytes(TABLE, setup).ok()).flatten();
        embedded.map_or_else(|| (scaled(&setup.tileset), Source::Scaled), |table| (table, source))
    }
}
