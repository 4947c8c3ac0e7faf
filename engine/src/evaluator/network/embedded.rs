//! The network that is embedded in the engine, for `enable2k` and the English tiles, on the embedded leave table.
//!
//! Made with `configs/networks/enable2k.toml`.

use std::path::Path;

use super::load::{LoadedNetwork, NetworkError};
use crate::artefact::Loader;
use crate::embedded::FILES;
use crate::leave::LeaveData;

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
