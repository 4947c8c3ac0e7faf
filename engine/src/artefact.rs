//! Artefacts: folders that describe themselves.
//!
//! An artefact has a `manifest.json` next to payloads in the field's own formats. A [`Loader`] states which game the artefact
//! must fit; [`Artefact::open`] reads the manifest and checks its kind, tile set and lexicon; [`Artefact::payload`] reads a
//! payload and checks its checksum. [`ArtefactWriter`] writes the payloads, and the manifest last. A type that can be loaded
//! has its payload's name and its loading function next to it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::setup::Setup;

mod file;
mod writing;
mod loading;

pub use file::{TEMPORARY, write_atomically};
pub use loading::{Artefact, ArtefactOrFile, Lexicons, Loader};
pub use writing::{ArtefactWriter, Origin};

/// The file that makes a folder an artefact.
pub const MANIFEST: &str = "manifest.json";

/// What an artefact is and how it was made. Nothing in it depends on when or how fast it was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// What it holds: `leaves`, `linear`, `win-percentage` or `records`.
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
    /// A payload cannot be encoded.
    #[error("{path}: {source}")]
    Encoding {
        /// The payload.
        path: PathBuf,
        /// What the encoder said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The manifest cannot be read.
    #[error("{path}: {source}; the artefact is damaged, make it again")]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// A payload has changed since it was written.
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
        /// What the artefact was made for.
        made_for: String,
        /// What the run plays.
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
}

impl Identity {
    /// The tile set of a game, with its board.
    pub fn from_tileset(setup: &Setup) -> Identity {
        Identity { name: setup.tileset.name().into(), hash: setup.rules_hash() }
    }

    /// The lexicon of a game.
    pub fn from_lexicon(setup: &Setup) -> Identity {
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
