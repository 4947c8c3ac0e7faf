//! The win table that is embedded in the engine, for `enable2k` and the English tiles, and the choice of a default table.
//!
//! Made with `configs/win-percentage/enable2k.toml` at commit 50576b1; today this config trains on other deals.

use tilewright_lexicons::WIN_PERCENTAGE;

use super::WinPercentage;
use super::scaled::scaled;
use crate::leave::embedded::{has_embedded, has_embedded_tiles};
use crate::lexicon::EMBEDDED_NAME;
use crate::setup::Setup;

/// Where the default table of a setup comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Trained for the setup's words and tiles.
    Embedded,
    /// Trained for the setup's tiles and other words, which change little.
    OtherWords,
    /// Computed from the tile set alone; see [`super::scaled`].
    Scaled,
}

impl Source {
    /// A warning for the user of the default table of a setup; `None` if it was trained for the setup.
    pub fn warning(self, setup: &Setup) -> Option<String> {
        let table = match self {
            Source::Embedded => return None,
            Source::OtherWords => {
                format!("was trained with the words of {EMBEDDED_NAME}, not with those of {}", setup.lexicon.name)
            }
            Source::Scaled => format!("is only scaled to the {} tile set", setup.tileset.name()),
        };
        Some(format!(
            "the default win table {table}; tilewright win-percentage train makes one, which --win-percentage PATH names"
        ))
    }
}

impl WinPercentage {
    /// The default table of a setup and where it comes from: the embedded one for the English tiles, otherwise one that is
    /// scaled to the tile set.
    pub fn for_setup(setup: &Setup) -> (WinPercentage, Source) {
        let source = if has_embedded(setup) { Source::Embedded } else { Source::OtherWords };
        let embedded =
            has_embedded_tiles(setup).then(|| WinPercentage::from_bytes(WIN_PERCENTAGE, &setup.tileset).ok()).flatten();
        embedded.map_or_else(|| (scaled(&setup.tileset), Source::Scaled), |table| (table, source))
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
    fn every_setup_has_a_default_table_with_its_source() {
        let cases = [
            (Setup::embedded("english").unwrap(), Source::Embedded),
            (two_words("english"), Source::OtherWords),
            (two_words("polish"), Source::Scaled),
        ];
        for (setup, expected) in cases {
            let (table, source) = WinPercentage::for_setup(&setup);
            assert_eq!((source, table.states()), (expected, States::from_tileset(&setup.tileset)));
            assert_eq!(source.warning(&setup).is_none(), expected == Source::Embedded);
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
