//! The meaning of the points of a search: the weights of a linear evaluator, or some weights of a network.

use std::sync::Arc;

use thiserror::Error;
use tilewright_engine::evaluator::linear::{BadWeights, Weights};
use tilewright_engine::evaluator::network::load::LoadedNetwork;
use tilewright_engine::evaluator::network::{BadNetwork, NetworkWeights};
use tilewright_engine::evaluator::{Linear, Network};
use tilewright_engine::features::{Feature, FeatureError, Features};
use tilewright_engine::{LeaveData, Player, Setup, StaticPlayer};

use super::config::{EvolveConfig, SearchedWeight};
use crate::run::RunError;

/// The weights of the last layer stay within this many points either way.
const MAX_OUTPUT: f64 = 1e6;

/// Why a config names no space that can be searched.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum SpaceError {
    #[error(transparent)]
    Features(#[from] FeatureError),
    #[error(transparent)]
    Weights(#[from] BadWeights),
    #[error(transparent)]
    Network(#[from] BadNetwork),
    #[error("weights.{0}: the network of network.start does not have this feature; remove it")]
    NotInNetwork(&'static str),
}

impl From<SpaceError> for RunError {
    fn from(error: SpaceError) -> RunError {
        RunError::Input(error.to_string())
    }
}

/// The weights at a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Evolved {
    /// Of a linear evaluator.
    Linear(Weights),
    /// Of a network.
    Network(Box<NetworkWeights>),
}

/// The space of a search. A point is a list of distances from the start in units of each weight. The weights that the config
/// names by feature come first, then the weights of the last layer of a network.
pub struct Space<'a> {
    config: &'a EvolveConfig,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Linear(Arc<Features>),
    Network {
        start: &'a LoadedNetwork,
        /// The unit of the weights of the last layer, in points, or `None` if they stay as they are.
        output_unit: Option<f64>,
    },
}

/// The features of a linear evaluator that a config searches for. Their preparation takes long.
///
/// # Errors
/// [`SpaceError::Features`] if a feature needs the leave table and there is no table.
pub fn features_of(config: &EvolveConfig, setup: &Setup, leaves: Option<LeaveData>) -> Result<Features, SpaceError> {
    let wanted: Vec<Feature> = config.weights.keys().chain(config.fixed.keys()).copied().collect();
    Ok(Features::new(&wanted, setup, leaves)?)
}

impl<'a> Space<'a> {
    /// The weights of a linear evaluator, with the [`features_of`] the config.
    pub fn of_features(config: &'a EvolveConfig, features: Arc<Features>) -> Space<'a> {
        Space { config, kind: Kind::Linear(features) }
    }

    /// The weights of the network of `network.start`.
    ///
    /// # Errors
    /// [`SpaceError`], also if weights within the bounds would make no evaluator.
    pub fn of_network(config: &'a EvolveConfig, start: &'a LoadedNetwork) -> Result<Space<'a>, SpaceError> {
        if let Some(feature) = config.weights.keys().find(|feature| !start.weights.settings.features.contains(feature)) {
            return Err(SpaceError::NotInNetwork(feature.about().name));
        }
        let output_scale = config.network.as_ref().map_or(0.0, |network| network.output_scale);
        let output = start.weights.layers.last().map_or(&[][..], |layer| &layer.weights);
        let mean_square = output.iter().map(|&weight| f64::from(weight).powi(2)).sum::<f64>() / output.len().max(1) as f64;
        let size = if mean_square > 0.0 { mean_square.sqrt() } else { 1.0 };
        let output_unit = (output_scale > 0.0).then_some(output_scale * size);
        let space = Space { config, kind: Kind::Network { start, output_unit } };
        // If the least and the greatest weights are playable, all are.
        for bound in [|sought: &SearchedWeight| sought.min, |sought: &SearchedWeight| sought.max] {
            let bounds = config.weights.iter().map(|(&feature, sought)| (feature, bound(sought)));
            let weights = with_added_skip(start.weights.clone(), bounds);
            Network::from_inputs(weights, Arc::clone(start.evaluator.inputs()))?;
        }
        Ok(space)
    }

    /// The network of `network.start`, if the config has one.
    pub fn network(&self) -> Option<&'a LoadedNetwork> {
        match &self.kind {
            Kind::Linear(_) => None,
            Kind::Network { start, .. } => Some(start),
        }
    }

    /// The number of weights that are searched for.
    pub fn dimensions(&self) -> usize {
        let of_output = match &self.kind {
            Kind::Network { start, output_unit: Some(_) } => {
                start.weights.layers.last().map_or(0, |layer| layer.weights.len())
            }
            _ => 0,
        };
        self.config.weights.len() + of_output
    }

    /// The weights at a point.
    pub fn at(&self, point: &[f64]) -> Evolved {
        match &self.kind {
            Kind::Linear(_) => Evolved::Linear(self.config.weights_of(point)),
            Kind::Network { start, output_unit } => {
                let mut weights = with_added_skip(start.weights.clone(), self.config.sought_at(point));
                if let (Some(unit), Some(output)) = (output_unit, weights.layers.last_mut()) {
                    for (weight, at) in output.weights.iter_mut().zip(&point[self.config.weights.len()..]) {
                        *weight = (f64::from(*weight) + unit * at).clamp(-MAX_OUTPUT, MAX_OUTPUT) as f32;
                    }
                }
                Evolved::Network(Box::new(weights))
            }
        }
    }

    /// The player at a point.
    ///
    /// # Errors
    /// [`SpaceError`], but never for a config that was checked.
    pub fn player(&self, point: &[f64]) -> Result<Player, SpaceError> {
        let player = match (self.at(point), &self.kind) {
            (Evolved::Linear(weights), Kind::Linear(features)) => {
                StaticPlayer::new(Linear::from_features(Arc::clone(features), &weights)?)
            }
            (Evolved::Network(weights), Kind::Network { start, .. }) => {
                StaticPlayer::new(Network::from_inputs(*weights, Arc::clone(start.evaluator.inputs()))?)
            }
            _ => unreachable!("a point has the kind of its space"),
        };
        Ok(Player::from_static("candidate", player))
    }
}

/// A network with something added to the skip weights of some features.
fn with_added_skip(mut weights: NetworkWeights, added: impl Iterator<Item = (Feature, f64)>) -> NetworkWeights {
    for (feature, added) in added {
        let skip = weights.settings.features.iter().zip(&mut weights.skip);
        for (_, skip) in skip.filter(|(own, _)| **own == feature) {
            *skip = (f64::from(*skip) + added) as f32;
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use rand::RngExt;
    use rand_distr::{Distribution, StandardNormal};
    use tilewright_engine::features::{ExtraInput, Inputs};
    use tilewright_engine::rng::stream;
    use tilewright_engine::selfplay::GameResult;
    use tilewright_engine::series::Pair;

    use super::super::fitness::{Fitness, play_candidates};
    use super::*;
    use crate::network::shape::{NetworkShape, drawn_layers};
    use crate::run_config::RunConfig;

    const CONFIG: &str = r#"
        seed = 1
        baseline = "greedy"
        method = "cma-es"
        population = 24
        generations = 30
        pairs = 40
        fitness = "spread"
        race = true
        sigma = 0.7
        final_pairs = 10
        [weights]
        tiles_played = { start = 0.0, scale = 1.0, min = -2.0, max = 2.0 }
        [network]
        start = "network"
        output_scale = 0.5
        [promotion]
        against = "greedy"
        h0 = 50.0
        h1 = 51.0
        error_rate = 0.05
        pairs = 100
        seed = 2
    "#;

    /// A small network with a drawn output layer.
    fn start(setup: &Setup) -> LoadedNetwork {
        let shape = NetworkShape {
            leaves: None,
            features: ["tiles_played", "blanks_kept"].map(|name| serde_json::from_value(name.into()).unwrap()).into(),
            extra_inputs: vec![ExtraInput::Score],
            candidate_moves: 5,
            margin: 20.0,
            hidden: vec![6],
        };
        let settings = shape.settings();
        let inputs = Arc::new(Inputs::new(&settings.features, &settings.extra_inputs, setup, None).unwrap());
        let mut layers = drawn_layers(3, &shape.hidden, 3);
        layers[1].weights = vec![1.0, -2.0, 3.0, -1.0, 2.0, -3.0];
        let weights = NetworkWeights { settings, skip: vec![0.5, 4.0], mean: vec![0.0; 3], scale: vec![1.0; 3], layers };
        let evaluator = Network::from_inputs(weights.clone(), inputs).unwrap();
        LoadedNetwork { evaluator, identity: String::new(), weights, leaves: None, config: None, is_refused: false }
    }

    /// The mean square of the outputs of two networks, less a skip weight, over made-up rows.
    fn distance(one: &NetworkWeights, other: &NetworkWeights) -> f64 {
        let mut draws = stream(6, "inputs", 0);
        let square = |_| {
            let row: Vec<f32> = (0..3).map(|_| draws.random_range(-2.0..2.0)).collect();
            let skip = (one.skip[0] - other.skip[0]) * row[0];
            f64::from(one.added(&row) - other.added(&row) + skip).powi(2)
        };
        (0..100).map(square).sum::<f64>() / 100.0
    }

    /// Matches of networks whose strength falls with the distance from a planted one, with noise.
    struct Planted<'a> {
        space: &'a Space<'a>,
        network: NetworkWeights,
    }

    fn network_at(space: &Space<'_>, point: &[f64]) -> NetworkWeights {
        match space.at(point) {
            Evolved::Network(weights) => *weights,
            Evolved::Linear(_) => unreachable!("the space is that of a network"),
        }
    }

    impl Planted<'_> {
        fn play(&self, candidates: &[&[f64]], pairs: &Range<u64>) -> Vec<Vec<Pair>> {
            let play = |(number, point): (u64, &&[f64])| {
                let distance = distance(&network_at(self.space, point), &self.network);
                let pair = |index: u64| {
                    let noise: f64 = StandardNormal.sample(&mut stream(number, "play", index));
                    let first =
                        GameResult { scores: [(30.0 * noise - 100.0 * distance) as i32, 0], ..GameResult::default() };
                    Pair { index, games: [first, GameResult::default()], ..Pair::default() }
                };
                pairs.clone().map(pair).collect()
            };
            (0..).zip(candidates).map(play).collect()
        }
    }

    #[test]
    fn a_planted_output_layer_is_found() {
        let setup = Setup::embedded("english").unwrap();
        let (config, start) = (EvolveConfig::from_toml(CONFIG, "test").unwrap(), start(&setup));
        let space = Space::of_network(&config, &start).unwrap();
        assert_eq!(space.dimensions(), 7);
        assert_eq!(network_at(&space, &vec![0.0; space.dimensions()]), start.weights);
        let mut network = start.weights.clone();
        network.skip[0] += 0.8;
        network.layers[1].weights = vec![2.0, -2.5, 2.0, 0.0, 3.0, -2.0];
        let planted = Planted { space: &space, network };
        let first = distance(&start.weights, &planted.network);
        let (search, mut ranks) = (config.search(0, space.dimensions()), Vec::new());
        for generation in 0..config.generations {
            let points = search.next(&ranks).points;
            let candidates: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
            let pairs = generation * config.pairs..(generation + 1) * config.pairs;
            let play = |candidates: &[&[f64]], pairs| Ok(Some(planted.play(candidates, &pairs)));
            let scores = play_candidates(play, &candidates, pairs, Fitness::Spread, Some(0)).unwrap().unwrap();
            ranks.push(Fitness::Spread.places(&scores));
        }
        let found = network_at(&space, &search.next(&ranks).mean);
        let last = distance(&found, &planted.network);
        assert!(last < 0.1 * first, "{first} {last} {found:?}");
        // Nothing else has changed.
        assert!(found.layers[0] == start.weights.layers[0] && found.skip[1..] == start.weights.skip[1..]);
        assert_eq!(found.layers[1].bias, start.weights.layers[1].bias);
        assert!(space.player(&search.next(&ranks).mean).is_ok());
    }

    #[test]
    fn what_a_network_does_not_have_is_refused() {
        let setup = Setup::embedded("english").unwrap();
        let start = start(&setup);
        let refused = |from: &str, to: &str| {
            let config = EvolveConfig::from_toml(&CONFIG.replace(from, to), "test").unwrap();
            Space::of_network(&config, &start).err().unwrap().to_string()
        };
        assert!(refused("tiles_played", "hooks_opened").contains("weights.hooks_opened: the network of network.start"));
        assert!(refused("max = 2.0", "max = 1e9").contains("1e9"));
    }
}
