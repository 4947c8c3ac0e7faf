//! The budget of a run, and how the generations share it.

use serde::{Deserialize, Serialize};
use std::str::FromStr;

use thiserror::Error;
use tilewright_engine::rack::Ranking;
use tilewright_engine::tileset::TileSet;

use super::config::LeavesConfig;
use super::least_squares::ORDERS;
use crate::run_config::{ConfigError, RunConfig};

/// The fewest shards of a generation, so that an interruption loses little.
const SHARDS: u64 = 8;

/// The fewest boards of a census; fewer make no useful prior.
const LEAST_BOARDS: u64 = 4;

/// The budget of a run. Scaling a run to a budget keeps the shares of its generations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Budget {
    /// Self-play games of all generations together.
    Games(u64),
    /// Census boards of all generations together.
    Boards(u64),
    /// CPU-seconds of training, approximately and without the matches. The number of games and boards is computed from the
    /// tile set, not timed, so that the same budget is the same run on every machine.
    CpuSeconds(f64),
}

/// A text that cannot be read as a budget.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("invalid budget {0:?}; expected CPU time such as 90s, 5m or 2h, or games=N, or boards=N, each above 0")]
pub struct BadBudget(String);

impl FromStr for Budget {
    type Err = BadBudget;

    fn from_str(text: &str) -> Result<Budget, BadBudget> {
        let bad = || BadBudget(text.into());
        let count = |number: &str| number.parse().ok().filter(|count| (1..=1_000_000_000).contains(count)).ok_or_else(bad);
        if let Some(number) = text.strip_prefix("games=") {
            return Ok(Budget::Games(count(number)?));
        }
        if let Some(number) = text.strip_prefix("boards=") {
            return Ok(Budget::Boards(count(number)?));
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
    /// The fit of all orders to one source.
    pub fit: f64,
    /// The standard errors.
    pub standard_errors: f64,
    /// Everything that does not depend on games and boards: the fits, the standard errors, the lattice of racks.
    fixed: f64,
    pub game: f64,
    pub late_game: f64,
    pub board: f64,
    /// One pair of a match.
    pub pair: f64,
}

impl Costs {
    pub fn new(tileset: &TileSet, config: &LeavesConfig) -> Costs {
        let ranking = Ranking::new(&tileset.counts(), tileset.rules().rack_size);
        let racks = ranking.indices_of_size(ranking.max_size()).len() as f64;
        let columns = Ranking::new(&tileset.counts(), ORDERS.min(ranking.max_size())).len() as f64;
        let sources = [&config.games, &config.boards].map(|source| source.iter().any(|&units| units > 0));
        // Plain averages need neither fits nor draws.
        let pooled = if config.pooling { 1.0 } else { 0.0 };
        let fit = pooled * 1e-10 * columns.powi(3);
        let standard_errors = pooled * 0.1e-6 * racks * config.posterior_draws as f64;
        let fits = fit * sources.into_iter().filter(|&is_used| is_used).count() as f64;
        let fixed = 4.5e-6 * racks + fits + standard_errors;
        let game = 0.9e-3 + 0.5e-3 * config.extra_racks as f64;
        Costs { fit, standard_errors, fixed, game, late_game: 2.0e-3, board: 0.13e-6 * racks, pair: 3.0e-3 }
    }
}

impl LeavesConfig {
    /// The run within a budget. Every generation keeps its share and at least one shard of each source, but no census below four boards.
    ///
    /// # Errors
    /// [`ConfigError::Invalid`] if the config has nothing that the budget counts, or if the scaled run is too large.
    pub fn within(self, budget: Budget, tileset: &TileSet) -> Result<LeavesConfig, ConfigError> {
        let invalid = |reason: String| ConfigError::Invalid { origin: "within the budget".into(), reason };
        let (games, boards) = (self.games.iter().sum::<u64>() as f64, self.boards.iter().sum::<u64>() as f64);
        let factor = match budget {
            Budget::Games(wanted) if games > 0.0 => wanted as f64 / games,
            Budget::Boards(wanted) if boards > 0.0 => wanted as f64 / boards,
            Budget::Games(_) => return Err(invalid("the config has no games to scale; use a time or boards=N".into())),
            Budget::Boards(_) => return Err(invalid("the config has no boards to scale; use a time or games=N".into())),
            Budget::CpuSeconds(seconds) => {
                let Costs { fixed, game, late_game, board, .. } = Costs::new(tileset, &self);
                // If the fits alone use up the budget, a tenth of it still goes to games and boards.
                (seconds - fixed).max(0.1 * seconds) / (game * games + board * boards + late_game * self.late_games as f64)
            }
        };
        let had_boards = boards > 0.0;
        let scaled = self.clone().scaled(factor);
        if had_boards && scaled.boards.iter().all(|&boards| boards == 0) {
            // Without its census the run needs fewer fits, and their time buys games.
            return LeavesConfig { boards: scaled.boards, ..self }.within(budget, tileset);
        }
        scaled.check().map_err(invalid)?;
        Ok(scaled)
    }

    fn scaled(mut self, factor: f64) -> LeavesConfig {
        let scale = |shares: &mut Vec<u64>, shard: &mut u64| {
            let most = *shares.iter().max().unwrap_or(&0);
            let scaled = |share: u64| (share as f64 * factor).round() as u64;
            *shard = (*shard).min(scaled(most).div_ceil(SHARDS)).max(1);
            shares.iter_mut().filter(|share| **share > 0).for_each(|share| *share = scaled(*share).max(*shard));
        };
        self.late_games = (self.late_games as f64 * factor).ceil() as u64;
        scale(&mut self.games, &mut self.shard_games);
        scale(&mut self.boards, &mut self.shard_boards);
        let has_games = self.games.iter().all(|&games| games > 0);
        for boards in self.boards.iter_mut().filter(|boards| (1..LEAST_BOARDS).contains(*boards)) {
            *boards = if has_games { 0 } else { LEAST_BOARDS };
        }
        // Every census needs two shards.
        let least = self.boards.iter().filter(|&&boards| boards > 0).min();
        self.shard_boards = least.map_or(self.shard_boards, |&least| self.shard_boards.min(least / 2));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read() {
        let read = |text: &str| text.parse::<Budget>().ok();
        assert_eq!(read("90s"), Some(Budget::CpuSeconds(90.0)));
        assert_eq!(read("2.5m"), Some(Budget::CpuSeconds(150.0)));
        assert_eq!(read("1h"), Some(Budget::CpuSeconds(3600.0)));
        assert_eq!((read("games=500"), read("boards=64")), (Some(Budget::Games(500)), Some(Budget::Boards(64))));
        for bad in ["", "5", "m", "-5m", "0s", "NaNs", "infm", "games=", "games=0", "games=x", "boards=-1", "1e300h"] {
            assert_eq!(read(bad), None, "{bad}");
        }
        assert!("5 apples".parse::<Budget>().unwrap_err().to_string().contains("invalid budget \"5 apples\""));
    }

    #[test]
    fn scaling_keeps_the_shares() {
        let english = TileSet::embedded("english").unwrap();
        let config = LeavesConfig {
            games: vec![1000, 3000],
            boards: vec![0, 32],
            shard_games: 100,
            shard_boards: 8,
            ..LeavesConfig::default()
        };
        let more = config.clone().within(Budget::Games(40_000), &english).unwrap();
        assert_eq!((more.games, more.boards, more.shard_games), (vec![10_000, 30_000], vec![0, 320], 100));
        let fewer = config.clone().within(Budget::Boards(4), &english).unwrap();
        assert_eq!((fewer.games, fewer.boards), (vec![125, 375], vec![0, 4]));
        assert_eq!((fewer.shard_games, fewer.shard_boards), (47, 1));
        let least = config.clone().within(Budget::Games(1), &english).unwrap();
        assert_eq!((least.games, least.boards), (vec![1, 1], vec![0, 0]));
        let census = LeavesConfig { games: vec![0, 0], boards: vec![8, 32], ..config };
        let least = census.clone().within(Budget::Boards(1), &english).unwrap();
        assert_eq!((least.boards, least.shard_boards), (vec![4, 4], 1));
        for seconds in [1.0, 45.0, 70.0, 200.0, 5000.0] {
            let within = census.clone().within(Budget::CpuSeconds(seconds), &english).unwrap();
            assert!(within.boards.iter().all(|&boards| boards >= 2 * within.shard_boards), "{within:?}");
        }
        let error = |budget| census.clone().within(budget, &english).unwrap_err().to_string();
        assert!(error(Budget::Games(10)).contains("no games to scale"));
        assert!(error(Budget::Boards(1_000_000_000)).contains("at most"));
    }

    #[test]
    fn time_buys_games_and_boards_after_the_fits() {
        let english = TileSet::embedded("english").unwrap();
        let polish = TileSet::embedded("polish").unwrap();
        let bought = |seconds, tileset| {
            let config = LeavesConfig::default().within(Budget::CpuSeconds(seconds), tileset).unwrap();
            (config.games.iter().sum::<u64>(), config.boards.iter().sum::<u64>())
        };
        let (few, many) = (bought(60.0, &english), bought(600.0, &english));
        assert!(many.0 > 8 * few.0 && many.1 > 8 * few.1, "{few:?} {many:?}");
        // More racks make boards and fits more expensive.
        assert!(bought(600.0, &polish).0 < many.0);
        assert!(bought(0.001, &english).0 > 0);
    }
}
