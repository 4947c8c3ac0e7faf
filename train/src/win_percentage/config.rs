//! What a run does, as TOML.

use serde::{Deserialize, Serialize};

use super::fit::Training;
use super::network::Shape;
use crate::run_config::{Basics, RunConfig};

/// The config that the defaults come from: `configs/win-percentage/default.toml`.
const DEFAULT: &str = include_str!("../../../configs/win-percentage/default.toml");
/// The most games of either kind.
const MOST_GAMES: u64 = 1_000_000_000;
/// The most hidden units, pairs of curves and steps.
const MOST: [(&str, usize); 3] = [("hidden", 1024), ("pairs", 64), ("steps", 1_000_000)];

/// A run; everything that its result depends on beside the tile set and the words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WinPercentageConfig {
    /// The lexicon, as on the command line; empty for the one that comes with the tile set.
    pub lexicon: String,
    /// The tile set, as on the command line.
    pub tileset: String,
    /// Who plays both sides, a static player; empty for `leave` where the embedded table fits, else `greedy`.
    pub player: String,
    /// Every random draw of the training comes from it.
    pub seed: u64,
    /// Self-play games to learn from.
    pub games: u64,
    /// Games to score the tables on.
    pub held_out_games: u64,
    /// Their seed; their deals are none of the training's even when it equals `seed`.
    pub held_out_seed: u64,
    /// Games in a shard, the unit of resuming.
    pub shard_games: u64,
    /// Units of each of the network's two hidden layers.
    pub hidden: usize,
    /// Mirrored pairs of curves that make up a chance.
    pub pairs: usize,
    /// Full-batch steps of training.
    pub steps: usize,
    /// Learning rate at the beginning.
    pub learning_rate: f64,
}

impl Default for WinPercentageConfig {
    fn default() -> Self {
        // A test reads the same text through `from_toml`.
        WinPercentageConfig::from_toml(DEFAULT, "configs/win-percentage/default.toml")
            .unwrap_or_else(|error| unreachable!("{error}"))
    }
}

impl RunConfig for WinPercentageConfig {
    fn check(&self) -> Result<(), String> {
        for (name, games) in [("games", self.games), ("held_out_games", self.held_out_games)] {
            if !(2..=MOST_GAMES).contains(&games) {
                return Err(format!("{name} = {games}; 2 to {MOST_GAMES}"));
            }
        }
        if self.shard_games == 0 {
            return Err("shard_games = 0; a shard has 1 or more".into());
        }
        for ((name, most), value) in MOST.into_iter().zip([self.hidden, self.pairs, self.steps]) {
            if !(1..=most).contains(&value) {
                return Err(format!("{name} = {value}; 1 to {most}"));
            }
        }
        if !(self.learning_rate > 0.0 && self.learning_rate <= 1.0) {
            return Err(format!("learning_rate = {}; above 0, at most 1", self.learning_rate));
        }
        Ok(())
    }

    fn basics(&mut self) -> Basics<'_> {
        Basics { lexicon: &mut self.lexicon, tileset: &mut self.tileset, seed: &mut self.seed }
    }
}

impl WinPercentageConfig {
    /// How the network is trained.
    pub fn training(&self) -> Training {
        Training {
            shape: Shape { hidden: self.hidden, pairs: self.pairs },
            steps: self.steps,
            learning_rate: self.learning_rate,
            seed: self.seed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_reads_back_as_written() {
        let config = WinPercentageConfig::from_toml(DEFAULT, "default").unwrap();
        assert_eq!(WinPercentageConfig::from_toml(&config.to_toml(), "echo").unwrap(), config);
    }

    #[test]
    fn unknown_keys_and_values_without_sense_are_told() {
        let told = |text: &str| WinPercentageConfig::from_toml(text, "my.toml").unwrap_err().to_string();
        let error = told(&DEFAULT.replace("shard_games", "shard_gams"));
        assert!(error.contains("my.toml") && error.contains("shard_gams"), "{error}");
        let with = |change: fn(&mut WinPercentageConfig)| {
            let mut config = WinPercentageConfig::default();
            change(&mut config);
            told(&config.to_toml())
        };
        assert!(with(|config| config.games = 1).contains("games = 1; 2 to"));
        assert!(with(|config| config.shard_games = 0).contains("shard_games = 0"));
        assert!(with(|config| config.pairs = 0).contains("pairs = 0; 1 to 64"));
        assert!(with(|config| config.learning_rate = f64::NAN).contains("learning_rate"));
    }
}
