//! The config of a leave run, as TOML. The budget of a run, and how the generations share it.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tilewright_engine::rack::Ranking;
use tilewright_engine::tileset::TileSet;

use super::least_squares::{DRAWS, ORDERS};
use crate::run_config::{Basics, ConfigError, RunConfig, within};

/// A leave run: everything that determines its result besides the tile set and the words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeavesConfig {
    /// The lexicon, as on the command line. An empty text stands for the default lexicon of the tile set.
    pub lexicon: String,
    /// The tile set, as on the command line.
    pub tileset: String,
    /// The seed of every random draw.
    pub seed: u64,
    /// Self-play games of each generation, played with the previous generation's table.
    pub games: Vec<u64>,
    /// Games in which late plays are compared, after the last generation. With 0 there are no late-game adjustments.
    pub late_games: u64,
    /// Games per shard, the unit of resuming.
    pub shard_games: u64,
    /// Pairs of each generation's two test matches, against no leaves and against the previous table. With 0 there are none.
    pub generation_pairs: u64,
    /// Draws from the posterior for the standard errors.
    pub posterior_draws: u64,
    /// Pairs of the closing match against no leaves. With 0 there is no match.
    pub match_pairs: u64,
    /// Seed of the closing match. Its deals differ from the training's even if it equals `seed`.
    pub match_seed: u64,
}

/// The most draws from the posterior: more change no digit that is shown.
const MAX_DRAWS: u64 = 1_000_000;
/// The most games of a generation. More could overflow a tally of a tile set with few racks.
const LIMIT: u64 = 100_000_000;

impl RunConfig for LeavesConfig {
    const FOLDER: &str = "leaves";

    fn check(&self) -> Result<(), String> {
        let games = &self.games;
        if games.is_empty() || games.iter().any(|games| !(1..=LIMIT).contains(games)) {
            return Err(format!("games = {games:?}; expected a number from 1 to {LIMIT} for each generation"));
        }
        let Self { late_games, generation_pairs, match_pairs, .. } = *self;
        for (name, number) in
            [("late_games", late_games), ("generation_pairs", generation_pairs), ("match_pairs", match_pairs)]
        {
            within(name, number, &(0..=LIMIT))?;
        }
        if self.shard_games == 0 {
            return Err("shard_games = 0; expected 1 or more".into());
        }
        let draws = self.posterior_draws;
        if !(1..=MAX_DRAWS).contains(&draws) || !draws.is_multiple_of(DRAWS as u64) {
            return Err(format!("posterior_draws = {draws}; expected a multiple of {DRAWS} from {DRAWS} to {MAX_DRAWS}"));
        }
        Ok(())
    }

    fn basics(&mut self) -> Basics<'_> {
        Basics { lexicon: &mut self.lexicon, tileset: &mut self.tileset, seed: &mut self.seed }
    }
}

impl LeavesConfig {
    /// The number of generations.
    pub fn generations(&self) -> u64 {
        self.games.len() as u64
    }

    /// The games of a generation. The first has number 1.
    pub(super) fn games_of(&self, generation: u64) -> u64 {
        self.games[generation as usize - 1]
    }
}

/// The fewest shards of a generation, so that an interruption loses little.
const SHARDS: u64 = 8;

/// The budget of a run. Scaling a run to a budget keeps the shares of its generations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Budget {
    /// Self-play games of all generations together.
    Games(u64),
    /// CPU-seconds of training, approximately and without the matches. The number of games is computed from the
    /// tile set, not timed, so that the same budget is the same run on every machine.
    CpuSeconds(f64),
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Budget, String> {
        let bad = || format!("invalid budget {text:?}; expected CPU time such as 90s, 5m or 2h, or games=N, above 0");
        if let Some(number) = text.strip_prefix("games=") {
            let games = number.parse().ok().filter(|games| (1..=1_000_000_000).contains(games));
            return games.map(Budget::Games).ok_or_else(bad);
        }
        let units = [('s', 1.0), ('m', 60.0), ('h', 3600.0)];
        let (number, seconds) =
            units.iter().find_map(|&(unit, seconds)| Some((text.strip_suffix(unit)?, seconds))).ok_or_else(bad)?;
        let number: f64 = number.parse().map_err(|_| bad())?;
        let seconds = number * seconds;
        if seconds > 0.0 && seconds < 1e8 { Ok(Budget::CpuSeconds(seconds)) } else { Err(bad()) }
    }
}

/// Estimated costs of the parts of a run, in CPU-seconds: measured on enable2k, and scaled by the number of racks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Costs {
    /// The fit of all orders.
    pub fit: f64,
    /// The standard errors.
    pub standard_errors: f64,
    /// Everything that does not depend on games: the fits, the standard errors, the lattice of racks.
    fixed: f64,
    pub game: f64,
    pub late_game: f64,
    /// One pair of a match.
    pub pair: f64,
}

impl Costs {
    pub fn new(tileset: &TileSet, config: &LeavesConfig) -> Costs {
        let ranking = Ranking::new(&tileset.counts(), tileset.rules().rack_size);
        let racks = ranking.indices_of_size(ranking.max_size()).len() as f64;
        let columns = Ranking::new(&tileset.counts(), ORDERS.min(ranking.max_size())).len() as f64;
        let fit = 1e-10 * columns.powi(3);
        let standard_errors = 0.1e-6 * racks * config.posterior_draws as f64;
        let fixed = 4.5e-6 * racks + fit + standard_errors;
        Costs { fit, standard_errors, fixed, game: 0.9e-3, late_game: 2.0e-3, pair: 3.0e-3 }
    }
}

impl LeavesConfig {
    /// The run within a budget. Every generation keeps its share and at least one shard.
    ///
    /// # Errors
    /// [`ConfigError::Invalid`] if the scaled run is too large.
    pub fn within(self, budget: Budget, tileset: &TileSet) -> Result<LeavesConfig, ConfigError> {
        let games = self.games.iter().sum::<u64>() as f64;
        let factor = match budget {
            Budget::Games(wanted) => wanted as f64 / games,
            Budget::CpuSeconds(seconds) => {
                let Costs { fixed, game, late_game, .. } = Costs::new(tileset, &self);
                // If the fits alone use up the budget, a tenth of it still goes to games.
                (seconds - fixed).max(0.1 * seconds) / (game * games + late_game * self.late_games as f64)
            }
        };
        let scaled = self.scaled(factor);
        let invalid = |reason| ConfigError::Invalid { origin: "within the budget".into(), reason };
        scaled.check().map_err(invalid)?;
        Ok(scaled)
    }

    fn scaled(mut self, factor: f64) -> LeavesConfig {
        let scaled = |share: u64| (share as f64 * factor).round() as u64;
        let most = *self.games.iter().max().unwrap_or(&0);
        self.shard_games = self.shard_games.min(scaled(most).div_ceil(SHARDS)).max(1);
        self.games.iter_mut().for_each(|share| *share = scaled(*share).max(self.shard_games));
        self.late_games = (self.late_games as f64 * factor).ceil() as u64;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: &str = tilewright_configs::text("leaves", "default");

    #[test]
    fn the_default_reads_back_as_written() {
        let config = LeavesConfig::from_toml(DEFAULT, "default").unwrap();
        assert_eq!(LeavesConfig::from_toml(&config.to_toml(), "echo").unwrap(), config);
    }

    #[test]
    fn unknown_keys_and_empty_generations_are_reported() {
        let message = |text: &str| LeavesConfig::from_toml(text, "my.toml").unwrap_err().to_string();
        let error = message(&DEFAULT.replace("shard_games", "shard_gams"));
        assert!(error.contains("my.toml") && error.contains("shard_gams"), "{error}");
        let with =
            |games: &[u64]| message(&LeavesConfig { games: games.into(), ..LeavesConfig::built_in("default") }.to_toml());
        assert!(with(&[100, 0]).contains("[100, 0]"));
        assert!(with(&[]).contains("each generation"));
        assert!(with(&[200_000_000]).contains("from 1 to 100000000"));
    }

    #[test]
    fn budgets_are_read() {
        let read = |text: &str| text.parse::<Budget>().ok();
        assert_eq!(read("90s"), Some(Budget::CpuSeconds(90.0)));
        assert_eq!(read("2.5m"), Some(Budget::CpuSeconds(150.0)));
        assert_eq!(read("1h"), Some(Budget::CpuSeconds(3600.0)));
        assert_eq!(read("games=500"), Some(Budget::Games(500)));
        for bad in ["", "5", "m", "-5m", "0s", "NaNs", "infm", "games=", "games=0", "games=x", "games=-1", "1e300h"] {
            assert_eq!(read(bad), None, "{bad}");
        }
        assert!("5 apples".parse::<Budget>().unwrap_err().contains("invalid budget \"5 apples\""));
    }

    #[test]
    fn scaling_keeps_the_shares() {
        let english = TileSet::embedded("english").unwrap();
        let config = LeavesConfig { games: vec![1000, 3000], shard_games: 100, ..LeavesConfig::built_in("default") };
        let within = |budget| config.clone().within(budget, &english).unwrap();
        let more = within(Budget::Games(40_000));
        assert_eq!((more.games, more.shard_games), (vec![10_000, 30_000], 100));
        let fewer = within(Budget::Games(500));
        assert_eq!((fewer.games, fewer.shard_games), (vec![125, 375], 47));
        assert_eq!(within(Budget::Games(1)).games, vec![1, 1]);
        let large = LeavesConfig { games: vec![1, 1_000_000], ..config.clone() };
        let error = large.within(Budget::Games(1_000_000_000), &english).unwrap_err().to_string();
        assert!(error.contains("from 1 to 100000000"), "{error}");
    }

    #[test]
    fn time_buys_games_after_the_fits() {
        let english = TileSet::embedded("english").unwrap();
        let polish = TileSet::embedded("polish").unwrap();
        let bought = |seconds, tileset| {
            let config = LeavesConfig::built_in("default").within(Budget::CpuSeconds(seconds), tileset).unwrap();
            config.games.iter().sum::<u64>()
        };
        let (few, many) = (bought(60.0, &english), bought(600.0, &english));
        assert!(many > 8 * few, "{few} {many}");
        // More racks make fits more expensive.
        assert!(bought(600.0, &polish) < many);
        assert!(bought(0.001, &english) > 0);
    }
}
