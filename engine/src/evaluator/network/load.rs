//! Networks in artefact folders, and their files: settings as TOML, weights as safetensors.
//!
//! The network that is embedded in the engine, for `enable2k` and the English tiles, on the embedded leave table, was made with
//! `configs/networks/enable2k.toml`.

use std::path::{Path, PathBuf};

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use thiserror::Error;

use super::inference::Network;
use super::weights::{BadNetwork, Dense, NetworkSettings, NetworkWeights};
use crate::artefact::{Artefact, ArtefactError, ArtefactOrFile, Loader};
use crate::embedded::FILES;
use crate::hash::sha256_parts;
use crate::leave::LeaveData;
use crate::leave::load::{LeaveTableError, NotEmbedded};
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

impl NetworkWeights {
    /// The settings as TOML, and the tensors as safetensors.
    ///
    /// # Errors
    /// The reason why they cannot be written.
    pub fn to_files(&self) -> Result<(String, Vec<u8>), String> {
        let bytes = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let tensors: Vec<_> = self.tensors().into_iter().map(|(name, shape, values)| (name, shape, bytes(values))).collect();
        let views =
            tensors.iter().map(|(name, shape, bytes)| Ok((name, TensorView::new(Dtype::F32, shape.clone(), bytes)?)));
        let views = views.collect::<Result<Vec<_>, SafeTensorError>>();
        let tensors = views.and_then(|views| safetensors::serialize(views, None)).map_err(|error| error.to_string())?;
        Ok((toml::to_string(&self.settings).map_err(|error| error.to_string())?, tensors))
    }

    /// The name, the shape and the values of each tensor.
    pub(super) fn tensors(&self) -> Vec<(String, Vec<usize>, &[f32])> {
        let vectors: [(&str, &[f32]); 3] = [("skip", &self.skip), ("mean", &self.mean), ("scale", &self.scale)];
        let mut tensors: Vec<(String, Vec<usize>, &[f32])> =
            vectors.iter().map(|&(name, values)| (name.into(), vec![values.len()], values)).collect();
        for (number, Dense { weights, bias }) in self.layers.iter().enumerate() {
            let shape = vec![weights.len() / bias.len().max(1), bias.len()];
            tensors.push((format!("layer.{number}.weights"), shape, weights));
            tensors.push((format!("layer.{number}.bias"), vec![bias.len()], bias));
        }
        tensors
    }

    /// Reads the files of [`NetworkWeights::to_files`].
    ///
    /// # Errors
    /// [`BadNetwork`].
    pub fn from_files(settings: &str, tensors: &[u8]) -> Result<NetworkWeights, BadNetwork> {
        let settings = NetworkSettings::from_toml(settings)?;
        let fault = |error: safetensors::SafeTensorError| BadNetwork::Tensors(error.to_string());
        let tensors = SafeTensors::deserialize(tensors).map_err(fault)?;
        let values = |name: &str, shape: &[Option<usize>]| tensor_values(&tensors, name, shape);
        let skip = values("skip", &[Some(settings.features.len())])?;
        let mean = values("mean", &[None])?;
        let scale = values("scale", &[Some(mean.len())])?;
        let count = tensors.names().iter().filter(|name| name.starts_with("layer.")).count() / 2;
        let (mut layers, mut inputs) = (Vec::new(), mean.len());
        for number in 0..count {
            let outputs = if number + 1 == count { Some(1) } else { None };
            let weights = values(&format!("layer.{number}.weights"), &[Some(inputs), outputs])?;
            inputs = weights.len() / inputs.max(1);
            layers.push(Dense { weights, bias: values(&format!("layer.{number}.bias"), &[Some(inputs)])? });
        }
        let weights = NetworkWeights { settings, skip, mean, scale, layers };
        weights.check()?;
        Ok(weights)
    }
}

/// The values of a tensor of an expected shape, in which `None` stands for any length.
fn tensor_values(tensors: &SafeTensors<'_>, name: &str, expected: &[Option<usize>]) -> Result<Vec<f32>, BadNetwork> {
    let tensor = tensors.tensor(name).map_err(|error| BadNetwork::Tensors(format!("{name}: {error}")))?;
    if tensor.dtype() != Dtype::F32 {
        return Err(BadNetwork::Tensors(format!("{name} has type {:?}; expected F32", tensor.dtype())));
    }
    let fits = |(&length, &expected): (&usize, &Option<usize>)| expected.is_none_or(|expected| length == expected);
    if tensor.shape().len() != expected.len() || !tensor.shape().iter().zip(expected).all(fits) {
        let (found, expected) = (tensor.shape(), shape_in_words(expected));
        return Err(BadNetwork::Tensors(format!("{name} has the shape {found:?}; expected {expected}")));
    }
    Ok(tensor.data().as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
}

/// An expected shape, with `any` for a length that is free.
fn shape_in_words(shape: &[Option<usize>]) -> String {
    let lengths: Vec<String> = shape.iter().map(|length| length.map_or("any".into(), |length| length.to_string())).collect();
    format!("[{}]", lengths.join(", "))
}

impl LoadedNetwork {
    /// The network of an artefact folder, or the embedded one without a path.
    ///
    /// # Errors
    /// [`NetworkError`].
    pub fn open(path: Option<&Path>, loader: Loader<'_>) -> Result<LoadedNetwork, NetworkError> {
        path.map_or_else(|| LoadedNetwork::embedded(loader), |path| LoadedNetwork::load(path, loader))
    }

    /// The embedded network.
    ///
    /// # Errors
    /// [`NetworkError::NotEmbedded`] if the setup is not the one for which the network and the embedded leave table were made.
    pub fn embedded(loader: Loader<'_>) -> Result<LoadedNetwork, NetworkError> {
        let leaves = LeaveData::embedded(loader)?;
        let (settings, tensors) = FILES.map(|files| files.network).unwrap_or_default();
        LoadedNetwork::new(settings, tensors, Some(leaves), loader.setup)
            .map_err(|source| NetworkError::Weights { path: "network".into(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;
    use crate::tileset::TileSet;

    #[test]
    fn the_embedded_network_is_for_its_words_and_tiles() {
        let setup = Setup::embedded("english").unwrap();
        let loaded = LoadedNetwork::embedded(Loader::new(&setup)).unwrap();
        assert_eq!(loaded.identity, LoadedNetwork::embedded(Loader::new(&setup)).unwrap().identity);
        let other = Setup::from_words(TileSet::embedded("german").unwrap(), "AN\nNA\n").unwrap();
        let error = LoadedNetwork::embedded(Loader::new(&other)).unwrap_err().to_string();
        assert!(error.contains("not for text and german"), "{error}");
    }
}
