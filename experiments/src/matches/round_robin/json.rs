//! The result of a round robin as JSON.

use serde::{Serialize, Serializer};
use tilewright_engine::series::round_robin::matchups;

use super::cross_table::{comparisons, width};
use super::result::RoundRobinResult;
use crate::matches::pair::FiguresJson;
use crate::matches::request::ERROR_RATE;

/// The figures as JSON; users' scripts read these keys. Rates are 0–1, spreads are points per game. All intervals of win
/// rates hold together with 95 % (Bonferroni over `comparisons`), and so do all anytime-valid intervals. Ratings and
/// luck-adjusted figures have 95 % intervals each.
#[derive(Serialize)]
struct RoundRobinJson<'a> {
    /// Pairs per match.
    pairs: u64,
    comparisons: usize,
    /// Half the width of the intervals, in standard errors.
    standard_errors: f64,
    /// The best first.
    players: Vec<PlayerJson<'a>>,
    matches: Vec<MatchJson<'a>>,
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
    win_rate: Option<f64>,
    win_rate_low: Option<f64>,
    win_rate_high: Option<f64>,
    spread: Option<f64>,
}

/// A match, from the view of player A.
#[derive(Serialize)]
struct MatchJson<'a> {
    player_a: &'a str,
    player_b: &'a str,
    win_rate: Option<f64>,
    win_rate_low: Option<f64>,
    win_rate_high: Option<f64>,
    spread: Option<f64>,
    /// Pairs in which A won 0, ½, 1, 1½, 2 games.
    pentanomial: [u64; 5],
    #[serde(flatten)]
    measured: FiguresJson,
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
        let player_json = |player: usize| {
            let estimate = standings.field_win_rate(player, width);
            PlayerJson {
                player: &names[player],
                win_rate: estimate.map(|estimate| estimate.mean),
                win_rate_low: estimate.map(|estimate| estimate.low),
                win_rate_high: estimate.map(|estimate| estimate.high),
                spread: standings.field_spread(player),
            }
        };
        let match_json = |([a, b], tally): ([usize; 2], &tilewright_engine::series::Tally)| {
            let estimate = standings.win_rate(a, b, width);
            MatchJson {
                player_a: &names[a],
                player_b: &names[b],
                win_rate: estimate.map(|estimate| estimate.mean),
                win_rate_low: estimate.map(|estimate| estimate.low),
                win_rate_high: estimate.map(|estimate| estimate.high),
                spread: standings.spread(a, b),
                pentanomial: tally.outcomes,
                measured: FiguresJson::from_tally(tally, ERROR_RATE / comparisons as f64),
            }
        };
        RoundRobinJson {
            pairs: standings.deals,
            comparisons,
            standard_errors: width,
            players: standings.ranking().into_iter().map(player_json).collect(),
            matches: matchups(names.len()).zip(&standings.matches).map(match_json).collect(),
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
