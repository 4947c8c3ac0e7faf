//! What a run does, as TOML.

use serde::{Deserialize, Serialize};

use super::fit::Training;
use super::network::Shape;
use super::position::fit::Steps;
use super::position::inputs::Input;
use crate::run_config::{Basics, RunConfig};

/// The config that the defaults come from: `configs/win-percentage/default.toml`.
const DEFAULT: &str = include_str!("../../../configs/win-percentage/default.toml");
/// The most games of either kind.
const MOST_GAMES: u64 = 1_000_000_000;
/// The most hidden units, pairs of curves and steps.
const MOST: [(&str, usize); 3] = [("hidden", 1024), ("pairs", 64), ("steps", 1_000_000)];
/// The most steps of a network of positions, turns in a step, and leads of a turn.
const MOST_OF_POSITIONS: [(&str, usize); 3] = [("steps", 1_000_000), ("turns", 65_536), ("leads", 256)];

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
    /// How a network that sees positions is trained on from the plain one; a plain run has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<PositionConfig>,
}

/// The part of a run that only a network of positions has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionConfig {
    /// What it sees beside the tiles left.
    pub inputs: Vec<Input>,
    /// Steps of training.
    pub steps: usize,
    /// Turns in a step.
    pub turns: usize,
    /// Leads at which a turn is judged.
    pub leads: usize,
    /// Learning rate at the beginning.
    pub learning_rate: f64,
}

impl PositionConfig {
    /// How the network is trained.
    pub fn training(&self, seed: u64) -> Steps {
        let PositionConfig { steps, turns, leads, learning_rate, .. } = *self;
        Steps { steps, turns, leads, learning_rate, seed }
    }

    fn check(&self) -> Result<(), String> {
        for ((name, most), value) in MOST_OF_POSITIONS.into_iter().zip([self.steps, self.turns, self.leads]) {
            if !(1..=most).contains(&value) {
                return Err(format!("position.{name} = {value}; 1 to {most}"));
            }
        }
        let mut inputs = self.inputs.clone();
        inputs.sort_unstable();
        if let Some([twice, _]) = inputs.array_windows().find(|[one, other]| one == other) {
            return Err(format!("position.inputs name {twice:?} twice; once will do").to_lowercase());
        }
        check_rate("position.learning_rate", self.learning_rate)
    }
}

fn check_rate(name: &str, rate: f64) -> Result<(), String> {
    if rate > 0.0 && rate <= 1.0 {
        return Ok(());
    }
    Err(format!("{name} = {rate}; above 0, at most 1"))
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
        check_rate("learning_rate", self.learning_rate)?;
        self.position.as_ref().map_or(Ok(()), PositionConfig::check)
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
    fn a_plain_run_says_nothing_of_positions() {
        assert!(!WinPercentageConfig::default().to_toml().contains("position"));
        let text = include_str!("../../../configs/win-percentage/position.toml");
        let config = WinPercentageConfig::from_toml(text, "position").unwrap();
        assert_eq!(config.position.as_ref().map(|position| position.inputs.len()), Some(4));
        assert_eq!(WinPercentageConfig::from_toml(&config.to_toml(), "echo").unwrap(), config);
        let told = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            WinPercentageConfig::from_toml(&text.replace(from, to), "my.toml").unwrap_err().to_string()
        };
        assert!(told("\"openness\"", "\"blanks\"").contains("position.inputs name blanks twice"));
        assert!(told("\"openness\"", "\"weather\"").contains("weather"));
        assert!(told("leads = ", "leads = 1000 #").contains("position.leads = 1000; 1 to 256"));
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
