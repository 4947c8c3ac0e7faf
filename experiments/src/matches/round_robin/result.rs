//! The result of a round robin, printed as text and written as JSON.

use std::fmt;

use serde::Serialize;
use tilewright_engine::series::round_robin::{Standings, matchups};
use tilewright_engine::series::{ERROR_RATE, Estimate, Summary, Tally};
use tilewright_engine::setup::Setup;

use super::cross_table::{self, comparisons, width};

/// The figures; users' scripts read these keys. Rates are 0–1, spreads are points per game. All intervals of win rates hold together with
/// 95 % (Bonferroni over `comparisons`), and so do all anytime-valid intervals. Other figures have 95 % intervals each.
#[derive(Serialize)]
pub struct RoundRobinResult {
    /// The version of these keys.
    schema: &'static str,
    /// Pairs per match.
    pairs: u64,
    comparisons: usize,
    /// Half the width of the intervals, in standard errors.
    standard_errors: f64,
    /// The best first.
    players: Vec<PlayerFigures>,
    matches: Vec<MatchFigures>,
    /// Whether the round robin was stopped before its end.
    partial: bool,
    /// The round robin, if it was stopped: the same one replaces the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    /// Of the games that this process played; missing if there are none.
    #[serde(flatten)]
    speed: Option<Speed>,
    seed: u64,
    lexicon: String,
    tileset: String,
    #[serde(skip)]
    standings: Standings,
    #[serde(skip)]
    names: Vec<String>,
}

/// A player against the field.
#[derive(Serialize)]
struct PlayerFigures {
    player: String,
    win_rate: Option<Estimate>,
    mean_spread: Option<f64>,
}

/// A match, from the view of player A.
#[derive(Serialize)]
struct MatchFigures {
    player_a: String,
    player_b: String,
    #[serde(flatten)]
    summary: Option<Summary>,
}

/// The speed of the games that a process played.
#[derive(Clone, Copy, Serialize)]
pub struct Speed {
    games_per_second: f64,
    /// User and system time.
    cpu_seconds: f64,
    #[serde(skip)]
    games: f64,
}

impl Speed {
    /// The speed of games that took so many seconds, also of CPU time.
    pub fn new(games: u64, seconds: f64, cpu_seconds: f64) -> Speed {
        Speed { games_per_second: games as f64 / seconds, cpu_seconds, games: games as f64 }
    }
}

impl RoundRobinResult {
    /// The result of these players. `stopped` is the name of the round robin if it was stopped before its end.
    pub fn new(
        setup: &Setup,
        names: Vec<String>,
        seed: u64,
        standings: Standings,
        speed: Option<Speed>,
        stopped: Option<String>,
    ) -> RoundRobinResult {
        let (comparisons, width) = (comparisons(&standings), width(&standings));
        let player = |player: usize| PlayerFigures {
            player: names[player].clone(),
            win_rate: standings.field_win_rate(player, width),
            mean_spread: standings.field_spread(player),
        };
        let matchup = |([a, b], tally): ([usize; 2], &Tally)| MatchFigures {
            player_a: names[a].clone(),
            player_b: names[b].clone(),
            summary: tally.summary_within(width, ERROR_RATE / comparisons as f64),
        };
        RoundRobinResult {
            schema: "round robin 2",
            pairs: standings.deals,
            comparisons,
            standard_errors: width,
            players: standings.ranking().into_iter().map(player).collect(),
            matches: matchups(names.len()).zip(&standings.matches).map(matchup).collect(),
            partial: stopped.is_some(),
            stopped,
            speed,
            seed,
            lexicon: setup.lexicon.name.clone(),
            tileset: setup.tileset.name().into(),
            standings,
            names,
        }
    }

    /// Pairs of each match.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The ranking and the cross tables as text.
    pub fn tables(&self) -> String {
        cross_table::show(&self.standings, &self.names)
    }
}

impl fmt::Display for RoundRobinResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RoundRobinResult { names, pairs, seed, lexicon, speed, .. } = self;
        writeln!(f, "{} players, {pairs} pairs per match on the same deals, seed {seed}, {lexicon}", names.len())?;
        write!(f, "{}", self.tables())?;
        let Some(Speed { games_per_second, cpu_seconds, games }) = speed else { return Ok(()) };
        write!(f, "\n{games_per_second:.0} games per second, {:.0} per CPU-second", games / cpu_seconds.max(1e-9))
    }
}
