//! Artefacts: folders with a manifest and the payload files that it describes.
//!
//! The manifest is `manifest.json`. Payloads have the usual format of their content. A [`Loader`] states which game an
//! artefact must fit. [`Artefact::open`] reads the manifest and checks its kind, tile set and lexicon. [`Artefact::read`]
//! leaves the game to the caller, who may take it from the manifest. [`Artefact::payload`] reads a payload and verifies its
//! checksum. [`ArtefactWriter`] writes the payloads, then the manifest. The module of each loadable type has the name of its
//! payload and its loading function.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::folder::{FileError, Folder, is_plain_file_name};
use crate::hash::sha256;
use crate::input_file::limits;
use crate::layout::Layout;
use crate::lexicon::Lexicon;
use crate::setup::{Setup, rules_hash};
use crate::tileset::TileSet;

mod loading;

pub use loading::{Artefact, ArtefactOrFile, Lexicons, Loader, Tables};

/// The name of the manifest, which makes a folder an artefact.
pub const MANIFEST: &str = "manifest.json";

/// The description of an artefact and of the run that made it. It does not depend on the time or the speed of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The kind of the artefact: `leaves`, `linear`, `network`, `win-percentage`, `records`, `match` or `round-robin`.
    pub kind: String,
    /// The name of the tile set, and the hash of the tile set with its rules and board.
    pub tileset: Identity,
    /// The name of the lexicon and the hash of its words.
    pub lexicon: Identity,
    /// The version of the features from which the artefact was made.
    pub feature_set: String,
    /// The seed of the run.
    pub seed: u64,
    /// The build of the program that wrote the artefact: its version, and for a development build its commit.
    pub code_version: String,
    /// The kind of the run that made it, such as `td`, or empty in artefacts of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub run: String,
    /// The other builds that worked on the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) other_builds: Vec<String>,
    /// The manifest hashes of the artefacts from which it was made. At present there are none.
    pub parents: Vec<String>,
    /// The whole config of the run as TOML.
    pub config: String,
    /// The measured figures by name.
    pub metrics: BTreeMap<String, f64>,
    /// The SHA-256 of each payload in hexadecimal, by file name. `work/NAME` is a work file of the run.
    pub files: BTreeMap<String, String>,
    /// The SHA-256 of all of the above as compact JSON, or empty in artefacts of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub checksum: String,
}

/// A name for people and a hash for machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The name.
    pub name: String,
    /// The SHA-256 in hexadecimal.
    pub hash: String,
}

/// Why an artefact cannot be used or written.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[non_exhaustive]
pub enum ArtefactError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A payload cannot be encoded.
    #[error("{path}: {source}")]
    Encoding { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("{path}: {source}; the artefact is damaged, create it again")]
    Manifest { path: PathBuf, source: serde_json::Error },
    #[error("{path}: the content does not match its own checksum; the artefact is damaged, create it again")]
    Changed { path: PathBuf },
    #[error("{path}: the content does not match its checksum in {MANIFEST}; the artefact is damaged, create it again")]
    Torn { path: PathBuf },
    #[error("{path} is listed in {MANIFEST} and is not there; the artefact is damaged, create it again")]
    Lost { path: PathBuf },
    #[error("{path} has no {name}: its {MANIFEST} does not list it; create the artefact again")]
    Unlisted { path: PathBuf, name: String },
    /// The name of a payload could lead out of the folder.
    #[error("{path}: the payload {name:?} is not a plain file name; the artefact is damaged, create it again")]
    PayloadName { path: PathBuf, name: String },
    #[error("{path} is a run that is not finished; rerun its command")]
    Unfinished { path: PathBuf },
    #[error("{path} holds {found}, not {wanted}")]
    Kind { path: PathBuf, found: String, wanted: String },
    #[error("{path} was made for the {what} {made_for}, but this run uses {playing}; use the same {what}")]
    Mismatch { path: PathBuf, what: &'static str, made_for: String, playing: String },
}

/// The metric of an evolution for the verdict of its test: 1 if the test promoted the result, otherwise 0.
pub const PROMOTED: &str = "promoted";

impl Manifest {
    /// Returns whether a test has refused to promote the result of the run.
    pub fn is_refused(&self) -> bool {
        self.metrics.get(PROMOTED) == Some(&0.0)
    }

    /// Reads the manifest of a folder, and checks only its own checksum and the names of its payloads.
    fn read(folder: &Folder) -> Result<Manifest, ArtefactError> {
        let path = folder.place(MANIFEST);
        let text = folder.read_there(MANIFEST, limits::JSON)?;
        let manifest: Manifest =
            serde_json::from_slice(&text).map_err(|source| ArtefactError::Manifest { path: path.clone(), source })?;
        if let Some(name) = manifest.files.keys().find(|name| !is_payload_name(name)) {
            return Err(ArtefactError::PayloadName { path, name: name.clone() });
        }
        if !manifest.checksum.is_empty() && manifest.checksum != manifest.own_checksum() {
            return Err(ArtefactError::Changed { path });
        }
        Ok(manifest)
    }

    /// The checksum of all but the checksum.
    fn own_checksum(&self) -> String {
        let rest = Manifest { checksum: String::new(), ..self.clone() };
        sha256(&serde_json::to_vec(&rest).unwrap_or_default())
    }
}

impl Identity {
    /// Returns the identity of a tile set with its rules and a board.
    pub(crate) fn from_rules(tileset: &TileSet, layout: &Layout) -> Identity {
        Identity { name: tileset.name().into(), hash: rules_hash(tileset, layout) }
    }

    /// Returns the identity of a lexicon.
    pub(crate) fn from_lexicon(lexicon: &Lexicon) -> Identity {
        Identity { name: lexicon.name.clone(), hash: lexicon.hash.clone() }
    }
}

impl std::fmt::Display for Identity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} ({})", self.name, self.hash.get(..12).unwrap_or(&self.hash))
    }
}

/// Returns whether a payload may have this name: it lies in the folder of the artefact, or in one inside it.
fn is_payload_name(name: &str) -> bool {
    name.split('/').count() <= 2 && name.split('/').all(is_plain_file_name)
}

/// The version that a program states for itself.
static CODE_VERSION: OnceLock<String> = OnceLock::new();

/// States the version of the program that writes artefacts in this process, such as `0.1.0 5e1f…` with its commit. The first
/// call counts. Without a call, manifests have the version of this crate.
pub fn state_code_version(version: &str) {
    CODE_VERSION.get_or_init(|| version.into());
}

/// The version of the program, as it was stated.
pub fn stated_code_version() -> String {
    CODE_VERSION.get().map_or(env!("CARGO_PKG_VERSION"), String::as_str).into()
}

/// The origin of an artefact, besides the game.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The version of the features from which the artefact is made.
    pub feature_set: String,
    /// The seed of the run.
    pub seed: u64,
    /// The kind of the run.
    pub run: String,
    /// The builds that worked on the run.
    pub builds: Vec<String>,
    /// The whole config of the run as TOML.
    pub config: String,
}

/// Writes an artefact. Each payload is on disk when [`ArtefactWriter::add`] returns. The folder becomes an artefact
/// only with [`ArtefactWriter::finish`].
#[derive(Clone, Debug)]
#[must_use]
pub struct ArtefactWriter {
    folder: Folder,
    manifest: Manifest,
}

impl ArtefactWriter {
    /// Starts an artefact of a kind for a game.
    pub fn new(folder: &Folder, kind: &str, setup: &Setup, origin: Origin) -> ArtefactWriter {
        let code_version = stated_code_version();
        let manifest = Manifest {
            kind: kind.into(),
            tileset: Identity::from_rules(&setup.tileset, &setup.layout),
            lexicon: Identity::from_lexicon(&setup.lexicon),
            feature_set: origin.feature_set,
            seed: origin.seed,
            other_builds: origin.builds.into_iter().filter(|build| *build != code_version).collect(),
            code_version,
            run: origin.run,
            parents: Vec::new(),
            config: origin.config,
            metrics: BTreeMap::new(),
            files: BTreeMap::new(),
            checksum: String::new(),
        };
        ArtefactWriter { folder: folder.clone(), manifest }
    }

    /// Adds a measured figure to the manifest.
    pub fn measure(&mut self, name: impl Into<String>, value: f64) {
        self.manifest.metrics.insert(name.into(), value);
    }

    /// Replaces the config of the [`Origin`], for a run that knows all of it only at its end.
    pub fn set_config(&mut self, config: String) {
        self.manifest.config = config;
    }

    /// Writes a payload.
    ///
    /// # Errors
    /// [`ArtefactError::File`], or [`ArtefactError::PayloadName`] for a name that is not a plain file name.
    pub fn add(&mut self, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), ArtefactError> {
        self.add_written(name, sha256(bytes.as_ref()))?;
        Ok(self.folder.write(name, bytes.as_ref())?)
    }

    /// Writes a payload from the result of its encoder.
    ///
    /// # Errors
    /// As [`ArtefactWriter::add`], and [`ArtefactError::Encoding`] if the encoder has failed.
    pub fn add_encoded<B: AsRef<[u8]>, E: Into<Box<dyn Error + Send + Sync>>>(
        &mut self,
        name: &str,
        encoded: Result<B, E>,
    ) -> Result<(), ArtefactError> {
        match encoded {
            Ok(bytes) => self.add(name, bytes),
            Err(source) => Err(ArtefactError::Encoding { path: self.folder.place(name), source: source.into() }),
        }
    }

    /// Lists a payload that is already in the folder or in a folder inside it. `checksum` is its SHA-256.
    ///
    /// # Errors
    /// [`ArtefactError::PayloadName`].
    pub fn add_written(&mut self, name: &str, checksum: String) -> Result<(), ArtefactError> {
        if name == MANIFEST || !is_payload_name(name) {
            return Err(ArtefactError::PayloadName { path: self.folder.place(MANIFEST), name: name.into() });
        }
        self.manifest.files.insert(name.into(), checksum);
        Ok(())
    }

    /// Returns the manifest so far.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Writes the manifest.
    ///
    /// # Errors
    /// [`ArtefactError::File`] if it cannot be written.
    pub fn finish(mut self) -> Result<(), ArtefactError> {
        self.manifest.checksum = self.manifest.own_checksum();
        match serde_json::to_string_pretty(&self.manifest) {
            Ok(text) => Ok(self.folder.write(MANIFEST, (text + "\n").as_bytes())?),
            Err(source) => Err(ArtefactError::Manifest { path: self.folder.place(MANIFEST), source }),
        }
    }
}
