//! What a run of temporal differences does, as TOML.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tilewright_engine::features::Feature;

use super::learner::{Method, Target};
use super::play::Exploration;
use crate::run_config::{Basics, RunConfig};

/// Everything that the result of a run depends on beside the tile set and the words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TdConfig {
    /// The lexicon, as on the command line; empty for the one that comes with the tile set.
    #[serde(default)]
    pub lexicon: String,
    /// The tile set, as on the command line.
    #[serde(default = "english")]
    pub tileset: String,
    /// Of the deals and of exploration.
    pub seed: u64,
    /// What is predicted.
    pub target: Target,
    /// How weights follow from it.
    #[serde(default)]
    pub method: Method,
    /// How far back a difference is felt, 0–1.
    pub lambda: f64,
    /// What share of a difference is learned at the beginning; nothing for least squares.
    #[serde(default)]
    pub rate: f64,
    /// Games after which the rate is half of that, then a third, and so on; 0 leaves it as it is.
    #[serde(default)]
    pub rate_games: u64,
    /// Games to learn from; records are gone through as often as that takes.
    pub games: u64,
    /// Games that are played with the same weights.
    pub batch_games: u64,
    /// Records of `tilewright selfplay`, a path from the working directory, to learn from instead of own games; nothing is then explored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<PathBuf>,
    /// Whether values are sums over the tile patterns that are kept.
    #[serde(default = "yes")]
    pub patterns: bool,
    /// Moves that are looked at again for where they lay their tiles, if features say so.
    #[serde(default = "candidate_moves")]
    pub candidate_moves: usize,
    /// Moves that are not the best.
    #[serde(default)]
    pub exploration: Exploration,
    /// Features that values are sums over too, each with its usual size: so much of it counts as one pattern does.
    #[serde(default)]
    pub features: BTreeMap<Feature, f64>,
}

fn english() -> String {
    "english".into()
}

fn yes() -> bool {
    true
}

fn candidate_moves() -> usize {
    20
}

/// The most games of a run.
const MOST_GAMES: u64 = 1_000_000_000;

impl RunConfig for TdConfig {
    fn check(&self) -> Result<(), String> {
        let Exploration { softmax, temperature, forced_keeps } = self.exploration;
        let rates = [("lambda", self.lambda), ("exploration.softmax", softmax), ("exploration.forced_keeps", forced_keeps)];
        for (name, rate) in rates {
            if !(0.0..=1.0).contains(&rate) {
                return Err(format!("{name} = {rate}; it is from 0 to 1"));
            }
        }
        if softmax + forced_keeps > 1.0 {
            return Err(format!(
                "exploration.softmax = {softmax} and forced_keeps = {forced_keeps} are more than all turns together"
            ));
        }
        if softmax > 0.0 && !(temperature > 0.0 && temperature <= 1000.0) {
            return Err(format!("exploration.temperature = {temperature}; points above 0, and 1000 at most"));
        }
        self.check_method()?;
        self.check_features()?;
        if !(1..=MOST_GAMES).contains(&self.games) || !(1..=self.games).contains(&self.batch_games) {
            return Err(format!(
                "games = {} and batch_games = {}; 1 to {MOST_GAMES} games, and no more in a batch than in all",
                self.games, self.batch_games
            ));
        }
        if self.records.is_some() && softmax + forced_keeps > 0.0 {
            return Err("records have been played; nothing can be explored in them".into());
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
            Method::Gradient if !(self.rate > 0.0 && self.rate <= 1.0) => {
                Err(format!("rate = {}; it is above 0, and 1 at most", self.rate))
            }
            Method::LeastSquares if self.rate != 0.0 || self.rate_games != 0 => Err(format!(
                "rate = {} and rate_games = {}; least squares take no steps, leave them out",
                self.rate, self.rate_games
            )),
            Method::LeastSquares if self.target != Target::Points => {
                Err("least squares predict points; for win-probability the method is gradient".into())
            }
            _ => Ok(()),
        }
    }

    fn check_features(&self) -> Result<(), String> {
        if !self.patterns && self.features.is_empty() {
            return Err("patterns = false and no [features]; there is nothing to learn".into());
        }
        if !(1..=1000).contains(&self.candidate_moves) {
            return Err(format!("candidate_moves = {}; 1 to 1000", self.candidate_moves));
        }
        for (&feature, &size) in &self.features {
            let about = feature.about();
            if feature == Feature::Score || feature.needs_leaves() {
                let why = "what a move is worth beyond its score is learned here, and without a leave table";
                return Err(format!("[features] {}: {why}", about.name));
            }
            if !(size > 0.0 && size <= 1e6) {
                return Err(format!("[features] {} = {size}; its usual size, above 0", about.name));
            }
        }
        Ok(())
    }

    /// What share of a difference is learned after so many games.
    pub fn rate_after(&self, games: u64) -> f64 {
        if self.rate_games == 0 { self.rate } else { self.rate / (1.0 + games as f64 / self.rate_games as f64) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_config_that_comes_along_can_be_run() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/td");
        let mut seen = 0;
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let name = entry.path().display().to_string();
            let config = TdConfig::from_toml(&std::fs::read_to_string(entry.path()).unwrap(), &name).unwrap();
            assert_eq!(TdConfig::from_toml(&config.to_toml(), &name).unwrap(), config);
            seen += 1;
        }
        assert!(seen >= 2);
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
