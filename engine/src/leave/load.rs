//! Loading of leave tables from artefact folders and bare files, and the data for features of the leave: a leave table, and its adjustments
//! for few tiles in the bag.
//!
//! The leave table that is embedded in the engine, for `enable2k` and the English tiles, was made with `configs/leaves/enable2k.toml` at commit
//! 50576b1. Today this config trains on other deals, and without the census of 128 boards that the last generation took then (study 8).

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use super::late::LateValues;
use super::{LeaveTable, csv, klv};
use crate::artefact::{ArtefactError, ArtefactOrFile, Loader};
use crate::embedded::FILES;
use crate::folder::Folder;
use crate::gzip::{self, unpack};
use crate::hash::sha256_parts;
use crate::lexicon::{EMBEDDED_HASH, EMBEDDED_NAME};
use crate::rack::Ranking;
use crate::setup::Setup;
use crate::tileset::TileSet;

/// The kind of artefact that holds a leave table.
pub const LEAVES_KIND: &str = "leaves";
/// The file name of the leave table in an artefact.
pub const LEAVES_FILE: &str = "leaves.klv2";
/// The file name of the adjustments for few tiles in the bag, in an artefact with a leave table.
pub const LATE_FILE: &str = "late.csv";

/// The most bytes of an unpacked leave table: every leave with all of its tiles in brackets, and 32 bytes for its value.
pub(super) fn most_bytes(tileset: &TileSet) -> u64 {
    let ranking = Ranking::new(&tileset.counts(), tileset.rules().rack_size - 1);
    let longest = tileset.kinds().iter().map(|kind| kind.label.len() + 2).max().unwrap_or_default();
    (ranking.len() * (ranking.max_size() * longest + 32)) as u64 + 1024
}

/// Why a leave table or its adjustments for few tiles in the bag cannot be loaded.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LeaveTableError {
    /// The artefact cannot be used, or a file cannot be read.
    #[error("leave table {0}")]
    Artefact(#[from] ArtefactError),
    /// The content of a file is wrong.
    #[error("leave table {path}: {reason}")]
    Content { path: PathBuf, reason: String },
    /// There are no adjustments for few tiles in the bag.
    #[error("leave table {0}; +late needs the adjustments that a leave run writes with late_games > 0")]
    NoLateValues(#[source] ArtefactError),
}

impl LeaveTable {
    /// Reads a leave table of an artefact, a `.klv2` (or `.klv`) or a `.csv`. Either file may be gzipped, with `.gz` added.
    ///
    /// # Errors
    /// [`LeaveTableError`]. A bare file names no lexicon, so only its tiles are checked. A `.klv2` must have every leave, a
    /// `.csv` need not ([`LeaveTable::estimate_warning`]).
    pub fn read(place: &ArtefactOrFile, tileset: &TileSet) -> Result<LeaveTable, LeaveTableError> {
        LeaveTable::named(place, LEAVES_FILE, tileset)
    }

    /// The same for a table that is the payload `name` of an artefact of any kind.
    pub(super) fn named(place: &ArtefactOrFile, name: &str, tileset: &TileSet) -> Result<LeaveTable, LeaveTableError> {
        let (path, bytes) = place.read(name)?;
        from_bytes(&path, bytes, tileset).map_err(|reason| LeaveTableError::Content { path, reason })
    }

    /// A warning for the user if the file of the table did not have every leave, or `None` if it did.
    pub fn estimate_warning(&self, path: &Path) -> Option<String> {
        let (estimated, all) = (self.estimated(), self.values().len() - 1);
        (estimated > 0).then(|| {
            format!(
                "leave table {} has {} of {all} leaves; the other {estimated} are estimated from smaller leaves",
                path.display(),
                all - estimated
            )
        })
    }
}

impl LateValues {
    /// Reads the adjustments for few tiles in the bag of an artefact, or of the file `NAME.late.csv` next to `NAME.klv2`.
    ///
    /// # Errors
    /// [`LeaveTableError`].
    pub fn read(place: &ArtefactOrFile, tileset: &TileSet) -> Result<LateValues, LeaveTableError> {
        let neighbour;
        let place = match place {
            ArtefactOrFile::Artefact(_) => place,
            ArtefactOrFile::File(table) => {
                let name = table.file_name().unwrap_or_default().to_string_lossy();
                let stem = name.split('.').next().unwrap_or_default();
                neighbour = ArtefactOrFile::File(table.with_file_name(format!("{stem}.{LATE_FILE}")));
                &neighbour
            }
        };
        // A file that the manifest of an artefact lists is there, or the artefact is damaged.
        let (path, bytes) = place.read(LATE_FILE).map_err(|error| match error {
            ArtefactError::Unlisted { .. } => LeaveTableError::NoLateValues(error),
            ArtefactError::File(ref missing) if missing.is_not_found() => LeaveTableError::NoLateValues(error),
            error => LeaveTableError::Artefact(error),
        })?;
        let values = text(&bytes).and_then(|text| LateValues::from_csv(text, tileset).map_err(|error| error.to_string()));
        values.map_err(|reason| LeaveTableError::Content { path, reason })
    }
}

/// Reads a table in the format of the file's extension.
fn from_bytes(path: &Path, bytes: Vec<u8>, tileset: &TileSet) -> Result<LeaveTable, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let most = most_bytes(tileset);
    let (name, bytes) = match name.strip_suffix(".gz") {
        None => (name.as_str(), bytes),
        Some(name) => (name, gzip::unpack(&bytes, most).map_err(|error| gzip::reason(&error))?),
    };
    if bytes.len() as u64 > most {
        let (found, tileset) = (bytes.len(), tileset.name());
        return Err(format!("it has {found} bytes; a leave table of the {tileset} tile set has at most {most}"));
    }
    let table = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("klv2" | "klv") => klv::read(&bytes, tileset).map_err(|error| error.to_string())?,
        Some("csv") => csv::read(text(&bytes)?, tileset).map_err(|error| error.to_string())?,
        _ => return Err("expected an artefact folder, a .klv2, a .klv2.gz or a .csv".into()),
    };
    Ok(table.0)
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| format!("not UTF-8 from byte {}", error.valid_up_to()))
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefact::{ArtefactWriter, MANIFEST, Origin};
    use crate::artefact::{Lexicons, Loader};
    use crate::layout::Layout;
    use crate::leave::LeaveData;
    use crate::rack::Rack;
    use crate::setup::Setup;

    #[test]
    fn only_a_missing_file_means_no_adjustments() {
        let setup = Setup::embedded("english").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("table.csv");
        std::fs::write(&table, "A,1\n").unwrap();
        let load = |path: &Path| LeaveData::load(path, Loader::new(&setup));
        assert!(load(&table).unwrap().late.is_none());
        // A folder of that name cannot be read.
        let late = folder.path().join("table.late.csv");
        std::fs::create_dir(&late).unwrap();
        let message = load(&table).unwrap_err().to_string();
        assert!(message.contains("table.late.csv"), "{message}");

        let ours = folder.path().join("ours");
        std::fs::create_dir(&ours).unwrap();
        let origin = Origin { seed: 1, ..Origin::default() };
        let mut artefact = ArtefactWriter::new(&crate::folder::Folder::open(&ours).unwrap(), LEAVES_KIND, &setup, origin);
        artefact.add(LEAVES_FILE, klv::write(&LeaveTable::zero(&setup.tileset)).unwrap()).unwrap();
        artefact.add(LATE_FILE, "").unwrap();
        artefact.finish().unwrap();
        std::fs::remove_file(ours.join(LATE_FILE)).unwrap();
        let message = load(&ours).unwrap_err().to_string();
        assert!(message.contains(LATE_FILE) && !message.contains("late_games"), "{message}");
        assert!(ours.join(MANIFEST).exists());
    }

    #[test]
    fn a_table_is_no_larger_than_all_leaves_of_its_tile_set() {
        let english = TileSet::embedded("english").unwrap();
        let most = most_bytes(&english) as usize;
        let every = csv::write(&LeaveTable::zero(&english), &english);
        assert!(every.len() < most && most < 60_000_000, "{} of {most}", every.len());
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, &vec![b'\n'; most + 1]).unwrap();
        let packed = packed.finish().unwrap();
        let reason = |name: &str, bytes: Vec<u8>| from_bytes(Path::new(name), bytes, &english).unwrap_err();
        assert!(reason("bomb.csv.gz", packed).contains(&format!("more than {most} bytes")));
        assert!(reason("long.csv", vec![b'\n'; most + 1]).contains(&format!("at most {most}")));
    }

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
