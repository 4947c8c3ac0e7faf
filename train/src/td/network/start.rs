//! The start of a run: a network, or only the shape of a network.

use std::sync::Arc;

use tilewright_engine::evaluator::linear::varies_by_move;
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::evaluator::network::load::LoadedNetwork;
use tilewright_engine::features::{FeatureError, Inputs};
use tilewright_engine::{LeaveData, Setup, TileSet};

use crate::linear::dataset::prior;
use crate::network::shape::{NetworkShape, drawn_layers};

/// The start of a run.
pub enum Start<'a> {
    /// A network.
    Network(Box<LoadedNetwork>),
    /// The shape of a network, and the leave table of its features if they need one.
    Nothing(&'a NetworkShape, Option<LeaveData>),
}

impl Start<'_> {
    /// Its identity in run keys.
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

    pub(super) fn inputs(&self, setup: &Setup) -> Result<Arc<Inputs>, FeatureError> {
        match self {
            Start::Network(loaded) => Ok(Arc::clone(loaded.evaluator.inputs())),
            Start::Nothing(shape, leaves) => {
                let features: Vec<_> = shape.features.iter().copied().collect();
                Ok(Arc::new(Inputs::new(&features, &shape.extra_inputs, setup, leaves.clone())?))
            }
        }
    }

    /// The network before learning. From nothing, the layers add nothing, and the inputs are not standardised yet. Skip weights of
    /// features of the position are 0: they change no choice, a fit to differences between moves leaves them anywhere, and the value
    /// has a state value instead.
    pub(super) fn network(&self, inputs: usize, seed: u64) -> NetworkWeights {
        match self {
            Start::Network(loaded) => {
                let mut network = loaded.weights.clone();
                for (skip, &feature) in network.skip.iter_mut().zip(&network.settings.features) {
                    *skip = if varies_by_move(feature) { *skip } else { 0.0 };
                }
                network
            }
            Start::Nothing(shape, _) => {
                let settings = shape.settings();
                let skip = settings.features.iter().map(|&feature| prior(feature) as f32).collect();
                let layers = drawn_layers(inputs, &shape.hidden, seed);
                let (mean, scale) = (vec![0.0; inputs], vec![1.0; inputs]);
                NetworkWeights { settings, skip, mean, scale, layers, endgame: None }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::artefact::Loader;

    use super::*;

    /// A network that was fitted to differences between moves may add thousands of points to every move of a turn.
    #[test]
    fn skip_weights_of_the_position_are_dropped_and_no_choice_changes() {
        let setup = Setup::embedded("english").unwrap();
        let mut loaded = LoadedNetwork::embedded(Loader::new(&setup)).unwrap();
        let features = loaded.weights.settings.features.iter();
        for (_, skip) in features.zip(&mut loaded.weights.skip).filter(|(feature, _)| !varies_by_move(**feature)) {
            *skip = 6000.0;
        }
        let start = Start::Network(Box::new(loaded));
        let Start::Network(loaded) = &start else { unreachable!() };
        let network = start.network(loaded.weights.mean.len(), 1);
        let mut dropped = 0;
        for (number, &feature) in network.settings.features.iter().enumerate() {
            let expected = if varies_by_move(feature) { loaded.weights.skip[number] } else { 0.0 };
            assert!(network.skip[number].to_bits() == expected.to_bits(), "{feature:?}");
            dropped += usize::from(loaded.weights.skip[number].to_bits() != expected.to_bits());
        }
        assert!(dropped > 0 && network.linear() == loaded.weights.linear() && network.layers == loaded.weights.layers);
    }
}
