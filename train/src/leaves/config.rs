//! What a leave run does, as TOML.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::least_squares::DRAWS;

/// The config that the defaults come from: `configs/leaves/default.toml`.
const DEFAULT: &str = include_str!("../../../configs/leaves/default.toml");

/// A leave run; everything that its result depends on beside the tile set and the words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeavesConfig {
    /// The lexicon, as on the command line; empty for the one that comes with the tile set.
    pub lexicon: String,
    /// The tile set, as on the command line.
    pub tileset: String,
    /// Every random draw comes from it.
    pub seed: u64,
    /// Self-play games of each generation, played with the table of the one before.
    pub generations: Vec<u64>,
    /// Games in a shard, the unit of resuming.
    pub shard_games: u64,
    /// Draws from the posterior for the standard errors.
    pub posterior_draws: u64,
    /// Pairs of the closing match against no leaves; 0 for none.
    pub match_pairs: u64,
    /// Seed of the closing match; its deals are none of the training's even when it equals `seed`.
    pub match_seed: u64,
}

/// A config that cannot be run.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// Not TOML of the expected form.
    #[error("config {origin}: {source}")]
    Syntax {
        /// The file.
        origin: String,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// A value that makes no sense.
    #[error("config {origin}: {reason}")]
    Invalid {
        /// The file.
        origin: String,
        /// What is wrong and what would be right.
        reason: String,
    },
}

impl Default for LeavesConfig {
    fn default() -> Self {
        // A test reads the same text through `from_toml`.
        LeavesConfig::from_toml(DEFAULT, "configs/leaves/default.toml").unwrap_or_else(|error| unreachable!("{error}"))
    }
}

impl LeavesConfig {
    /// Reads and checks a config; `origin` names it in errors.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn from_toml(text: &str, origin: &str) -> Result<LeavesConfig, ConfigError> {
        let config: LeavesConfig = toml::from_str(text)
            .map_err(|source| ConfigError::Syntax { origin: origin.into(), source: Box::new(source) })?;
        config.check().map_err(|reason| ConfigError::Invalid { origin: origin.into(), reason })?;
        Ok(config)
    }

    fn check(&self) -> Result<(), String> {
        let limit = 1_000_000_000;
        if self.generations.is_empty() || self.generations.iter().any(|games| !(1..=limit).contains(games)) {
            return Err(format!("generations = {:?}; list the games of each, 1 to {limit}", self.generations));
        }
        if self.shard_games == 0 {
            return Err("shard_games = 0; a shard has 1 game or more".into());
        }
        let draws = self.posterior_draws;
        if draws == 0 || !draws.is_multiple_of(DRAWS as u64) {
            return Err(format!("posterior_draws = {draws}; standard errors take a multiple of {DRAWS}"));
        }
        Ok(())
    }

    /// The same run scaled to about `games` games in all; every generation keeps its share, and at least one shard.
    #[must_use]
    pub fn with_games(mut self, games: u64) -> LeavesConfig {
        let total: u64 = self.generations.iter().sum();
        self.shard_games = self.shard_games.min((games / 8).max(1));
        for share in &mut self.generations {
            let scaled = (u128::from(*share) * u128::from(games) / u128::from(total)) as u64;
            *share = scaled.max(self.shard_games);
        }
        self
    }

    /// The lexicon, if the config names one.
    pub fn lexicon_if_named(&self) -> Option<String> {
        (!self.lexicon.is_empty()).then(|| self.lexicon.clone())
    }

    /// The config as TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_reads_back_as_written() {
        let config = LeavesConfig::from_toml(DEFAULT, "default").unwrap();
        assert_eq!(LeavesConfig::from_toml(&config.to_toml(), "echo").unwrap(), config);
    }

    #[test]
    fn unknown_keys_and_empty_budgets_are_told() {
        let error =
            LeavesConfig::from_toml(&DEFAULT.replace("shard_games", "shard_gams"), "my.toml").unwrap_err().to_string();
        assert!(error.contains("my.toml") && error.contains("shard_gams"), "{error}");
        let config = LeavesConfig { generations: vec![100, 0], ..LeavesConfig::default() };
        let error = LeavesConfig::from_toml(&config.to_toml(), "my.toml").unwrap_err().to_string();
        assert!(error.contains("[100, 0]"), "{error}");
    }

    #[test]
    fn scaling_keeps_the_shares() {
        let config = LeavesConfig { generations: vec![100, 300], shard_games: 10, ..LeavesConfig::default() };
        assert_eq!(config.clone().with_games(4000).generations, [1000, 3000]);
        assert_eq!(config.with_games(8).generations, [2, 6]);
    }
}
