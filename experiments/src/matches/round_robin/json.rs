//! The result of a round robin as JSON.

use serde::{Serialize, Serializer};
use tilewright_engine::series::round_robin::matchups;
use tilewright_engine::series::{ERROR_RATE, Estimate, Summary, Tally};

use super::cross_table::{comparisons, width};
use super::result::RoundRobinResult;

/// The figures as JSON; users' scripts read these keys. Rates are 0–1, spreads are points per game. All intervals of win
/// rates hold together with 95 % (Bonferroni over `comparisons`), and so do all anytime-valid intervals. Other figures have 95 %
/// intervals each.
#[derive(Serialize)]
struct RoundRobinJson<'a> {
    /// The version of these keys.
    schema: &'static str,
    /// Pairs per match.
    pairs: u64,
    comparisons: usize,
    /// Half the width of the intervals, in standard errors.
    standard_errors: f64,
    /// The best first.
    players: Vec<PlayerJson<'a>>,
    matches: Vec<MatchupJson<'a>>,
    /// Whether the round robin was stopped before its end.
    partial: bool,
    /// The round robin, if it was stopped: the same one replaces the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'a str>,
    /// Of the games that this process played; missing if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    games_per_second: Option<f64>,
    /// User and system time of these games.
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_seconds: Option<f64>,
    seed: u64,
    lexicon: &'a str,
    tileset: &'a str,
}

/// A player against the field.
#[derive(Serialize)]
struct PlayerJson<'a> {
    player: &'a str,
    win_rate: Option<Estimate>,
    mean_spread: Option<f64>,
}

/// A match, from the view of player A.
#[derive(Serialize)]
struct MatchupJson<'a> {
    player_a: &'a str,
    player_b: &'a str,
    #[serde(flatten)]
    summary: Option<Summary>,
}

impl Serialize for RoundRobinResult<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

impl RoundRobinResult<'_> {
    fn json(&self) -> RoundRobinJson<'_> {
        let (standings, names) = (&self.standings, self.names);
        let (comparisons, width) = (comparisons(standings), width(standings));
        let player = |player: usize| PlayerJson {
            player: &names[player],
            win_rate: standings.field_win_rate(player, width),
            mean_spread: standings.field_spread(player),
        };
        let matchup = |([a, b], tally): ([usize; 2], &Tally)| MatchupJson {
            player_a: &names[a],
            player_b: &names[b],
            summary: tally.summary_within(width, ERROR_RATE / comparisons as f64),
        };
        RoundRobinJson {
            schema: "round robin 2",
            pairs: standings.deals,
            comparisons,
            standard_errors: width,
            players: standings.ranking().into_iter().map(player).collect(),
            matches: matchups(names.len()).zip(&standings.matches).map(matchup).collect(),
            partial: self.stopped.is_some(),
            stopped: self.stopped.as_deref(),
            games_per_second: self.games_per_second().map(|(rate, _)| rate),
            cpu_seconds: self.games_per_second().map(|(_, cpu_seconds)| cpu_seconds),
            seed: self.seed,
            lexicon: self.lexicon,
            tileset: self.tileset,
        }
    }
}
