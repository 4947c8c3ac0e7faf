//! What a run begins with: a network, or nothing but the shape of one.

use std::sync::Arc;

use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::evaluator::network::load::LoadedNetwork;
use tilewright_engine::features::{FeatureError, Inputs};
use tilewright_engine::leave::LeaveData;
use tilewright_engine::setup::Setup;
use tilewright_engine::tileset::TileSet;

use crate::linear::dataset::prior;
use crate::network::shape::{NetworkShape, drawn_layers};

/// What a run begins with.
pub enum Start<'a> {
    /// A network.
    Network(Box<LoadedNetwork>),
    /// The shape of a network, and the leave table of its features if they need one.
    Nothing(&'a NetworkShape, Option<LeaveData>),
}

impl Start<'_> {
    /// What identifies it.
    pub fn identity(&self, tileset: &TileSet) -> String {
        match self {
            Start::Network(loaded) => loaded.identity.clone(),
            Start::Nothing(_, leaves) => leaves.as_ref().map(|leaves| leaves.identity(tileset)).unwrap_or_default(),
        }
    }

    /// The leave table that belongs to the network, unless it is the embedded one.
    pub fn own_table(&self) -> Option<&LeaveData> {
        match self {
            Start::Network(loaded) => loaded.own_table(),
            Start::Nothing(shape, leaves) => leaves.as_ref().filter(|_| shape.leaves.is_some()),
        }
    }

    /// The inputs of the network.
    pub(super) fn inputs(&self, setup: &Setup) -> Result<Arc<Inputs>, FeatureError> {
        match self {
            Start::Network(loaded) => Ok(Arc::clone(loaded.evaluator.inputs())),
            Start::Nothing(shape, leaves) => {
                let features: Vec<_> = shape.features.iter().copied().collect();
                Ok(Arc::new(Inputs::new(&features, &shape.extra_inputs, setup, leaves.clone())?))
            }
        }
    }

    /// The network before learning. From nothing, the layers add nothing, and the inputs are not standardised yet.
    pub(super) fn network(&self, inputs: usize, seed: u64) -> NetworkWeights {
        match self {
            Start::Network(loaded) => loaded.weights.clone(),
            Start::Nothing(shape, _) => {
                let settings = shape.settings();
                let skip = settings.features.iter().map(|&feature| prior(feature) as f32).collect();
                let layers = drawn_layers(inputs, &shape.hidden, seed);
                NetworkWeights { settings, skip, mean: vec![0.0; inputs], scale: vec![1.0; inputs], layers, endgame: None }
            }
        }
    }
}
