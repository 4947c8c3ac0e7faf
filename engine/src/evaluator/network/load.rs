//! Networks in artefact folders.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::inference::Network;
use super::weights::{BadNetwork, NetworkSettings, NetworkWeights};
use crate::artefact::{Artefact, ArtefactError, ArtefactOrFile, Loader};
use crate::hash::sha256_parts;
use crate::leave::LeaveData;
use crate::leave::embedded::NotEmbedded;
use crate::leave::load::LeaveTableError;
use crate::setup::Setup;

/// The kind of artefact that holds a network.
pub const NETWORK_KIND: &str = "network";
/// The tensors in an artefact.
pub const NETWORK_FILE: &str = "network.safetensors";
/// The settings that go with them.
pub const SETTINGS_FILE: &str = "network.toml";

/// Why a folder holds no network for this game.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[non_exhaustive]
pub enum NetworkError {
    /// The artefact cannot be used.
    #[error("{0}")]
    Artefact(#[from] ArtefactError),
    #[error("network {path}: {source}")]
    Weights { path: PathBuf, source: BadNetwork },
    /// The leave table of the features cannot be used.
    #[error("{0}")]
    Leaves(#[from] LeaveTableError),
    /// The features need the embedded leave table, which does not fit the game.
    #[error("{0}; make one for this game, and train a network with it")]
    NotEmbedded(#[from] NotEmbedded),
}

/// A network and its origin.
#[derive(Clone, Debug)]
pub struct LoadedNetwork {
    /// The evaluator.
    pub evaluator: Network,
    /// A hash of the weights, the settings and the leave table.
    pub identity: String,
    /// The weights of the evaluator.
    pub weights: NetworkWeights,
    /// The leave table of its features, or `None` if they need none.
    pub leaves: Option<LeaveData>,
    /// The config of the run that made it, as TOML, or `None` for the embedded one.
    pub config: Option<String>,
    /// Whether the test of an evolution has refused to promote it.
    pub is_refused: bool,
}

impl LoadedNetwork {
    /// Loads a network from an artefact folder.
    ///
    /// # Errors
    /// [`NetworkError`].
    pub fn load(path: &Path, loader: Loader<'_>) -> Result<LoadedNetwork, NetworkError> {
        let artefact = Artefact::open(path, NETWORK_KIND, loader)?;
        let (settings, tensors) = (artefact.payload(SETTINGS_FILE)?, artefact.payload(NETWORK_FILE)?);
        let fault = |source| NetworkError::Weights { path: path.into(), source };
        let text = String::from_utf8(settings).map_err(|error| fault(BadNetwork::Syntax(error.to_string())))?;
        let own = NetworkSettings::from_toml(&text).map_err(fault)?;
        let leaves = match &own.leaves {
            _ if !own.features.iter().any(|feature| feature.needs_leaves()) => None,
            Some(name) => {
                let place = ArtefactOrFile::Artefact(Box::new(artefact.clone()));
                Some(LeaveData::named(&place, &name.to_string_lossy(), &loader.setup.tileset)?)
            }
            None => Some(LeaveData::embedded(loader)?),
        };
        let loaded = LoadedNetwork::new(&text, &tensors, leaves, loader.setup).map_err(fault)?;
        let manifest = artefact.manifest();
        Ok(LoadedNetwork { config: Some(manifest.config.clone()), is_refused: manifest.is_refused(), ..loaded })
    }

    /// The leave table of its features if it is a payload of the network's artefact, or `None` for the embedded one.
    pub fn own_table(&self) -> Option<&LeaveData> {
        self.leaves.as_ref().filter(|_| self.weights.settings.leaves.is_some())
    }

    /// The network of these files, with the leave table of its features.
    pub(super) fn new(
        settings: &str,
        tensors: &[u8],
        leaves: Option<LeaveData>,
        setup: &Setup,
    ) -> Result<LoadedNetwork, BadNetwork> {
        let weights = NetworkWeights::from_files(settings, tensors)?;
        let data = leaves.as_ref().map(|leaves| leaves.identity(&setup.tileset)).unwrap_or_default();
        let identity = sha256_parts([settings.as_bytes(), tensors, data.as_bytes()]);
        let evaluator = Network::new(weights.clone(), setup, leaves.clone())?;
        Ok(LoadedNetwork { evaluator, identity, weights, leaves, config: None, is_refused: false })
    }
}
