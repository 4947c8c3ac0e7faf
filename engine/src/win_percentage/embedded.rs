//! The win table that comes with the engine, for `enable2k` and the English tiles; and one for everybody else.
//!
//! It was made with `configs/win-percentage/enable2k.toml` at commit 50576b1, before training had deals of its own. The config now makes
//! a table from other games.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equity::Equity;
    use crate::tileset::TileSet;
    use crate::win_percentage::{States, TilesLeft};

    /// Two words, which no table was made for.
    fn two_words(tileset: &str) -> Setup {
        Setup::from_words(TileSet::embedded(tileset).unwrap(), "AN\nNA\n").unwrap()
    }

    #[test]
    fn everybody_has_a_table_and_knows_where_it_comes_from() {
        let cases = [
            (Setup::embedded("english").unwrap(), Source::Embedded),
            (two_words("english"), Source::OtherWords),
            (two_words("polish"), Source::Scaled),
        ];
        for (setup, expected) in cases {
            let (table, source) = WinPercentage::for_setup(&setup);
            assert_eq!((source, table.states()), (expected, States::from_tileset(&setup.tileset)));
        }
    }

    #[test]
    fn the_embedded_table_rises_and_knows_what_moving_first_is_worth() {
        let (table, _) = WinPercentage::for_setup(&Setup::embedded("english").unwrap());
        for left in table.states().all() {
            assert!(table.row(left).is_sorted(), "{left:?}");
        }
        let start = TilesLeft { bag: 86, own: 7, other: 7 };
        assert!((0.55..0.58).contains(&table.win_probability(start, Equity::ZERO)));
        assert!(table.turns(start) > 190_000);
    }
}
