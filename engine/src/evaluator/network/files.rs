//! The files of a network: settings as TOML, weights as safetensors.

use safetensors::{Dtype, SafeTensorError, SafeTensors, tensor::TensorView};

use super::weights::{BadNetwork, Dense, NetworkSettings, NetworkWeights};

/// The prefix of the names of the tensors for the endgame.
const ENDGAME: &str = "endgame.";

impl NetworkWeights {
    /// The settings as TOML, and the tensors as safetensors.
    ///
    /// # Errors
    /// The reason why they cannot be written.
    pub fn to_files(&self) -> Result<(String, Vec<u8>), String> {
        let endgame = self.endgame.iter().flat_map(|endgame| endgame.tensors(ENDGAME));
        let bytes = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let tensors = self.tensors("").into_iter().chain(endgame);
        let tensors: Vec<_> = tensors.map(|(name, shape, values)| (name, shape, bytes(values))).collect();
        let views =
            tensors.iter().map(|(name, shape, bytes)| Ok((name, TensorView::new(Dtype::F32, shape.clone(), bytes)?)));
        let views = views.collect::<Result<Vec<_>, SafeTensorError>>();
        let tensors = views.and_then(|views| safetensors::serialize(views, None)).map_err(|error| error.to_string())?;
        Ok((toml::to_string(&self.settings).map_err(|error| error.to_string())?, tensors))
    }

    /// The name, the shape and the values of each tensor, without the tensors of the endgame.
    pub(super) fn tensors(&self, prefix: &str) -> Vec<(String, Vec<usize>, &[f32])> {
        let vectors: [(&str, &[f32]); 3] = [("skip", &self.skip), ("mean", &self.mean), ("scale", &self.scale)];
        let mut tensors: Vec<(String, Vec<usize>, &[f32])> =
            vectors.iter().map(|&(name, values)| (format!("{prefix}{name}"), vec![values.len()], values)).collect();
        for (number, Dense { weights, bias }) in self.layers.iter().enumerate() {
            let shape = vec![weights.len() / bias.len().max(1), bias.len()];
            tensors.push((format!("{prefix}layer.{number}.weights"), shape, weights));
            tensors.push((format!("{prefix}layer.{number}.bias"), vec![bias.len()], bias));
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
        let mut weights = NetworkWeights::from_tensors(&settings, &tensors, "")?;
        if tensors.names().iter().any(|name| name.starts_with(ENDGAME)) {
            weights.endgame = Some(Box::new(NetworkWeights::from_tensors(&settings, &tensors, ENDGAME)?));
        }
        weights.check()?;
        Ok(weights)
    }

    /// The network of the tensors whose names begin with `prefix`, without the network for the endgame.
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

/// An expected shape, with `any` for a length that is free.
fn shape_in_words(shape: &[Option<usize>]) -> String {
    let lengths: Vec<String> = shape.iter().map(|length| length.map_or("any".into(), |length| length.to_string())).collect();
    format!("[{}]", lengths.join(", "))
}
