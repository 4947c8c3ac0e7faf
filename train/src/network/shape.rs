//! Networks before training: their inputs, their size, and their first weights.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rand::RngExt;
use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::network::{Dense, NetworkSettings};
use tilewright_engine::features::{ExtraInput, Feature, VERSION};
use tilewright_engine::player::{Base, PlayerSpec};
use tilewright_engine::rng::stream;

use crate::run_config::{above_zero, within};

/// The inputs of a network, its size, and its settings in play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkShape {
    /// The leave table of the features, relative to the working directory. The default is the embedded table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaves: Option<PathBuf>,
    /// The features among the inputs. Features of the position are inputs of the layers only.
    pub features: BTreeSet<Feature>,
    /// Inputs of the layers besides the features.
    #[serde(default)]
    pub extra_inputs: Vec<ExtraInput>,
    /// The number of best moves by score and leave that the network values.
    pub candidate_moves: usize,
    /// The network values moves at most this many points behind the best.
    pub margin: f64,
    /// Units of each hidden layer.
    pub hidden: Vec<usize>,
}

impl NetworkShape {
    /// Checks that the values are valid.
    ///
    /// # Errors
    /// The invalid value and the valid ones.
    pub fn check(&self) -> Result<(), String> {
        if self.features.is_empty() || self.features.contains(&Feature::Score) {
            return Err("features: name at least one feature, and not score, which counts anyway".into());
        }
        if self.hidden.is_empty() || self.hidden.iter().any(|units| !(1..=1024).contains(units)) {
            return Err(format!("hidden = {:?}; expected layers of 1 to 1024 units", self.hidden));
        }
        above_zero("margin", self.margin, "a number", 1000.0)?;
        within("candidate_moves", self.candidate_moves, &(1..=1000))
    }

    /// Whether a feature needs a leave table.
    pub fn needs_leaves(&self) -> bool {
        self.features.iter().any(|feature| feature.needs_leaves())
    }

    /// The settings of a network of this shape, with the embedded leave table.
    pub fn settings(&self) -> NetworkSettings {
        NetworkSettings {
            feature_version: VERSION,
            leaves: None,
            features: self.features.iter().copied().collect(),
            extra_inputs: self.extra_inputs.clone(),
            candidate_moves: self.candidate_moves,
            margin: self.margin,
            prior: Vec::new(),
        }
    }
}

/// Layers from `inputs` through `hidden` to one output. The last layer is zero, the others are drawn by seed.
pub fn drawn_layers(inputs: usize, hidden: &[usize], seed: u64) -> Vec<Dense> {
    let mut draws = stream(seed, "network", 0);
    let mut from = inputs;
    let mut layer = |(number, &to): (usize, &usize)| {
        let most = if number == hidden.len() { 0.0 } else { (6.0 / from as f32).sqrt() };
        let weights = (0..from * to).map(|_| (2.0 * draws.random::<f32>() - 1.0) * most).collect();
        from = to;
        Dense { weights, bias: vec![0.0; to] }
    };
    hidden.iter().chain(&[1]).enumerate().map(&mut layer).collect()
}

/// By column, the mean and the standard deviation of some rows of inputs. For inputs that do not vary, the deviation is 1.
pub fn standardisation<'a>(rows: &(impl Iterator<Item = &'a [f32]> + Clone), columns: usize) -> (Vec<f32>, Vec<f32>) {
    let count = rows.clone().count().max(1) as f64;
    let mean = |value: &dyn Fn(f64, usize) -> f64| -> Vec<f64> {
        let mut sums = vec![0.0; columns];
        for row in rows.clone() {
            sums.iter_mut().zip(row).enumerate().for_each(|(column, (sum, &at))| *sum += value(f64::from(at), column));
        }
        sums.into_iter().map(|sum| sum / count).collect()
    };
    let means = mean(&|at, _| at);
    let variances = mean(&|at, column| (at - means[column]).powi(2));
    let scale = variances.iter().map(|&variance| if variance > 1e-12 { variance.sqrt() as f32 } else { 1.0 }).collect();
    (means.iter().map(|&mean| mean as f32).collect(), scale)
}

/// The folder of the network of a player: `network:PATH`, or `None` for `network`, which is the embedded one.
///
/// # Errors
/// The player is not a network. The text names `key`.
pub fn network_path<'a>(key: &str, player: &'a PlayerSpec) -> Result<Option<&'a Path>, String> {
    match player {
        PlayerSpec { base: Base::Network(path), endgame: false } => Ok(path.as_deref()),
        _ => Err(format!("{key} = \"{player}\"; expected \"network\", the embedded one, or \"network:PATH\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_standardised_by_their_mean_and_deviation() {
        let rows: [&[f32]; 4] = [&[1.0, 7.0], &[3.0, 7.0], &[1.0, 7.0], &[3.0, 7.0]];
        assert_eq!(standardisation(&rows.into_iter(), 2), (vec![2.0, 7.0], vec![1.0, 1.0]));
        assert_eq!(standardisation(&std::iter::empty(), 1), (vec![0.0], vec![1.0]));
    }

    #[test]
    fn networks_are_named_like_their_players() {
        let player = |name: &str| name.parse::<PlayerSpec>().unwrap();
        assert_eq!(network_path("start", &player("network")), Ok(None));
        assert_eq!(network_path("start", &player("network:runs/net")), Ok(Some(Path::new("runs/net"))));
        for name in ["greedy", "network+endgame", "linear:x"] {
            assert!(network_path("start", &player(name)).unwrap_err().contains(&format!("start = {name:?}")), "{name}");
        }
    }
}
