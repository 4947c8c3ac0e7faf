//! The weights of a network: what they mean, their arithmetic, and their files.

use std::path::PathBuf;

use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::evaluator::linear::BadWeights;
use crate::features::{ExtraInput, Feature, FeatureError, VERSION};

/// What the names of the tensors for the endgame begin with.
const ENDGAME: &str = "endgame.";

/// What a network computes from, and how it plays: a TOML file.
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
    /// It values moves that are at most this many points behind the best by the skip weights of the leave.
    pub margin: f64,
}

/// A dense layer: the output is bias + input · weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dense {
    /// Input by input, the weights of all outputs.
    pub weights: Vec<f32>,
    /// The bias of each output; as many as outputs.
    pub bias: Vec<f32>,
}

/// A network with its settings. Inputs are standardised: (x − mean) / scale. Hidden layers are rectified; the last layer has one output,
/// in points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkWeights {
    /// Inputs and play.
    pub settings: NetworkSettings,
    /// By feature, points per unit that are added without the network.
    pub skip: Vec<f32>,
    /// By input, what is subtracted from it.
    pub mean: Vec<f32>,
    /// By input, what it is then divided by; not 0.
    pub scale: Vec<f32>,
    /// The layers, the first one first.
    pub layers: Vec<Dense>,
    /// The network of the same settings that plays once the bag is empty; without one, the skip connection alone does.
    pub endgame: Option<Box<NetworkWeights>>,
}

/// Weights that do not make a network.
#[derive(Debug, Error)]
pub enum BadNetwork {
    /// The settings are not TOML of the expected form.
    #[error("{0}")]
    Syntax(String),
    /// The tensors are damaged or missing, or have other shapes.
    #[error("{0}")]
    Tensors(String),
    /// Other features.
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
    /// Checks that all shapes fit and all numbers are finite.
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
        let mut numbers = self.layers.iter().flat_map(|layer| layer.weights.iter().chain(&layer.bias));
        let inputs = self.skip.iter().chain(&self.mean).chain(&self.scale);
        if self.layers.is_empty()
            || self.scale.contains(&0.0)
            || !numbers.all(|x| x.is_finite())
            || !inputs.clone().all(|x| x.is_finite())
        {
            return Err(BadNetwork::Tensors("no layers, a scale of 0, or a value that is not finite".into()));
        }
        match &self.endgame {
            Some(endgame) if endgame.endgame.is_some() || endgame.settings != self.settings => {
                Err(BadNetwork::Tensors("the network of the endgame has other settings, or one for the endgame too".into()))
            }
            Some(endgame) => endgame.check().map_err(|error| BadNetwork::Tensors(format!("endgame: {error}"))),
            None => Ok(()),
        }
    }

    /// What moves of one turn gain beyond their scores, in points, given their inputs: the skip connection, and what the layers add less
    /// its mean over the moves.
    pub fn gains(&self, moves: &[Vec<f32>]) -> Vec<f32> {
        let added: Vec<f32> = moves.iter().map(|inputs| self.added(inputs)).collect();
        let mean = added.iter().sum::<f32>() / added.len().max(1) as f32;
        let skip = |inputs: &Vec<f32>| inputs.iter().zip(&self.skip).map(|(value, weight)| value * weight).sum::<f32>();
        moves.iter().zip(added).map(|(inputs, added)| skip(inputs) + added - mean).collect()
    }

    /// What the layers add for one move, in points.
    pub fn added(&self, inputs: &[f32]) -> f32 {
        let standardised = inputs.iter().zip(self.mean.iter().zip(&self.scale));
        let mut row: Vec<f32> = standardised.map(|(value, (mean, scale))| (value - mean) / scale).collect();
        for (number, Dense { weights, bias }) in self.layers.iter().enumerate() {
            let mut output = bias.clone();
            add_products(&row, weights, &mut output);
            if number + 1 < self.layers.len() {
                for value in &mut output {
                    *value = value.max(0.0);
                }
            }
            row = output;
        }
        row[0]
    }

    /// The settings as TOML, and the tensors as safetensors.
    ///
    /// # Errors
    /// The reason why they cannot be written.
    pub fn to_files(&self) -> Result<(String, Vec<u8>), String> {
        let mut tensors = self.tensors("");
        tensors.extend(self.endgame.iter().flat_map(|endgame| endgame.tensors(ENDGAME)));
        let views: Result<Vec<_>, _> = tensors
            .iter()
            .map(|(name, shape, bytes)| Ok((name, TensorView::new(Dtype::F32, shape.clone(), bytes)?)))
            .collect::<Result<_, safetensors::SafeTensorError>>();
        let tensors = views.and_then(|views| safetensors::serialize(views, None)).map_err(|error| error.to_string())?;
        Ok((toml::to_string(&self.settings).map_err(|error| error.to_string())?, tensors))
    }

    /// The name, the shape and the bytes of each tensor, without those of the endgame.
    fn tensors(&self, prefix: &str) -> Vec<(String, Vec<usize>, Vec<u8>)> {
        let bytes = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let vectors = [("skip", &self.skip), ("mean", &self.mean), ("scale", &self.scale)];
        let mut tensors: Vec<(String, Vec<usize>, Vec<u8>)> =
            vectors.iter().map(|(name, values)| (format!("{prefix}{name}"), vec![values.len()], bytes(values))).collect();
        for (number, Dense { weights, bias }) in self.layers.iter().enumerate() {
            let shape = vec![weights.len() / bias.len().max(1), bias.len()];
            tensors.push((format!("{prefix}layer.{number}.weights"), shape, bytes(weights)));
            tensors.push((format!("{prefix}layer.{number}.bias"), vec![bias.len()], bytes(bias)));
        }
        tensors
    }

    /// Reads what [`NetworkWeights::to_files`] wrote.
    ///
    /// # Errors
    /// [`BadNetwork`].
    pub fn from_files(settings: &str, tensors: &[u8]) -> Result<NetworkWeights, BadNetwork> {
        let settings = NetworkSettings::from_toml(settings)?;
        let fault = |error: safetensors::SafeTensorError| BadNetwork::Tensors(error.to_string());
        let tensors = SafeTensors::deserialize(tensors).map_err(fault)?;
        let mut weights = NetworkWeights::from_tensors(&settings, &tensors, "")?;
        if tensors.names().iter().any(|name| name.starts_with(ENDGAME)) {
            weights.endgame = Some(Box::new(NetworkWeights::from_tensors(&settings, &tensors, ENDGAME)?));
        }
        weights.check()?;
        Ok(weights)
    }

    /// The network of the tensors whose names begin with `prefix`, without that of the endgame.
    fn from_tensors(
        settings: &NetworkSettings,
        tensors: &SafeTensors<'_>,
        prefix: &str,
    ) -> Result<NetworkWeights, BadNetwork> {
        let values = |name: &str, shape: &[Option<usize>]| tensor_values(tensors, &format!("{prefix}{name}"), shape);
        let skip = values("skip", &[Some(settings.features.len())])?;
        let mean = values("mean", &[None])?;
        let scale = values("scale", &[Some(mean.len())])?;
        let of_layers = format!("{prefix}layer.");
        let count = tensors.names().iter().filter(|name| name.starts_with(&of_layers)).count() / 2;
        let (mut layers, mut inputs) = (Vec::new(), mean.len());
        for number in 0..count {
            let outputs = if number + 1 == count { Some(1) } else { None };
            let weights = values(&format!("layer.{number}.weights"), &[Some(inputs), outputs])?;
            inputs = weights.len() / inputs.max(1);
            layers.push(Dense { weights, bias: values(&format!("layer.{number}.bias"), &[Some(inputs)])? });
        }
        Ok(NetworkWeights { settings: settings.clone(), skip, mean, scale, layers, endgame: None })
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

/// Outputs that are summed together, so that their sums stay in registers.
const TOGETHER: usize = 16;

/// Adds to each output its weighted sum of the inputs, in the order of the inputs. The weights are input by input.
fn add_products(inputs: &[f32], weights: &[f32], outputs: &mut [f32]) {
    let count = outputs.len();
    let (blocks, rest) = outputs.as_chunks_mut::<TOGETHER>();
    let first_of_rest = blocks.len() * TOGETHER;
    for (first, block) in (0..).step_by(TOGETHER).zip(blocks) {
        let mut sums = *block;
        for (&value, weights) in inputs.iter().zip(weights.chunks_exact(count)) {
            if let Some(weights) = weights[first..].first_chunk::<TOGETHER>() {
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
            }
        }
        *block = sums;
    }
    for (&value, weights) in inputs.iter().zip(weights.chunks_exact(count)) {
        rest.iter_mut().zip(&weights[first_of_rest..]).for_each(|(sum, weight)| *sum += value * weight);
    }
}

/// An expected shape, with `any` for a length that is free.
fn shape_in_words(shape: &[Option<usize>]) -> String {
    let lengths: Vec<String> = shape.iter().map(|length| length.map_or("any".into(), |length| length.to_string())).collect();
    format!("[{}]", lengths.join(", "))
}
