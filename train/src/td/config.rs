//! The config of a TD run, as TOML.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tilewright_engine::{Feature, PlayerSpec};

use super::learner::Method;
use super::trajectory::Target;
use crate::exploration::Exploration;
use crate::network::shape::{NetworkShape, network_path};
use crate::run_config::{Basics, RunConfig, above_zero, candidate_moves, english, within};

/// A TD run: everything that determines its result besides the tile set and the words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TdConfig {
    /// The lexicon, as on the command line. An empty text stands for the default lexicon of the tile set.
    #[serde(default)]
    pub lexicon: String,
    /// The tile set, as on the command line.
    #[serde(default = "english")]
    pub tileset: String,
    /// The seed of the deals and of exploration.
    pub seed: u64,
    /// The prediction target.
    pub target: Target,
    /// The learning method.
    #[serde(default)]
    pub method: Method,
    /// λ: how far back a difference reaches, 0–1.
    pub lambda: f64,
    /// The learning rate at the start. Least squares has no rate.
    #[serde(default)]
    pub rate: f64,
    /// N, where the rate after n games is `rate / (1 + n / N)`. With 0 the rate stays constant.
    #[serde(default)]
    pub rate_games: u64,
    /// Games to learn from. Records are repeated as often as needed.
    pub games: u64,
    /// Games per batch. The games of a batch are played with the same weights.
    pub batch_games: u64,
    /// Records of `tilewright selfplay` to learn from instead of new games. The path is relative to the working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<PathBuf>,
    /// Whether the tile patterns of the leave have weights. Networks have no patterns.
    #[serde(default = "yes")]
    pub patterns: bool,
    /// The number of best moves that are re-ranked by features of their placement, if there are such features.
    #[serde(default = "candidate_moves")]
    pub candidate_moves: usize,
    /// Exploration: how often, and how, a turn chooses a move other than the best.
    #[serde(default)]
    pub exploration: Exploration,
    /// Features with weights, each with its usual size: that amount counts as much as one pattern.
    #[serde(default)]
    pub features: BTreeMap<Feature, f64>,
    /// The network that learns instead of linear terms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<TdNetwork>,
}

/// The network that a run trains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TdNetwork {
    /// The network that the run begins with, as the name of a player: `network` or `network:PATH`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PlayerSpec>,
    /// The parts that learn.
    #[serde(default = "all_parts")]
    pub learn: BTreeSet<Part>,
    /// Games per gradient step. The games of a batch are played with the same weights, and learned from in several steps.
    #[serde(default = "step_games")]
    pub step_games: u64,
    /// The network that begins from nothing, if there is no start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<NetworkShape>,
}

/// A part of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The skip weights of the features that differ between the moves of a turn.
    Skip,
    /// The hidden layers.
    Layers,
    /// The last layer.
    Output,
}

fn yes() -> bool {
    true
}

fn all_parts() -> BTreeSet<Part> {
    BTreeSet::from([Part::Skip, Part::Layers, Part::Output])
}

fn step_games() -> u64 {
    20
}

/// The most games of a step. The gradient of each is kept until the step.
const MAX_STEP_GAMES: u64 = 10_000;
/// The most games of a run.
const MAX_GAMES: u64 = 1_000_000_000;

impl RunConfig for TdConfig {
    const FOLDER: &str = "td";

    fn check(&self) -> Result<(), String> {
        within("lambda", self.lambda, &(0.0..=1.0))?;
        self.exploration.check("exploration")?;
        self.check_method()?;
        match &self.network {
            Some(network) => self.check_network(network)?,
            None => self.check_features()?,
        }
        if !(1..=MAX_GAMES).contains(&self.games) || !(1..=self.games).contains(&self.batch_games) {
            return Err(format!(
                "games = {} and batch_games = {}; expected 1 to {MAX_GAMES} games, and a batch no larger than that",
                self.games, self.batch_games
            ));
        }
        if self.records.is_some() && self.exploration.is_on() {
            return Err("nothing can be explored in recorded games; remove records or [exploration]".into());
        }
        Ok(())
    }

    fn basics(&mut self) -> Basics<'_> {
        Basics { lexicon: &mut self.lexicon, tileset: &mut self.tileset, seed: &mut self.seed }
    }
}

impl TdConfig {
    fn check_method(&self) -> Result<(), String> {
        match self.method {
            Method::Gradient => above_zero("rate", self.rate, "a number", 1.0),
            Method::LeastSquares if self.rate != 0.0 || self.rate_games != 0 => Err(format!(
                "rate = {} and rate_games = {}; least squares need neither, remove them",
                self.rate, self.rate_games
            )),
            Method::LeastSquares if self.target != Target::Points => {
                Err("target = \"win-probability\" needs method = \"gradient\"; least squares predict points".into())
            }
            Method::LeastSquares => Ok(()),
        }
    }

    fn check_features(&self) -> Result<(), String> {
        if !self.patterns && self.features.is_empty() {
            return Err("patterns = false and no [features]; there is nothing to learn".into());
        }
        within("candidate_moves", self.candidate_moves, &(1..=1000))?;
        for (&feature, &size) in &self.features {
            let about = feature.about();
            if feature == Feature::Score || feature.needs_leaves() {
                let why = "td learns the value beyond its score, without a leave table; remove this feature";
                return Err(format!("[features] {}: {why}", about.name));
            }
            if !(size > 0.0 && size <= 1e6) {
                return Err(format!("[features] {} = {size}; expected its usual size, above 0 and at most 1e6", about.name));
            }
        }
        Ok(())
    }

    fn check_network(&self, network: &TdNetwork) -> Result<(), String> {
        if self.method == Method::LeastSquares {
            return Err("method = \"least-squares\" fits linear terms; with [network] expected method = \"gradient\"".into());
        }
        if !self.features.is_empty() {
            return Err("[features] are linear terms; name those of a network in [network.shape]".into());
        }
        if !self.patterns {
            return Err("patterns = false with [network]; networks have no patterns, remove it".into());
        }
        if self.candidate_moves != candidate_moves() {
            return Err(format!(
                "candidate_moves = {} with [network]; the network of start has its own, and a new one's is in [network.shape]",
                self.candidate_moves
            ));
        }
        if let Some(records) = &self.records {
            return Err(format!(
                "records = \"{}\" with [network]; a network learns from games of its own, remove them",
                records.display()
            ));
        }
        network.check()
    }

    /// The learning rate after `games` games.
    pub fn rate_after(&self, games: u64) -> f64 {
        if self.rate_games == 0 { self.rate } else { self.rate / (1.0 + games as f64 / self.rate_games as f64) }
    }
}

impl TdNetwork {
    fn check(&self) -> Result<(), String> {
        if self.learn.is_empty() {
            return Err("network.learn = []; expected at least one of \"skip\", \"layers\" and \"output\"".into());
        }
        within("network.step_games", self.step_games, &(1..=MAX_STEP_GAMES))?;
        match (&self.start, &self.shape) {
            (Some(start), None) => network_path("network.start", start).map(drop),
            (None, Some(shape)) => shape.check().map_err(|reason| format!("[network.shape] {reason}")),
            (Some(_), Some(_)) => Err("network.start has a shape already; remove it or [network.shape]".into()),
            (None, None) => Err("[network] has neither start nor [network.shape]; expected one of them".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_config_of_the_repository_is_valid() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/td");
        let mut seen = 0;
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let name = entry.path().display().to_string();
            let config = TdConfig::from_toml(&std::fs::read_to_string(entry.path()).unwrap(), &name).unwrap();
            assert_eq!(TdConfig::from_toml(&config.to_toml(), &name).unwrap(), config);
            seen += 1;
        }
        assert!(seen >= 8);
    }

    #[test]
    fn networks_exclude_what_linear_terms_need() {
        let text = "seed = 1\ntarget = \"points\"\nlambda = 0.5\nrate = 0.01\ngames = 10\nbatch_games = 5\n";
        let table = "[network]\nstart = \"network\"\n";
        let config = TdConfig::from_toml(&format!("{text}{table}"), "test").unwrap();
        assert_eq!(config.network.unwrap().learn.len(), 3);
        let reports = |above: &str, below: &str, part: &str| {
            let text = if above.contains("least") { text.replace("rate = 0.01\n", "") } else { text.into() };
            let message = TdConfig::from_toml(&format!("{above}{text}{below}"), "test").unwrap_err().to_string();
            assert!(message.contains(part), "{part} in {message}");
        };
        reports("method = \"least-squares\"\n", table, "with [network] expected method = \"gradient\"");
        reports("", &format!("[features]\ntiles_in_bag = 50.0\n{table}"), "[features] are linear terms");
        reports("patterns = false\n", table, "networks have no patterns");
        reports("candidate_moves = 7\n", table, "candidate_moves = 7 with [network]");
        reports("records = \"games\"\n", table, "learns from games of its own");
        reports("", "[network]\n", "neither start nor [network.shape]");
        reports("", "[network]\nstart = \"leave\"\n", "network.start = \"leave\"; expected");
        reports("", &format!("{table}learn = []\n"), "network.learn = []");
        reports("", &format!("{table}learn = [\"input\"]\n"), "input");
        reports("", &format!("{table}step_games = 0\n"), "network.step_games = 0");
        let shape = "[network.shape]\nfeatures = [\"blanks_kept\"]\ncandidate_moves = 9\nmargin = 9.0\nhidden = [4]\n";
        TdConfig::from_toml(&format!("{text}{shape}"), "test").unwrap();
        reports("", &format!("{table}{shape}"), "remove it or [network.shape]");
        reports("", &shape.replace("margin = 9.0", "margin = 0.0"), "[network.shape] margin = 0");
        reports("", &shape.replace("hidden = [4]", ""), "hidden");
    }

    #[test]
    fn the_rate_falls_as_the_schedule_says() {
        let text =
            "seed = 1\ntarget = \"points\"\nlambda = 0.5\nrate = 0.01\nrate_games = 100\ngames = 10\nbatch_games = 5\n";
        let config = TdConfig::from_toml(text, "test").unwrap();
        let rates = [0, 100, 300].map(|games| config.rate_after(games));
        assert!(rates.iter().zip([0.01, 0.005, 0.0025]).all(|(rate, wanted): (&f64, f64)| (rate - wanted).abs() < 1e-12));
    }
}
