//! The config of a leave run, as TOML.

use serde::{Deserialize, Serialize};

use super::least_squares::DRAWS;
use crate::bounds::within;
use crate::run_config::{Basics, RunConfig};

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
}
