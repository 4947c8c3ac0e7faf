//! Writing artefacts: payloads first, the manifest last.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::OnceLock;

use super::{ArtefactError, Identity, MANIFEST, Manifest, is_payload_name};
use crate::folder::Folder;
use crate::hash::sha256;
use crate::setup::Setup;

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
