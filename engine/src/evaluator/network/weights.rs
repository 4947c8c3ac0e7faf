//! The weights of a network: their meaning and their arithmetic.

use std::path::PathBuf;

use pulp::Arch;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::products::Products;
use crate::evaluator::Prior;
use crate::evaluator::linear::BadWeights;
use crate::features::{ExtraInput, Feature, FeatureError, VERSION};

/// The inputs of a network and the settings of its play: a TOML file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkSettings {
    /// [`VERSION`] of the features.
    pub feature_version: u32,
    /// The leave table of the features: a payload of the same artefact, or the embedded one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaves: Option<PathBuf>,
    /// The features among the inputs, in order.
    pub features: Vec<Feature>,
    /// The inputs that follow them, which have no skip weights.
    #[serde(default)]
    pub extra_inputs: Vec<ExtraInput>,
    /// The number of best moves by the skip weights of the leave that the network values, or more if a caller lists more moves.
    pub candidate_moves: usize,
    /// It values moves that are at most this many points behind the best by the skip weights of the leave, and with an empty bag all.
    pub margin: f64,
    /// How far its equities lie from simulated gains, by stage of the game, the emptiest bags first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prior: Vec<Prior>,
}

/// A dense layer: the output is bias + input · weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dense {
    /// Input by input, the weights of all outputs.
    pub weights: Vec<f32>,
    /// The bias of each output.
    pub bias: Vec<f32>,
}

/// A network with its settings. Inputs are standardised: (x − mean) / scale. Hidden layers are rectified. The last layer has
/// one output, in points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkWeights {
    /// Inputs and play.
    pub settings: NetworkSettings,
    /// By feature, points per unit that are added without the network.
    pub skip: Vec<f32>,
    /// By input, the mean that is subtracted from it.
    pub mean: Vec<f32>,
    /// By input, the divisor after the subtraction. It is not 0.
    pub scale: Vec<f32>,
    /// The layers, the first one first.
    pub layers: Vec<Dense>,
}

/// The largest magnitude of a value and of a feature. Larger ones are a mistake.
const MOST: f32 = 1e6;

/// Weights that do not make a network.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[non_exhaustive]
pub enum BadNetwork {
    /// The settings are not TOML of the expected form.
    #[error("{0}")]
    Syntax(String),
    /// The tensors are damaged or missing, or have other shapes.
    #[error("{0}")]
    Tensors(String),
    #[error("feature_version = {0}, but this program computes version {VERSION} of the features; train the network again")]
    Version(u32),
    /// A feature cannot be computed.
    #[error(transparent)]
    Feature(#[from] FeatureError),
    /// The skip weights do not make an evaluator.
    #[error("skip weights: {0}")]
    Skip(#[from] BadWeights),
}

impl NetworkSettings {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`BadNetwork::Syntax`], with the line.
    pub fn from_toml(text: &str) -> Result<NetworkSettings, BadNetwork> {
        toml::from_str(text).map_err(|error| BadNetwork::Syntax(error.to_string()))
    }
}

impl NetworkWeights {
    /// Checks that all shapes fit and all values are numbers that keep the values of moves within the range of numbers.
    ///
    /// # Errors
    /// [`BadNetwork`].
    pub fn check(&self) -> Result<(), BadNetwork> {
        let NetworkSettings { feature_version, features, candidate_moves, margin, .. } = &self.settings;
        if *feature_version != VERSION {
            return Err(BadNetwork::Version(*feature_version));
        }
        if !((1..=1000).contains(candidate_moves) && *margin > 0.0 && *margin <= 1000.0) {
            let reason =
                format!("candidate_moves = {candidate_moves}, margin = {margin}; expected 1 to 1000, and above 0 to 1000");
            return Err(BadNetwork::Syntax(reason));
        }
        let is_ordered = self.settings.prior.is_sorted_by(|one, next| one.bag < next.bag);
        if !is_ordered || !self.settings.prior.iter().all(|prior| prior.is_valid()) {
            let reason = "prior: expected stages of rising `bag`, with variances above 0 and up to 1000000 points²";
            return Err(BadNetwork::Syntax(reason.into()));
        }
        let is_twice = |number: usize| features[..number].contains(&features[number]);
        if let Some(number) = (0..features.len()).find(|&number| features[number] == Feature::Score || is_twice(number)) {
            let name = features[number].about().name;
            return Err(BadNetwork::Syntax(format!("features: {name} must not be there, or not twice")));
        }
        let of_features = ("skip", &self.skip, features.len(), "features");
        for (name, values, count, what) in [of_features, ("scale", &self.scale, self.mean.len(), "means")] {
            if values.len() != count {
                let reason = format!("{name} has {} values; expected one for each of {count} {what}", values.len());
                return Err(BadNetwork::Tensors(reason));
            }
        }
        let mut inputs = self.mean.len();
        for (number, Dense { weights, bias }) in self.layers.iter().enumerate() {
            let is_last = number + 1 == self.layers.len();
            if weights.len() != inputs * bias.len() || bias.is_empty() || is_last && bias.len() != 1 {
                let (weights, outputs) = (weights.len(), bias.len());
                let reason = format!("layer {number} has {weights} weights and {outputs} outputs for {inputs} inputs");
                return Err(BadNetwork::Tensors(reason));
            }
            inputs = bias.len();
        }
        if self.layers.is_empty() {
            return Err(BadNetwork::Tensors("it has no layers".into()));
        }
        self.check_values()
    }

    /// Checks that no value, and no sum of values that features can reach, leaves the range of numbers.
    fn check_values(&self) -> Result<(), BadNetwork> {
        for (tensor, _, values) in self.tensors() {
            let least = if tensor == "scale" { 1.0 / MOST } else { 0.0 };
            let is_good = |value: &f32| (least..=MOST).contains(&value.abs());
            if let Some((index, value)) = values.iter().enumerate().find(|(_, value)| !is_good(value)) {
                let reason = format!("{tensor}, value {index}: {value:e}; expected a magnitude of {least:e} to {MOST:e}");
                return Err(BadNetwork::Tensors(reason));
            }
        }
        let seen = self.mean.iter().zip(&self.scale).map(|(mean, scale)| (MOST + mean.abs()) / scale.abs());
        let mut most = seen.fold(0.0, f32::max);
        for Dense { weights, bias } in &self.layers {
            let largest = |values: &[f32]| values.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
            most = most * largest(weights) * (weights.len() / bias.len()) as f32 + largest(bias);
        }
        if most.is_finite() {
            return Ok(());
        }
        Err(BadNetwork::Tensors("the weights are so large that the value of a move may be no number".into()))
    }

    /// The gains of the moves of one turn beyond their scores, in points, given their inputs. A gain is the skip connection
    /// plus the output of the layers minus its mean over the moves.
    pub fn gains(&self, rows: &[Vec<f32>]) -> Vec<f32> {
        let added = self.added_to_all(rows);
        let mean = added.iter().sum::<f32>() / added.len().max(1) as f32;
        let skip = |row: &Vec<f32>| row.iter().zip(&self.skip).map(|(value, weight)| value * weight).sum::<f32>();
        rows.iter().zip(added).map(|(row, added)| skip(row) + added - mean).collect()
    }

    /// The standardised inputs of a move, which the first layer sees.
    pub fn seen(&self, row: &[f32]) -> Vec<f32> {
        debug_assert_eq!(row.len(), self.mean.len(), "a row has the inputs of the network");
        row.iter().zip(self.mean.iter().zip(&self.scale)).map(|(value, (mean, scale))| (value - mean) / scale).collect()
    }

    /// The points that the layers add for one move with these inputs.
    pub fn added(&self, row: &[f32]) -> f32 {
        self.added_to_all(&[row])[0]
    }

    /// The points that the layers add for each of some moves.
    fn added_to_all(&self, rows: &[impl AsRef<[f32]>]) -> Vec<f32> {
        let mut values: Vec<f32> = rows.iter().flat_map(|row| self.seen(row.as_ref())).collect();
        for (number, Dense { weights, bias }) in self.layers.iter().enumerate() {
            let mut outputs = bias.repeat(rows.len());
            Arch::new().dispatch(Products { inputs: &values, weights, count: bias.len(), outputs: &mut outputs });
            if number + 1 < self.layers.len() {
                for value in &mut outputs {
                    *value = value.max(0.0);
                }
            }
            values = outputs;
        }
        values
    }
}
