//! Artefacts: folders that say what they are.
//!
//! `manifest.json` beside payloads in the field's own formats. Loading checks every checksum, and that the artefact was made
//! for the tile set and the lexicon at hand.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::hash::sha256;
use crate::setup::Setup;

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
    /// Made for other words or other tiles.
    #[error(
        "{path} was made for the {what} {made_for}, this run plays {playing}; name the same one, or accept it with --accept-other-lexicon"
    )]
    Foreign {
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
    /// Reads and checks the artefact in a folder: its kind, the checksum of every payload, and the hashes of tile set and
    /// lexicon (`accept_other_lexicon` lets another lexicon pass, never another tile set).
    ///
    /// # Errors
    /// [`ArtefactError`].
    pub fn load(folder: &Path, kind: &str, setup: &Setup, accept_other_lexicon: bool) -> Result<Manifest, ArtefactError> {
        let path = folder.join(MANIFEST);
        let text = std::fs::read(&path).map_err(|source| ArtefactError::File { path: path.clone(), source })?;
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|source| ArtefactError::Manifest { path, source })?;
        if manifest.kind != kind {
            return Err(ArtefactError::Kind { path: folder.into(), found: manifest.kind, wanted: kind.into() });
        }
        for (name, checksum) in &manifest.files {
            let path = folder.join(name);
            let bytes = std::fs::read(&path).map_err(|source| ArtefactError::File { path: path.clone(), source })?;
            if sha256(&bytes) != *checksum {
                return Err(ArtefactError::Torn { path });
            }
        }
        let playing = [Identity::of_tileset(setup), Identity::of_lexicon(setup)];
        let own = [&manifest.tileset, &manifest.lexicon];
        for ((what, made_for), playing) in ["tile set", "lexicon"].into_iter().zip(own).zip(playing) {
            if made_for.hash != playing.hash && (what == "tile set" || !accept_other_lexicon) {
                let (made_for, playing) = (made_for.to_string(), playing.to_string());
                return Err(ArtefactError::Foreign { path: folder.into(), what, made_for, playing });
            }
        }
        Ok(manifest)
    }

    /// The bytes of one payload of an artefact, if its manifest lists it and its checksum is right; `None` if it does not.
    ///
    /// # Errors
    /// [`ArtefactError`].
    pub fn payload(folder: &Path, name: &str) -> Result<Option<Vec<u8>>, ArtefactError> {
        let path = folder.join(MANIFEST);
        let text = std::fs::read(&path).map_err(|source| ArtefactError::File { path: path.clone(), source })?;
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|source| ArtefactError::Manifest { path, source })?;
        let Some(checksum) = manifest.files.get(name) else { return Ok(None) };
        let path = folder.join(name);
        let bytes = std::fs::read(&path).map_err(|source| ArtefactError::File { path: path.clone(), source })?;
        if sha256(&bytes) == *checksum { Ok(Some(bytes)) } else { Err(ArtefactError::Torn { path }) }
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

/// Writes a file that appears whole or not at all.
///
/// # Errors
/// [`ArtefactError::File`].
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), ArtefactError> {
    let write = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        let mut permissions = file.as_file().metadata()?.permissions();
        make_readable(&mut permissions);
        file.as_file().set_permissions(permissions)?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|source| ArtefactError::File { path: path.into(), source })
}

/// Temporary files are private to their owner; results are not.
#[cfg(unix)]
fn make_readable(permissions: &mut std::fs::Permissions) {
    std::os::unix::fs::PermissionsExt::set_mode(permissions, 0o644);
}

#[cfg(not(unix))]
fn make_readable(_permissions: &mut std::fs::Permissions) {}
