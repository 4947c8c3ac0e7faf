//! Weights of evaluators.

use std::sync::Arc;

use tilewright_engine::evaluator::linear::Weights;
use tilewright_engine::evaluator::network::{Dense, NetworkSettings, NetworkWeights};
use tilewright_engine::evaluator::{Linear, Network};
use tilewright_engine::features::VERSION;
use tilewright_engine::leave::{LeaveData, LeaveTable};

use super::games_setup::few;
use super::rules::configs;
use crate::target::{Subject, joined, message, split_files, text};

pub fn linear() -> Subject {
    let setup = few();
    let leaves = LeaveData { late: Some(Arc::default()), ..LeaveTable::zero(&setup.tileset).into() };
    Subject::new(configs("linear"), move |bytes| {
        let weights = Weights::from_toml(&text(bytes)).map_err(message)?;
        let written = toml::to_string(&weights).expect("plain data");
        let again = Weights::from_toml(&written).expect("what was written");
        assert_eq!(again, weights);
        Linear::new(&weights, &setup, Some(leaves.clone())).map_err(message)?;
        Ok(weights.weights.len())
    })
    .with_fragments(&[
        "[weights]\n",
        "score = 1\n",
        "candidates = ",
        "feature_version = ",
        "leaves = \"x\"\n",
        "leave = ",
    ])
}

/// A small network.
pub fn small_network() -> NetworkWeights {
    let settings = format!(
        "feature_version = {VERSION}\nfeatures = [\"leave\", \"tiles_played\"]\nextra_inputs = [\"score\"]\ncandidate_moves = 10\n\
         margin = 20.0\n"
    );
    let settings = NetworkSettings::from_toml(&settings).expect("settings");
    let layers =
        vec![Dense { weights: vec![0.5; 3 * 2], bias: vec![0.25; 2] }, Dense { weights: vec![1.0; 2], bias: vec![0.0] }];
    NetworkWeights { settings, skip: vec![1.0; 2], mean: vec![0.0; 3], scale: vec![1.0; 3], layers }
}

pub fn network() -> Subject {
    let setup = few();
    let leaves = LeaveData::from(LeaveTable::zero(&setup.tileset));
    let (settings, tensors) = small_network().to_files().expect("a network");
    Subject::new([joined(settings, tensors)], move |bytes| {
        let (settings, tensors) = split_files(bytes);
        let weights = NetworkWeights::from_files(&text(settings), tensors).map_err(message)?;
        let (settings, tensors) = weights.to_files().expect("what was read");
        let again = NetworkWeights::from_files(&settings, &tensors).expect("what was written");
        assert_eq!(again, weights);
        assert_eq!(again.to_files().expect("what was read"), (settings, tensors));
        // Whether its inputs are those of the game.
        let size = weights.layers.len();
        Network::new(weights, &setup, Some(leaves.clone())).map_err(message)?;
        Ok(size)
    })
    .with_fragments(&["\"shape\":[", "\"data_offsets\":[", "\"F32\"", "[[prior]]\n", "\"score\""])
}
