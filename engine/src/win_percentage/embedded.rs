//! The win table that is embedded in the engine, for `enable2k` and the English tiles, and the choice of a default table.
//!
//! Made with `configs/win-percentage/enable2k.toml` at commit 50576b1. Today this config trains on other deals.

use thiserror::Error;

use super::WinPercentage;
use super::scaled::scaled;
use crate::embedded::FILES;
use crate::leave::embedded::{has_embedded, has_embedded_tiles};
use crate::lexicon::EMBEDDED_NAME;
use crate::setup::Setup;

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
