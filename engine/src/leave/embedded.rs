//! The leave table that comes with the engine: for `enable2k` and the English tiles.
//!
//! It was made with `configs/leaves/enable2k.toml` at commit 50576b1, before training had deals of its own. The config now makes a table
//! from other games.

use thiserror::Error;

use super::late::LateValues;
use super::load::MOST_BYTES;
use super::{LeaveTable, klv};
use crate::artefact::Loader;
use crate::gzip::unpack;
use crate::lexicon::{EMBEDDED_HASH, EMBEDDED_NAME};
use crate::setup::Setup;
use crate::tileset::TileSet;

static TABLE: &[u8] = include_bytes!("../../../lexicons/leaves/enable2k.klv2.gz");
static LATE: &str = include_str!("../../../lexicons/leaves/enable2k.late.csv");

/// The tile set of the embedded table, on its own board.
const EMBEDDED_TILESET: &str = "english";
/// Their [`Setup::rules_hash`].
const EMBEDDED_RULES: &str = "8cb7071eb046d97acaa1d05414b91a278f202f91466c705ea6c57bd6e703315c";

/// The embedded table is for other words or other tiles.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the embedded leave table is for {EMBEDDED_NAME} and the {EMBEDDED_TILESET} tile set, not for {lexicon} and {tileset}; \
     make one with tilewright leaves train, and name it as leave:PATH"
)]
pub struct NotEmbedded {
    /// The lexicon played with.
    lexicon: String,
    /// The tile set played with.
    tileset: String,
}

/// Whether the embedded table is for these words and tiles.
pub fn has_embedded(setup: &Setup) -> bool {
    setup.lexicon.hash == EMBEDDED_HASH && has_embedded_tiles(setup)
}

/// Whether it is for these tiles on this board, whatever the words.
pub fn has_embedded_tiles(setup: &Setup) -> bool {
    setup.rules_hash() == EMBEDDED_RULES
}

/// The embedded table and its adjustments for few tiles in the bag.
///
/// # Errors
/// [`NotEmbedded`], unless the tile set is that of the table and the loader accepts its lexicon.
pub fn embedded(loader: Loader<'_>) -> Result<(LeaveTable, LateValues), NotEmbedded> {
    let Setup { lexicon, tileset, .. } = loader.setup;
    let refused = || NotEmbedded { lexicon: lexicon.name.clone(), tileset: tileset.name().into() };
    if !has_embedded_tiles(loader.setup) || !loader.accepts_lexicon(EMBEDDED_HASH) {
        return Err(refused());
    }
    read(tileset).ok_or_else(refused)
}

/// `None` if it is not of this tile set.
fn read(tileset: &TileSet) -> Option<(LeaveTable, LateValues)> {
    let (table, _) = klv::read(&unpack(TABLE, MOST_BYTES).ok()?, tileset).ok()?;
    Some((table, LateValues::from_csv(LATE, tileset).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefact::Lexicons;
    use crate::layout::Layout;
    use crate::rack::Rack;

    fn any(setup: &Setup) -> Loader<'_> {
        Loader::new(setup).with_lexicons(Lexicons::Any)
    }

    #[test]
    fn the_embedded_table_is_for_its_words_and_tiles() {
        let setup = Setup::embedded(EMBEDDED_TILESET).unwrap();
        assert_eq!((&*setup.lexicon.name, &*setup.lexicon.hash), (EMBEDDED_NAME, EMBEDDED_HASH));
        let (table, late) = embedded(Loader::new(&setup)).unwrap();
        let value = |leave| table.get(&Rack::parse(leave, &setup.tileset).unwrap()).unwrap().points();
        assert!(value("?") > 20.0 && value("S") > 5.0 && value("Q") < -5.0 && value("EIRST") > value("IUUVW"));
        assert_eq!(late.rows.len(), 8);

        let two_words = |tileset| Setup::from_words(TileSet::embedded(tileset).unwrap(), "AN\nNA\n").unwrap();
        let other = two_words(EMBEDDED_TILESET);
        assert!(embedded(Loader::new(&other)).unwrap_err().to_string().contains("not for text and english"));
        assert!(embedded(any(&other)).is_ok() && has_embedded(&setup) && !has_embedded(&other));
        let larger = Setup { layout: Layout::embedded("super").unwrap(), ..two_words(EMBEDDED_TILESET) };
        assert!(embedded(any(&larger)).is_err());
        assert!(embedded(any(&two_words("german"))).unwrap_err().to_string().contains("german"));
    }
}
