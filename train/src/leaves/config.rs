//! The config of a leave run, as TOML.

use serde::{Deserialize, Serialize};

use super::least_squares::DRAWS;
use crate::run_config::{Basics, RunConfig};

/// The text of `configs/leaves/default.toml`, which holds the defaults.
const DEFAULT: &str = tilewright_configs::text("leaves", "default");

/// A leave run: everything that determines its result besides the tile set and the words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeavesConfig {
    /// The lexicon, as on the command line; empty for the default lexicon of the tile set.
    pub lexicon: String,
    /// The tile set, as on the command line.
    pub tileset: String,
    /// The seed of every random draw.
    pub seed: u64,
    /// Self-play games of each generation, played with the previous generation's table.
    pub games: Vec<u64>,
    /// Extra racks drawn at each turn and valued on the same board: improbable racks, which self-play rarely sees.
    pub extra_racks: u64,
    /// Boards of each generation's census.
    pub boards: Vec<u64>,
    /// Games in which late plays are compared, after the last generation; 0 for no late-game adjustments.
    pub late_games: u64,
    /// Games per shard, the unit of resuming.
    pub shard_games: u64,
    /// Boards per shard.
    pub shard_boards: u64,
    /// Whether racks learn from racks that share tiles with them.
    ///
    /// Without pooling, a leave's value is a plain average of observations. With a census, the average is over the racks
    /// that contain the leave, weighted by the probability of drawing them. With self-play alone, it is over the turns that
    /// held the leave, once for every way to choose it from the rack.
    pub pooling: bool,
    /// Pairs of each generation's two test matches, against no leaves and against the previous table; 0 for none.
    pub generation_pairs: u64,
    /// Draws from the posterior for the standard errors.
    pub posterior_draws: u64,
    /// Pairs of the closing match against no leaves; 0 for none.
    pub match_pairs: u64,
    /// Seed of the closing match. Its deals differ from the training's even if it equals `seed`.
    pub match_seed: u64,
}

/// The most extra racks per turn.
const MAX_EXTRA_RACKS: u64 = 1000;
/// The most draws from the posterior: more change no digit that is shown.
const MAX_DRAWS: u64 = 1_000_000;
/// The most games or boards of a generation. More could overflow a tally of a tile set with few racks.
const LIMIT: u64 = 100_000_000;

impl Default for LeavesConfig {
    fn default() -> Self {
        // A test proves that this text parses.
        LeavesConfig::from_toml(DEFAULT, "configs/leaves/default.toml").unwrap_or_else(|error| unreachable!("{error}"))
    }
}

impl RunConfig for LeavesConfig {
    const FOLDER: &str = "leaves";

    fn check(&self) -> Result<(), String> {
        let LeavesConfig { games, boards, .. } = self;
        if games.is_empty() || games.len() != boards.len() {
            return Err(format!("games = {games:?} and boards = {boards:?}; both need one entry for each generation"));
        }
        let sources = games.iter().zip(boards);
        if sources.clone().any(|(&games, &boards)| games == 0 && boards == 0) {
            return Err(format!("games = {games:?} and boards = {boards:?}; each generation needs games, boards or both"));
        }
        if sources.clone().any(|(&games, &boards)| games.saturating_mul(1 + self.extra_racks).max(boards) > LIMIT) {
            return Err(format!(
                "games = {games:?}, extra_racks = {} and boards = {boards:?}; expected at most {LIMIT} boards, and at \
                 most {LIMIT} for games times 1 + extra_racks",
                self.extra_racks
            ));
        }
        let Self { late_games, generation_pairs, match_pairs, .. } = *self;
        for (name, number) in
            [("late_games", late_games), ("generation_pairs", generation_pairs), ("match_pairs", match_pairs)]
        {
            if number > LIMIT {
                return Err(format!("{name} = {number}; expected at most {LIMIT}"));
            }
        }
        if let Some(boards) = boards.iter().find(|&&boards| boards > 0 && boards <= self.shard_boards) {
            return Err(format!(
                "boards = {boards} and shard_boards = {}; a census needs two or more shards, one to fit and one to validate",
                self.shard_boards
            ));
        }
        if self.extra_racks > MAX_EXTRA_RACKS {
            return Err(format!("extra_racks = {}; expected at most {MAX_EXTRA_RACKS} per turn", self.extra_racks));
        }
        for (name, size) in [("shard_games", self.shard_games), ("shard_boards", self.shard_boards)] {
            if size == 0 {
                return Err(format!("{name} = 0; expected 1 or more"));
            }
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

    /// Games and boards of a generation; the first is number 1.
    pub fn games_and_boards(&self, generation: u64) -> (u64, u64) {
        (self.games[generation as usize - 1], self.boards[generation as usize - 1])
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
    fn unknown_keys_and_empty_generations_are_reported() {
        let message = |text: &str| LeavesConfig::from_toml(text, "my.toml").unwrap_err().to_string();
        let error = message(&DEFAULT.replace("shard_games", "shard_gams"));
        assert!(error.contains("my.toml") && error.contains("shard_gams"), "{error}");
        let with = |games: &[u64], boards: &[u64]| {
            message(&LeavesConfig { games: games.into(), boards: boards.into(), ..LeavesConfig::default() }.to_toml())
        };
        assert!(with(&[100, 0], &[8, 0]).contains("[100, 0]"));
        assert!(with(&[100], &[8, 8]).contains("both"));
        assert!(with(&[100], &[1]).contains("two or more shards"));
        assert!(with(&[], &[]).contains("each generation"));
        assert!(with(&[200_000_000], &[0]).contains("at most"));
    }
}
