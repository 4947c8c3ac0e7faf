//! Loading of linear evaluators, with the leave table of their features: embedded, or from artefact folders and files.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{BadWeights, Linear, Weights};
use crate::artefact::{ArtefactError, ArtefactOrFile, Loader};
use crate::configs;
use crate::hash::sha256_parts;
use crate::leave::LeaveData;
use crate::leave::load::{LeaveTableError, NotEmbedded};

/// The kind of artefact that holds the weights of a linear evaluator.
pub const LINEAR_KIND: &str = "linear";
/// The file name of the weights in an artefact.
pub const WEIGHTS_FILE: &str = "weights.toml";

/// Why a linear evaluator cannot be loaded.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LinearError {
    /// The artefact cannot be used, or a file cannot be read.
    #[error("{0}")]
    Artefact(#[from] ArtefactError),
    /// The file is not text.
    #[error("{path}: not UTF-8 from byte {byte}")]
    NotUtf8 { path: PathBuf, byte: usize },
    /// The weights make no evaluator.
    #[error(transparent)]
    Weights(#[from] BadWeights),
    /// The leave table of the features cannot be used.
    #[error("{0}")]
    Leaves(#[from] LeaveTableError),
    /// The features need the embedded leave table, which is for another lexicon or tile set.
    #[error("{0}")]
    NotEmbedded(#[from] NotEmbedded),
}

/// A linear evaluator with its identity.
#[derive(Clone, Debug)]
pub struct LoadedLinear {
    /// The evaluator.
    pub evaluator: Linear,
    /// The hash of the weights' text and of the leave table of their features.
    pub identity: String,
    /// Whether the test of an evolution has refused to promote the weights.
    pub is_refused: bool,
}

impl LoadedLinear {
    /// The embedded evaluator of a name, or `None` if there is none.
    pub(crate) fn embedded(name: &str, loader: Loader<'_>) -> Option<Result<LoadedLinear, LinearError>> {
        let text = configs::text("linear", name)?;
        Some(LoadedLinear::new(text, loader, |path| LeaveData::load(path, loader)))
    }

    /// Loads an evaluator from an artefact folder or a TOML file, or the embedded one of this name. If the weights name a
    /// leave table, it is a payload of the same artefact, or a path from the folder of the file. Otherwise the evaluator
    /// uses the table of the loader, or the embedded one.
    ///
    /// # Errors
    /// [`LinearError`].
    pub fn load(path: &Path, loader: Loader<'_>) -> Result<LoadedLinear, LinearError> {
        let name = path.to_str().filter(|_| !path.exists());
        if let Some(loaded) = name.and_then(|name| LoadedLinear::embedded(name, loader)) {
            return loaded;
        }
        let place = ArtefactOrFile::open(path, LINEAR_KIND, loader)?;
        let (path, bytes) = place.read(WEIGHTS_FILE)?;
        let text = std::str::from_utf8(&bytes)
            .map_err(|error| LinearError::NotUtf8 { path: path.clone(), byte: error.valid_up_to() })?;
        let loaded = LoadedLinear::new(text, loader, |table| match &place {
            ArtefactOrFile::Artefact(_) => LeaveData::named(&place, &table.to_string_lossy(), &loader.setup.tileset),
            ArtefactOrFile::File(file) => LeaveData::load(&file.with_file_name(table), loader),
        })?;
        let is_refused = matches!(&place, ArtefactOrFile::Artefact(artefact) if artefact.manifest().is_refused());
        Ok(LoadedLinear { is_refused, ..loaded })
    }

    /// The evaluator of the weights in `text`. `load_leaves` loads the leave table that they name.
    fn new(
        text: &str,
        loader: Loader<'_>,
        load_leaves: impl FnOnce(&Path) -> Result<LeaveData, LeaveTableError>,
    ) -> Result<LoadedLinear, LinearError> {
        let weights = Weights::from_toml(text)?;
        let leaves = match &weights.leaves {
            _ if !weights.needs_leaves() => None,
            Some(path) => Some(load_leaves(path)?),
            None => Some(match loader.tables.leaves {
                Some(path) => LeaveData::load(path, loader)?,
                None => LeaveData::embedded(loader)?,
            }),
        };
        let data = leaves.as_ref().map(|leaves| leaves.identity(&loader.setup.tileset)).unwrap_or_default();
        let identity = sha256_parts([text.as_bytes(), data.as_bytes()]);
        let evaluator = Linear::new(&weights, loader.setup, leaves)?;
        Ok(LoadedLinear { evaluator, identity, is_refused: false })
    }
}
