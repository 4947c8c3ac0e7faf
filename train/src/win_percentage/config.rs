//! The config of a win-percentage run, as TOML.

use serde::{Deserialize, Serialize};
use tilewright_engine::player::PlayerSpec;

use crate::run_config::{Basics, RunConfig, above_zero, within};

/// The most training games, and the most held-out games.
const MAX_GAMES: u64 = 1_000_000_000;

/// A win-percentage run: everything that determines its result besides the tile set and the words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WinPercentageConfig {
    /// The lexicon, as on the command line. An empty text stands for the default lexicon of the tile set.
    pub lexicon: String,
    /// The tile set, as on the command line.
    pub tileset: String,
    /// The static player of both sides. An empty text stands for `leave`.
    #[serde(with = "player_or_empty")]
    pub player: Option<PlayerSpec>,
    /// The seed of every random draw of the training.
    pub seed: u64,
    /// Self-play games to learn from.
    pub games: u64,
    /// Held-out games, on which the tables are scored.
    pub held_out_games: u64,
    /// The seed of the held-out games. Their deals differ from the training's even if it equals `seed`.
    pub held_out_seed: u64,
    /// Games per shard, the unit of resuming.
    pub shard_games: u64,
    /// Units of each of the network's two hidden layers.
    pub hidden: usize,
    /// Mirrored pairs of curves in the mixture.
    pub pairs: usize,
    /// Full-batch training steps.
    pub steps: usize,
    /// Learning rate at the start.
    pub learning_rate: f64,
}

/// A player by its name, or none by an empty text.
mod player_or_empty {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::{Serialize, Serializer};
    use tilewright_engine::player::PlayerSpec;

    #[expect(clippy::ref_option, reason = "serde passes a reference")]
    pub fn serialize<S: Serializer>(player: &Option<PlayerSpec>, serializer: S) -> Result<S::Ok, S::Error> {
        player.as_ref().map(PlayerSpec::to_string).unwrap_or_default().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PlayerSpec>, D::Error> {
        let name = String::deserialize(deserializer)?;
        (!name.is_empty()).then(|| name.parse().map_err(D::Error::custom)).transpose()
    }
}

impl RunConfig for WinPercentageConfig {
    const FOLDER: &str = "win-percentage";

    fn check(&self) -> Result<(), String> {
        within("games", self.games, &(2..=MAX_GAMES))?;
        within("held_out_games", self.held_out_games, &(2..=MAX_GAMES))?;
        if self.shard_games == 0 {
            return Err("shard_games = 0; expected 1 or more".into());
        }
        within("hidden", self.hidden, &(1..=1024))?;
        within("pairs", self.pairs, &(1..=64))?;
        within("steps", self.steps, &(1..=1_000_000))?;
        above_zero("learning_rate", self.learning_rate, "a number", 1.0)
    }

    fn basics(&mut self) -> Basics<'_> {
        Basics { lexicon: &mut self.lexicon, tileset: &mut self.tileset, seed: &mut self.seed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: &str = tilewright_configs::text("win-percentage", "default");

    #[test]
    fn the_default_reads_back_as_written() {
        let config = WinPercentageConfig::from_toml(DEFAULT, "default").unwrap();
        assert_eq!(WinPercentageConfig::from_toml(&config.to_toml(), "echo").unwrap(), config);
    }

    #[test]
    fn unknown_keys_and_invalid_values_are_reported() {
        let message = |text: &str| WinPercentageConfig::from_toml(text, "my.toml").unwrap_err().to_string();
        let error = message(&DEFAULT.replace("shard_games", "shard_gams"));
        assert!(error.contains("my.toml") && error.contains("shard_gams"), "{error}");
        let with = |change: fn(&mut WinPercentageConfig)| {
            let mut config = WinPercentageConfig::built_in("default");
            change(&mut config);
            message(&config.to_toml())
        };
        assert!(with(|config| config.games = 1).contains("games = 1; expected 2 to"));
        assert!(with(|config| config.shard_games = 0).contains("shard_games = 0"));
        assert!(with(|config| config.pairs = 0).contains("pairs = 0; expected 1 to 64"));
        assert!(with(|config| config.learning_rate = f64::NAN).contains("learning_rate"));
    }
}
