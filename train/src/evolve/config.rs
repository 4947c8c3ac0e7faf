//! The config of an evolution, as TOML.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::linear::{Weights, varies_by_move};
use tilewright_engine::features::{Feature, VERSION};
use tilewright_engine::leave::load::LEAVES_FILE;
use tilewright_engine::player::PlayerSpec;
use tilewright_engine::series::sequential::SequentialTest;

use super::fitness::Fitness;
use super::search::{Method, Search};
use crate::network::shape::network_path;
use crate::run_config::{Basics, RunConfig, candidate_moves, english, within};

/// An evolution: everything that determines its result besides the tile set, the words and the named players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvolveConfig {
    /// The lexicon, as on the command line. An empty text stands for the default lexicon of the tile set.
    #[serde(default)]
    pub lexicon: String,
    /// The tile set, as on the command line.
    #[serde(default = "english")]
    pub tileset: String,
    /// The seed of all random draws, and of the deals on which candidates are ranked.
    pub seed: u64,
    /// The player that every candidate plays against.
    pub baseline: PlayerSpec,
    /// The leave table of features that need one. The default is the embedded table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaves: Option<PathBuf>,
    /// The number of best moves that are re-ranked by features of their placement.
    #[serde(default = "candidate_moves")]
    pub candidate_moves: usize,
    /// The search method.
    pub method: Method,
    /// Candidates per generation.
    pub population: usize,
    /// Generations of the first search.
    pub generations: u64,
    /// Pairs that each candidate plays. All candidates of a generation play the same pairs.
    pub pairs: u64,
    /// The figure that ranks candidates.
    pub fitness: Fitness,
    /// Whether clearly beaten candidates stop early.
    pub race: bool,
    /// Standard deviation of the first candidates, in units of each weight's scale.
    pub sigma: f64,
    /// The rate at which the mean moves towards the mean of the best candidates, 0 to 1 (CMA-ES).
    #[serde(default = "one")]
    pub mean_rate: f64,
    /// The number of elite candidates (elite method).
    #[serde(default)]
    pub elites: usize,
    /// Further searches after the first.
    #[serde(default)]
    pub restarts: u64,
    /// The population of further searches.
    #[serde(default)]
    pub restart: Restart,
    /// Pairs on new deals that the start and the final mean of each search play to choose the answer.
    pub final_pairs: u64,
    /// Weights that stay fixed.
    #[serde(default)]
    pub fixed: BTreeMap<Feature, f64>,
    /// Weights to search for. In the evolution of a network, the search adds them to its skip weights.
    #[serde(default)]
    pub weights: BTreeMap<Feature, SearchedWeight>,
    /// The network that evolves instead of a linear evaluator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<EvolveNetwork>,
    /// The test of the answer.
    pub promotion: Promotion,
}

/// A network with some weights to search for. The others stay as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvolveNetwork {
    /// The network, as the name of a player: `network` or `network:PATH`.
    pub start: PlayerSpec,
    /// The unit of the search for the weights of the last layer, as a share of their root mean square. 0 keeps them.
    #[serde(default)]
    pub output_scale: f64,
}

/// A weight to search for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchedWeight {
    /// The start of the search.
    pub start: f64,
    /// The unit of the search: a guess of how far off the start may be.
    pub scale: f64,
    /// The lower bound.
    pub min: f64,
    /// The upper bound.
    pub max: f64,
}

/// The population of further searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// Twice the population of the previous search (Auger and Hansen 2005).
    #[default]
    Ipop,
    /// Alternately twice the largest population so far, and a small population with small steps (Hansen 2009).
    Bipop,
}

/// The sequential test that the answer has to pass on held-out deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promotion {
    /// The opponent.
    pub against: PlayerSpec,
    /// H0: the win rate in percent at which the answer should not be promoted.
    pub h0: f64,
    /// H1: the win rate in percent at which it should be promoted.
    pub h1: f64,
    /// The probability of each kind of error, 0–0.5.
    pub error_rate: f64,
    /// The most pairs.
    pub pairs: u64,
    /// The seed of the deals. It differs from the evolution's.
    pub seed: u64,
}

impl Promotion {
    /// The sequential test of a checked config.
    pub fn test(&self) -> SequentialTest {
        let Promotion { h0, h1, error_rate, .. } = *self;
        let Ok(test) = SequentialTest::new(h0 / 100.0, h1 / 100.0, error_rate, error_rate) else {
            unreachable!("the config was checked");
        };
        test
    }
}

fn one() -> f64 {
    1.0
}

/// The least `sigma` and `mean_rate`. With far smaller ones the search would not move.
const LEAST: f64 = 1e-6;
/// The largest population. A larger one would not finish its first generation.
const MAX_POPULATION: usize = 10_000;
/// The most pairs of a candidate or a match.
const MAX_PAIRS: u64 = 100_000_000;

impl RunConfig for EvolveConfig {
    const FOLDER: &str = "evolve";

    fn check(&self) -> Result<(), String> {
        if self.weights.is_empty() && self.network.as_ref().is_none_or(|network| network.output_scale == 0.0) {
            return Err("[weights] names no feature; there is nothing to search for".into());
        }
        if let Some(network) = &self.network {
            self.check_network(network)?;
        }
        for feature in self.weights.keys() {
            let name = feature.about().name;
            if self.fixed.contains_key(feature) {
                return Err(format!("{name} is both in [fixed] and in [weights]"));
            }
            if !varies_by_move(*feature) {
                return Err(format!(
                    "{name} is equal for all moves of a position, so its weight changes nothing; remove it"
                ));
            }
        }
        self.weights.iter().try_for_each(|(feature, sought)| sought.check(feature.about().name))?;
        self.check_numbers()?;
        self.check_promotion()?;
        if self.network.is_some() {
            return Ok(());
        }
        self.extreme_weights().check().map_err(|error| format!("{error}; every weight between min and max must be valid"))
    }

    fn basics(&mut self) -> Basics<'_> {
        Basics { lexicon: &mut self.lexicon, tileset: &mut self.tileset, seed: &mut self.seed }
    }
}

impl EvolveConfig {
    /// The most extreme weights within the bounds: if these are playable, all are.
    fn extreme_weights(&self) -> Weights {
        let mut weights = self.weights_of(&vec![0.0; self.weights.len()]);
        for (&feature, &SearchedWeight { min, max, .. }) in &self.weights {
            let is_min = feature == Feature::Score || min.abs() > max.abs();
            weights.weights.insert(feature, if is_min { min } else { max });
        }
        weights
    }

    fn check_network(&self, network: &EvolveNetwork) -> Result<(), String> {
        network_path("network.start", &network.start)?;
        within("network.output_scale", network.output_scale, &(0.0..=10.0))?;
        if !self.fixed.is_empty() || self.weights.contains_key(&Feature::Score) {
            return Err(
                "[fixed] or weights.score with [network]; all other weights of a network stay fixed, remove it".into()
            );
        }
        if self.leaves.is_some() || self.candidate_moves != candidate_moves() {
            return Err("leaves or candidate_moves with [network]; the network has its own, remove them".into());
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), String> {
        if !(4..=MAX_POPULATION).contains(&self.population) {
            return Err(format!("population = {}; expected 4 to {MAX_POPULATION} candidates", self.population));
        }
        if self.method == Method::Elite && !(2..=self.population).contains(&self.elites) {
            return Err(format!("elites = {}; expected 2 to {}, the population", self.elites, self.population));
        }
        if !(1..=100_000).contains(&self.generations) || self.restarts > 20 {
            return Err(format!(
                "generations = {} and restarts = {}; expected 1 to 100000 generations and at most 20 restarts",
                self.generations, self.restarts
            ));
        }
        within("pairs", self.pairs, &(1..=MAX_PAIRS))?;
        within("final_pairs", self.final_pairs, &(1..=MAX_PAIRS))?;
        if !((LEAST..=100.0).contains(&self.sigma) && (LEAST..=1.0).contains(&self.mean_rate)) {
            return Err(format!(
                "sigma = {:?} and mean_rate = {:?}; expected {LEAST} to 100, in scales, and {LEAST} to 1",
                self.sigma, self.mean_rate
            ));
        }
        Ok(())
    }

    fn check_promotion(&self) -> Result<(), String> {
        let Promotion { h0, h1, error_rate, pairs, seed, .. } = self.promotion;
        if seed == self.seed {
            return Err(format!("promotion.seed = {seed} is also the seed of the evolution; held-out deals need another"));
        }
        if !(0.0 < h0 && h0 < h1 && h1 < 100.0 && 0.0 < error_rate && error_rate < 0.5) {
            return Err(format!(
                "promotion.h0 = {h0}, h1 = {h1}, error_rate = {error_rate}; expected 0 < h0 < h1 < 100, in percent, and an \
                 error rate above 0 and below 0.5"
            ));
        }
        within("promotion.pairs", pairs, &(1..=MAX_PAIRS))
    }

    /// The searched weights at a point of the search, given in scales from the starts.
    pub fn sought_at(&self, point: &[f64]) -> impl Iterator<Item = (Feature, f64)> {
        self.weights.iter().zip(point).map(|((&feature, sought), &at)| (feature, sought.at(at)))
    }

    /// The weights of a linear evaluator at a point of the search.
    pub fn weights_of(&self, point: &[f64]) -> Weights {
        let fixed = self.fixed.iter().map(|(&feature, &weight)| (feature, weight));
        let all: BTreeMap<Feature, f64> = fixed.chain(self.sought_at(point)).collect();
        // The leave table belongs to the weights.
        let leaves = self.leaves.as_ref().map(|_| LEAVES_FILE.into());
        Weights { feature_version: VERSION, leaves, candidates: self.candidate_moves, weights: all }
    }

    /// Search number `run`, from 0, in a space of `dimensions`.
    pub fn search(&self, run: u64, dimensions: usize) -> Search {
        let EvolveConfig { method, population, sigma, mean_rate, elites, .. } = *self;
        let doubled = |times: u64| population.saturating_mul(1 << times.min(20)).min(MAX_POPULATION);
        let (population, sigma) = match self.restart {
            Restart::Ipop => (doubled(run), sigma),
            Restart::Bipop if run % 2 == 1 => (doubled(run.div_ceil(2)), sigma),
            Restart::Bipop if run > 0 => ((population / 2).max(4), sigma / 5.0),
            Restart::Bipop => (population, sigma),
        };
        let seed = self.seed.wrapping_add(run << 32);
        Search { method, dimensions, population, sigma, mean_rate, elites, seed }
    }
}

impl SearchedWeight {
    fn check(&self, name: &str) -> Result<(), String> {
        let SearchedWeight { start, scale, min, max } = *self;
        if !(scale > 0.0 && scale.is_finite()) {
            return Err(format!("weights.{name}.scale = {scale}; expected a number above 0"));
        }
        if !(min < max && min.is_finite() && max.is_finite() && (min..=max).contains(&start)) {
            return Err(format!(
                "weights.{name}: start = {start}, min = {min}, max = {max}; expected min below max, and start between them"
            ));
        }
        Ok(())
    }

    /// The weight at a distance from the start, in scales. The bounds reflect it, so that the search has no plateau.
    fn at(&self, scales: f64) -> f64 {
        let width = self.max - self.min;
        let along = (self.start + self.scale * scales - self.min).rem_euclid(2.0 * width);
        self.min + if along > width { 2.0 * width - along } else { along }
    }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::features::LeaveFeature;

    use super::*;

    const TEXT: &str = r#"
        seed = 1
        baseline = "greedy"
        method = "cma-es"
        population = 8
        generations = 3
        pairs = 4
        fitness = "spread"
        race = true
        sigma = 0.5
        final_pairs = 10
        [fixed]
        score = 1.0
        [weights]
        blanks_kept = { start = 1.0, scale = 10.0, min = -5.0, max = 40.0 }
        [promotion]
        against = "greedy"
        h0 = 50.0
        h1 = 51.0
        error_rate = 0.05
        pairs = 100
        seed = 2
    "#;

    #[test]
    fn a_config_is_read_back_as_it_was_written() {
        let config = EvolveConfig::from_toml(TEXT, "test").unwrap();
        assert_eq!(EvolveConfig::from_toml(&config.to_toml(), "test").unwrap(), config);
        let weights = |scales| config.weights_of(&[scales]).weights[&Feature::Leave(LeaveFeature::BlanksKept)];
        let near = |found: f64, wanted: f64| (found - wanted).abs() < 1e-9;
        assert!(near(weights(0.0), 1.0) && near(weights(2.0), 21.0));
        // Both bounds reflect.
        assert!(near(weights(-1.0), -1.0) && near(weights(5.0), 29.0) && near(weights(9.5), 6.0));
        let populations = |restart| {
            let config = EvolveConfig { restart, ..config.clone() };
            [0, 1, 2, 3].map(|run| config.search(run, 1).population)
        };
        assert_eq!((populations(Restart::Ipop), populations(Restart::Bipop)), ([8, 16, 32, 64], [8, 16, 4, 32]));
    }

    #[test]
    fn every_config_of_the_repository_is_valid() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/evolve");
        let mut seen = 0;
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let name = entry.path().display().to_string();
            EvolveConfig::from_toml(&std::fs::read_to_string(entry.path()).unwrap(), &name).unwrap();
            seen += 1;
        }
        assert!(seen >= 3);
    }

    #[test]
    fn invalid_configs_are_reported() {
        let message = |from: &str, to: &str| {
            assert!(TEXT.contains(from), "{from}");
            EvolveConfig::from_toml(&TEXT.replace(from, to), "test").unwrap_err().to_string()
        };
        let reports = |from: &str, to: &str, part: &str| {
            let message = message(from, to);
            assert!(message.contains(part), "{part} in {message}");
        };
        reports("population = 8", "population = 3", "population = 3");
        reports("blanks_kept", "blanks_held", "blanks_held");
        reports("blanks_kept =", "tiles_in_bag =", "changes nothing");
        reports("score = 1.0", "score = -1.0", "above 0");
        reports("score = 1.0", "blanks_kept = 1.0", "both in [fixed]");
        reports("scale = 10.0", "scale = 0.0", "scale = 0");
        reports("max = 40.0", "max = 0.0", "start = 1");
        reports("seed = 2", "seed = 1", "held-out");
        reports("h0 = 50.0", "h0 = 52.0", "h0 = 52");
        reports("cma-es", "elite", "elites = 0");
        reports("sigma = 0.5", "sigma = 0.0", "sigma = 0");
        reports("sigma = 0.5", "sigma = 1e-310", "sigma = 1e-310 and mean_rate = 1.0; expected 0.000001 to 100");
        reports("pairs = 4", "pairs = 0", "pairs = 0");
        let network = |table: &str| format!("[network]\n{table}\n[promotion]");
        reports("[promotion]", &network("start = \"network\""), "[fixed]");
        let without_fixed = TEXT.replace("score = 1.0", "");
        let reports = |table: &str, part: &str| {
            let text = without_fixed.replace("[promotion]", &network(table));
            let message = EvolveConfig::from_toml(&text, "test").unwrap_err().to_string();
            assert!(message.contains(part), "{part} in {message}");
        };
        reports("start = \"leave\"", "network.start = \"leave\"");
        reports("start = \"network\"\noutput_scale = -1.0", "network.output_scale = -1");
        reports("start = \"network\"\n[weights.score]\nstart = 1\nscale = 1\nmin = 0\nmax = 2", "weights.score");
        let nothing = without_fixed.replace("blanks_kept", "# ").replace("[promotion]", &network("start = \"network\""));
        assert!(EvolveConfig::from_toml(&nothing, "test").unwrap_err().to_string().contains("nothing to search for"));
    }
}
