//! Opening artefacts and reading their payloads.

use std::path::{Path, PathBuf};

use super::{ArtefactError, Identity, MANIFEST, Manifest};
use crate::folder::{FileError, Folder};
use crate::hash::sha256;
use crate::input_file::{self, limits};
use crate::layout::Layout;
use crate::lexicon::Lexicon;
use crate::setup::Setup;
use crate::tileset::TileSet;

/// The accepted lexicons of artefacts, and of the games that a host plays. The tile set must always be the tile set in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lexicons {
    /// Only the lexicon of the game.
    Same,
    /// Any lexicon.
    Any,
}

/// The files that players use where their names have no path. Without a file they use the embedded one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables<'a> {
    /// The leave table of `leave` and its kin.
    pub leaves: Option<&'a Path>,
    /// The win table of players that simulate.
    pub win_percentage: Option<&'a Path>,
    /// The network of `network`.
    pub network: Option<&'a Path>,
}

/// The game that artefacts must fit.
#[derive(Clone, Copy, Debug)]
pub struct Loader<'a> {
    /// The setup of the game.
    pub setup: &'a Setup,
    /// The lexicons for which an artefact may have been made.
    pub lexicons: Lexicons,
    /// The files of players that name none.
    pub tables: Tables<'a>,
}

impl<'a> Loader<'a> {
    /// Creates a loader of artefacts made for the tile set and the lexicon of `setup`.
    pub fn new(setup: &'a Setup) -> Loader<'a> {
        Loader { setup, lexicons: Lexicons::Same, tables: Tables::default() }
    }

    /// Returns whether an artefact made for the lexicon with this hash is accepted.
    pub(crate) fn accepts_lexicon(&self, hash: &str) -> bool {
        self.lexicons == Lexicons::Any || self.setup.lexicon.hash == hash
    }
}

/// An artefact that fits the game. Its manifest is read once.
#[derive(Clone, Debug)]
pub struct Artefact {
    folder: Folder,
    manifest: Manifest,
}

impl Artefact {
    /// Opens the artefact in a folder and checks its kind and that it fits the game of `loader`. It reads no payload.
    ///
    /// # Errors
    /// [`ArtefactError`] if the manifest is invalid or the artefact does not fit.
    pub fn open(folder: &Path, kind: &str, loader: Loader<'_>) -> Result<Artefact, ArtefactError> {
        let artefact = Artefact::read(folder, kind)?;
        let Setup { tileset, layout, lexicon, .. } = loader.setup;
        artefact.check_rules(tileset, layout)?;
        if loader.lexicons == Lexicons::Same {
            artefact.check_lexicon(lexicon)?;
        }
        Ok(artefact)
    }

    /// Reads the artefact in a folder, whatever its game, and checks its kind. It reads no payload.
    ///
    /// # Errors
    /// [`ArtefactError`] if the manifest is invalid.
    pub fn read(folder: &Path, kind: &str) -> Result<Artefact, ArtefactError> {
        let artefact = Artefact::read_any(folder)?;
        if artefact.manifest.kind == kind {
            return Ok(artefact);
        }
        Err(ArtefactError::Kind { path: folder.into(), found: artefact.manifest.kind, wanted: kind.into() })
    }

    /// Reads the artefact in a folder, whatever its game and its kind. It reads no payload.
    ///
    /// # Errors
    /// [`ArtefactError`] if the manifest is invalid.
    pub fn read_any(folder: &Path) -> Result<Artefact, ArtefactError> {
        let folder = Folder::open(folder)?;
        if !folder.has(MANIFEST) && folder.has("work") {
            return Err(ArtefactError::Unfinished { path: folder.path().into() });
        }
        Ok(Artefact { manifest: Manifest::read(&folder)?, folder })
    }

    /// Checks that the artefact was made for a tile set with its rules and a board.
    ///
    /// # Errors
    /// [`ArtefactError::Mismatch`].
    pub fn check_rules(&self, tileset: &TileSet, layout: &Layout) -> Result<(), ArtefactError> {
        self.check("tile set", &self.manifest.tileset, &Identity::from_rules(tileset, layout))
    }

    /// Checks that the artefact was made for a lexicon.
    ///
    /// # Errors
    /// [`ArtefactError::Mismatch`].
    pub fn check_lexicon(&self, lexicon: &Lexicon) -> Result<(), ArtefactError> {
        self.check("lexicon", &self.manifest.lexicon, &Identity::from_lexicon(lexicon))
    }

    fn check(&self, what: &'static str, made_for: &Identity, playing: &Identity) -> Result<(), ArtefactError> {
        if made_for.hash == playing.hash {
            return Ok(());
        }
        let is_named_alike = what == "tile set" && made_for.name == playing.name;
        let difference = if is_named_alike { " with other tiles, rules or board" } else { "" };
        let (made_for, playing) = (made_for.to_string(), format!("{playing}{difference}"));
        Err(ArtefactError::Mismatch { path: self.folder().into(), what, made_for, playing })
    }

    /// Returns the path of the folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns whether there is a payload of this name.
    pub fn has(&self, name: &str) -> bool {
        self.manifest.files.contains_key(name)
    }

    /// Returns the path of a payload, for messages.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.place(name)
    }

    /// Reads a payload and verifies its checksum.
    ///
    /// # Errors
    /// [`ArtefactError`] if there is no such payload, or the file cannot be read or has changed.
    pub fn payload(&self, name: &str) -> Result<Vec<u8>, ArtefactError> {
        let Some(checksum) = self.manifest.files.get(name) else {
            return Err(ArtefactError::Unlisted { path: self.folder().into(), name: name.into() });
        };
        let bytes = match name.split_once('/') {
            Some((folder, name)) => self.folder.folder(folder)?.read(name, limits::TABLE)?,
            None => self.folder.read(name, limits::TABLE)?,
        };
        match bytes {
            Some(bytes) if sha256(&bytes) == *checksum => Ok(bytes),
            Some(_) => Err(ArtefactError::Torn { path: self.path(name) }),
            None => Err(ArtefactError::Lost { path: self.path(name) }),
        }
    }

    /// Verifies that all payloads are there, with their checksums.
    ///
    /// # Errors
    /// As [`Artefact::payload`].
    pub fn check_payloads(&self) -> Result<(), ArtefactError> {
        self.manifest.files.keys().try_for_each(|name| self.payload(name).map(drop))
    }
}

/// An artefact folder, or a bare file, which does not state its tile set and lexicon.
#[derive(Clone, Debug)]
pub enum ArtefactOrFile {
    /// The folder.
    Artefact(Box<Artefact>),
    /// The file, which is not read yet.
    File(PathBuf),
}

impl ArtefactOrFile {
    /// Opens a path. A folder must be an artefact of this kind.
    ///
    /// # Errors
    /// [`ArtefactError`] for a folder. It does not check whether a bare file exists.
    pub fn open(path: &Path, kind: &str, loader: Loader<'_>) -> Result<ArtefactOrFile, ArtefactError> {
        if path.is_dir() {
            Ok(ArtefactOrFile::Artefact(Box::new(Artefact::open(path, kind, loader)?)))
        } else {
            Ok(ArtefactOrFile::File(path.into()))
        }
    }

    /// Reads a payload of an artefact, or the bare file. Returns the path and the bytes.
    ///
    /// # Errors
    /// [`ArtefactError`] as for [`Artefact::payload`].
    pub fn read(&self, payload: &str) -> Result<(PathBuf, Vec<u8>), ArtefactError> {
        match self {
            ArtefactOrFile::Artefact(artefact) => Ok((artefact.path(payload), artefact.payload(payload)?)),
            ArtefactOrFile::File(path) => match input_file::read(path) {
                Ok(bytes) => Ok((path.clone(), bytes)),
                Err(source) => Err(FileError::File { path: path.clone(), source }.into()),
            },
        }
    }

    /// Returns the artefact, or `None` for a bare file.
    pub fn artefact(self) -> Option<Artefact> {
        match self {
            ArtefactOrFile::Artefact(artefact) => Some(*artefact),
            ArtefactOrFile::File(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefact::{ArtefactWriter, MANIFEST, Origin};

    fn setup(tileset: &str, words: &str) -> Setup {
        Setup::from_words(TileSet::embedded(tileset).unwrap(), words).unwrap()
    }

    /// Writes an artefact with two payloads.
    fn write(folder: &Path, setup: &Setup) -> Manifest {
        let origin = Origin { feature_set: "none".into(), seed: 1, ..Origin::default() };
        let folder = Folder::open(folder).unwrap();
        let mut writer = ArtefactWriter::new(&folder, "leaves", setup, origin);
        writer.add("table", "one").unwrap();
        writer.add("other", "two").unwrap();
        writer.finish().unwrap();
        Artefact::read_any(folder.path()).unwrap().manifest().clone()
    }

    #[test]
    fn an_artefact_must_fit_the_game() {
        let folder = tempfile::tempdir().unwrap();
        let english = |words| setup("english", words);
        let made_for = english("AN\nNA\n");
        let manifest = write(folder.path(), &made_for);
        let artefact = Artefact::open(folder.path(), "leaves", Loader::new(&made_for)).unwrap();
        assert_eq!((artefact.manifest(), manifest.seed), (&manifest, 1));
        assert_eq!(artefact.payload("table").unwrap(), b"one");

        let refused = |kind: &str, loader: Loader<'_>| Artefact::open(folder.path(), kind, loader).unwrap_err().to_string();
        assert!(refused("linear", Loader::new(&made_for)).ends_with("holds leaves, not linear"));
        let other = english("AT\nTA\n");
        let message = refused("leaves", Loader::new(&other));
        assert!(message.contains("for the lexicon text (") && message.contains("use the same lexicon"), "{message}");
        let any = Loader { lexicons: Lexicons::Any, ..Loader::new(&other) };
        assert!(Artefact::open(folder.path(), "leaves", any).is_ok());
        let german = setup("german", "AN\nNA\n");
        let any = Loader { lexicons: Lexicons::Any, ..Loader::new(&german) };
        assert!(refused("leaves", any).contains("for the tile set english ("));
        let text = crate::configs::text("tilesets", "english").unwrap().to_string() + "passes_to_end = 4\n";
        let four_passes = Setup::from_words(TileSet::from_toml(&text, "english").unwrap(), "AN\nNA\n").unwrap();
        let message = refused("leaves", Loader::new(&four_passes));
        assert!(
            message.contains("this run uses english (") && message.contains("with other tiles, rules or board"),
            "{message}"
        );
    }

    #[test]
    fn payloads_that_changed_or_are_missing_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let setup = setup("english", "AN\nNA\n");
        write(folder.path(), &setup);
        std::fs::write(folder.path().join("table"), b"own").unwrap();
        std::fs::write(folder.path().join("stray"), b"not listed").unwrap();
        let artefact = Artefact::open(folder.path(), "leaves", Loader::new(&setup)).unwrap();
        let refused = |name: &str| artefact.payload(name).unwrap_err().to_string();
        assert!(refused("table").contains("table: the content does not match its checksum"));
        assert!(refused("stray").contains("has no stray"));
        assert_eq!(artefact.payload("other").unwrap(), b"two");
        std::fs::remove_file(folder.path().join("other")).unwrap();
        assert!(refused("other").contains("other is listed in manifest.json and is not there"));
        assert!(artefact.check_payloads().is_err());
    }

    #[test]
    fn a_manifest_that_is_damaged_or_leads_out_of_its_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let setup = setup("english", "AN\nNA\n");
        let manifest = write(folder.path(), &setup);
        let refused = || Artefact::open(folder.path(), "leaves", Loader::new(&setup)).unwrap_err().to_string();
        let text = serde_json::to_string(&manifest).unwrap();
        // As it was written before manifests had a checksum of themselves; a changed figure is found if they have.
        let unsealed = serde_json::to_string(&Manifest { checksum: String::new(), ..manifest.clone() }).unwrap();
        std::fs::write(folder.path().join(MANIFEST), &unsealed).unwrap();
        assert!(Artefact::open(folder.path(), "leaves", Loader::new(&setup)).is_ok());
        std::fs::write(folder.path().join(MANIFEST), text.replace("\"seed\":1", "\"seed\":2")).unwrap();
        assert!(refused().contains("does not match its own checksum"));
        for name in ["", ".", "..", "../x", "/etc/passwd", "below/x/y", "work/..", "below\\x", "C:x", "x\0"] {
            let escaping = unsealed.replace("\"table\"", &serde_json::to_string(name).unwrap());
            std::fs::write(folder.path().join(MANIFEST), escaping).unwrap();
            let message = refused();
            assert!(message.contains(&format!("{name:?} is not a plain file name")), "{message}");
        }
        std::fs::write(folder.path().join(MANIFEST), "{").unwrap();
        assert!(refused().contains("the artefact is damaged"));
        std::fs::remove_file(folder.path().join(MANIFEST)).unwrap();
        assert!(refused().contains("manifest.json: No such file"));
    }
}
