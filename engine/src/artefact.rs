//! Artefacts: folders that describe themselves.
//!
//! An artefact has a `manifest.json` next to payloads in the field's own formats. A [`Loader`] states which game the artefact
//! must fit; [`Artefact::open`] reads the manifest and checks its kind, tile set and lexicon; [`Artefact::payload`] reads a
//! payload and checks its checksum. A type that can be loaded has its payload's name and its loading function next to it.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::hash::sha256;
use crate::setup::Setup;

mod loading;

pub use loading::{Artefact, ArtefactOrFile, Lexicons, Loader};

/// The file that makes a folder an artefact.
pub const MANIFEST: &str = "manifest.json";

/// How the names of half-written files begin.
pub const TEMPORARY: &str = ".tilewright-";

/// What an artefact is and how it was made. Nothing in it depends on when or how fast.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// `leaves`.
    pub kind: String,
    /// The tile set's name and hash.
    pub tileset: Identity,
    /// The lexicon's name and the hash of its words.
    pub lexicon: Identity,
    /// Version of the features it was made from.
    pub feature_set: String,
    /// The seed of the run.
    pub seed: u64,
    /// Version of the program that wrote it.
    pub code_version: String,
    /// Artefacts it was made from, by manifest hash.
    pub parents: Vec<String>,
    /// The run's whole config, as TOML.
    pub config: String,
    /// What was measured, by name.
    pub metrics: BTreeMap<String, f64>,
    /// SHA-256 of every payload, by file name.
    pub files: BTreeMap<String, String>,
}

/// A name for people and a hash for machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The name.
    pub name: String,
    /// SHA-256, hexadecimal.
    pub hash: String,
}

/// Why an artefact cannot be used or written.
#[derive(Debug, Error)]
pub enum ArtefactError {
    /// A file of it cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The manifest is not one.
    #[error("{path}: {source}; the artefact is damaged, make it again")]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// A payload is not what was written.
    #[error("{path}: the content does not match its checksum in {MANIFEST}; the artefact is torn, make it again")]
    Torn {
        /// The payload.
        path: PathBuf,
    },
    /// A payload that the manifest does not list.
    #[error("{path} has no {name}; its {MANIFEST} does not list it, make the artefact again")]
    Unlisted {
        /// The folder.
        path: PathBuf,
        /// The payload.
        name: String,
    },
    /// A payload whose name would lead out of the folder.
    #[error("{path}: the payload {name:?} is not a plain file name; the artefact is damaged, make it again")]
    PayloadName {
        /// The manifest.
        path: PathBuf,
        /// The payload.
        name: String,
    },
    /// Another kind of artefact.
    #[error("{path} holds {found}, not {wanted}")]
    Kind {
        /// The folder.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What is needed.
        wanted: String,
    },
    /// The artefact was made for another lexicon or another tile set.
    #[error(
        "{path} was made for the {what} {made_for}, this run plays {playing}; name the same one, or accept it with --accept-other-lexicon"
    )]
    Mismatch {
        /// The folder.
        path: PathBuf,
        /// `lexicon` or `tile set`.
        what: &'static str,
        /// Its own.
        made_for: String,
        /// The run's.
        playing: String,
    },
}

impl Manifest {
    /// Reads the manifest of a folder; checks that its payloads have plain file names and nothing else.
    ///
    /// # Errors
    /// [`ArtefactError`].
    fn read(folder: &Path) -> Result<Manifest, ArtefactError> {
        let path = folder.join(MANIFEST);
        let text = std::fs::read(&path).map_err(|source| ArtefactError::File { path: path.clone(), source })?;
        let manifest: Manifest =
            serde_json::from_slice(&text).map_err(|source| ArtefactError::Manifest { path: path.clone(), source })?;
        match manifest.files.keys().find(|name| !is_plain_file_name(name)) {
            Some(name) => Err(ArtefactError::PayloadName { path, name: name.clone() }),
            None => Ok(manifest),
        }
    }

    /// Adds a payload: writes the file and notes its checksum.
    ///
    /// # Errors
    /// [`ArtefactError::File`].
    pub fn add(&mut self, folder: &Path, name: &str, bytes: &[u8]) -> Result<(), ArtefactError> {
        write_atomically(&folder.join(name), bytes)?;
        self.files.insert(name.into(), sha256(bytes));
        Ok(())
    }

    /// Writes the manifest, last of all: a folder without one is no artefact yet.
    ///
    /// # Errors
    /// [`ArtefactError::File`].
    pub fn finish(&self, folder: &Path) -> Result<(), ArtefactError> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|source| ArtefactError::Manifest { path: folder.join(MANIFEST), source })?;
        write_atomically(&folder.join(MANIFEST), (text + "\n").as_bytes())
    }
}

impl Identity {
    /// The tile set of a setup, its board included.
    pub fn of_tileset(setup: &Setup) -> Identity {
        Identity { name: setup.tileset.name().into(), hash: setup.rules_hash() }
    }

    /// The lexicon of a setup.
    pub fn of_lexicon(setup: &Setup) -> Identity {
        Identity { name: setup.lexicon.name.clone(), hash: setup.lexicon.hash.clone() }
    }
}

impl std::fmt::Display for Identity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} ({})", self.name, self.hash.get(..12).unwrap_or(&self.hash))
    }
}

/// Whether a name stays in its folder on every system.
fn is_plain_file_name(name: &str) -> bool {
    !["", ".", ".."].contains(&name) && !name.contains(['/', '\\', ':', '\0'])
}

/// Writes a file that appears whole or not at all, also when the power fails.
///
/// # Errors
/// [`ArtefactError::File`], with the name of the file itself.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), ArtefactError> {
    let write = || -> std::io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        let mut permissions = file.as_file().metadata()?.permissions();
        make_readable(&mut permissions);
        file.as_file().set_permissions(permissions)?;
        file.persist(path).map_err(|error| error.error)?;
        // The new name is on disk when its folder is. Not every system can sync a folder.
        let _ = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    };
    write().map_err(|source| ArtefactError::File { path: path.into(), source: without_path(source) })
}

/// The system's own error, without the name of the temporary file that is added to it.
fn without_path(error: std::io::Error) -> std::io::Error {
    let inner = error.get_ref().and_then(std::error::Error::source).and_then(|source| source.downcast_ref());
    match inner.and_then(std::io::Error::raw_os_error) {
        Some(code) => std::io::Error::from_raw_os_error(code),
        None => error,
    }
}

/// Temporary files are private to their owner; results are not.
#[cfg(unix)]
fn make_readable(permissions: &mut std::fs::Permissions) {
    std::os::unix::fs::PermissionsExt::set_mode(permissions, 0o644);
}

#[cfg(not(unix))]
fn make_readable(_permissions: &mut std::fs::Permissions) {}
