//! The leave table that is embedded in the engine, for `enable2k` and the English tiles.
//!
//! Made with `configs/leaves/enable2k.toml` at commit 50576b1. Today this config trains on other deals, and without the
//! census of 128 boards that the last generation took then (study 8).

use std::sync::{Arc, OnceLock};

use thiserror::Error;

use super::late::LateValues;
use super::load::most_bytes;
use super::{LeaveData, klv};
use crate::artefact::Loader;
use crate::embedded::FILES;
use crate::gzip::unpack;
use crate::lexicon::{EMBEDDED_HASH, EMBEDDED_NAME};
use crate::setup::Setup;
use crate::tileset::TileSet;

/// The tile set of the embedded table, on its own board.
const EMBEDDED_TILESET: &str = "english";
/// The [`Setup::rules_hash`] of that tile set and board.
const EMBEDDED_RULES: &str = "8cb7071eb046d97acaa1d05414b91a278f202f91466c705ea6c57bd6e703315c";

/// The embedded table is for another lexicon, tile set or board, or this build has none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the embedded leave table is for {EMBEDDED_NAME} and the {EMBEDDED_TILESET} tile set, not for {lexicon} and {tileset}"
)]
pub struct NotEmbedded {
    /// The name of the setup's lexicon.
    pub lexicon: String,
    /// The name of the setup's tile set.
    pub tileset: String,
}

/// Whether the embedded table is for the lexicon, the tile set and the board of a setup.
pub(crate) fn has_embedded(setup: &Setup) -> bool {
    setup.lexicon.hash == EMBEDDED_HASH && has_embedded_tiles(setup)
}

/// Whether the embedded table is for the tile set and the board of a setup, whatever the lexicon.
pub(crate) fn has_embedded_tiles(setup: &Setup) -> bool {
    setup.rules_hash() == EMBEDDED_RULES
}

impl LeaveData {
    /// The embedded table and its adjustments for few tiles in the bag.
    ///
    /// # Errors
    /// [`NotEmbedded`] if the table is for another tile set or board, or for a lexicon that the loader does not accept.
    pub fn embedded(loader: Loader<'_>) -> Result<LeaveData, NotEmbedded> {
        // The rules always come from the embedded tile set, so a process reads its files once.
        static READ: OnceLock<Option<LeaveData>> = OnceLock::new();
        let Setup { lexicon, tileset, .. } = loader.setup;
        let refused = || NotEmbedded { lexicon: lexicon.name.clone(), tileset: tileset.name().into() };
        if !has_embedded_tiles(loader.setup) || !loader.accepts_lexicon(EMBEDDED_HASH) {
            return Err(refused());
        }
        READ.get_or_init(|| read(tileset)).clone().ok_or_else(refused)
    }
}

/// Returns `None` if no files are embedded, or if they do not fit the tile set.
fn read(tileset: &TileSet) -> Option<LeaveData> {
    let (table, late) = FILES?.leaves;
    let (table, _) = klv::read(&unpack(table, most_bytes(tileset)).ok()?, tileset).ok()?;
    Some(LeaveData { table: Arc::new(table), late: Some(Arc::new(LateValues::from_csv(late, tileset).ok()?)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefact::Lexicons;
    use crate::layout::Layout;
    use crate::rack::Rack;

    fn any_lexicon(setup: &Setup) -> Loader<'_> {
        Loader { lexicons: Lexicons::Any, ..Loader::new(setup) }
    }

    #[test]
    fn the_embedded_table_is_for_its_words_and_tiles() {
        let setup = Setup::embedded(EMBEDDED_TILESET).unwrap();
        assert_eq!((&*setup.lexicon.name, &*setup.lexicon.hash), (EMBEDDED_NAME, EMBEDDED_HASH));
        let LeaveData { table, late } = LeaveData::embedded(Loader::new(&setup)).unwrap();
        let value = |leave| table.get(&Rack::parse(leave, &setup.tileset).unwrap()).unwrap().points();
        assert!(value("?") > 20.0 && value("S") > 5.0 && value("Q") < -5.0 && value("EIRST") > value("IUUVW"));
        assert_eq!(late.unwrap().rows.len(), 8);

        let two_words = |tileset| Setup::from_words(TileSet::embedded(tileset).unwrap(), "AN\nNA\n").unwrap();
        let other = two_words(EMBEDDED_TILESET);
        assert!(LeaveData::embedded(Loader::new(&other)).unwrap_err().to_string().contains("not for text and english"));
        assert!(LeaveData::embedded(any_lexicon(&other)).is_ok() && has_embedded(&setup) && !has_embedded(&other));
        let larger = Setup { layout: Layout::embedded("super").unwrap(), ..two_words(EMBEDDED_TILESET) };
        assert!(LeaveData::embedded(any_lexicon(&larger)).is_err());
        assert!(LeaveData::embedded(any_lexicon(&two_words("german"))).unwrap_err().to_string().contains("german"));
    }
}
