//! The result of a match as JSON.

use std::path::Path;

use serde::{Serialize, Serializer};
use tilewright_engine::clock::Clock;
use tilewright_engine::input_file;
use tilewright_engine::series::sequential::Decision;
use tilewright_engine::series::{Estimate, Summary, Tally};

use super::result::{MatchResult, Speed};
use crate::matches::external::FaultsJson;
use crate::matches::request::ERROR_RATE;

/// The figures as JSON, and how they came about; users' scripts read these keys. A sequential test biases the intervals towards its verdict, except the
/// anytime-valid one.
#[derive(Serialize)]
pub struct MatchJson<'a> {
    #[serde(flatten)]
    figures: TallyJson,
    /// Whether the two games of a pair had separate deals.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unpaired: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<ClockJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<FaultsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequential: Option<SequentialJson>,
    /// Whether the match was stopped, or only a part of it was played: then the figures are not those of the whole match.
    partial: bool,
    /// The match, if it was stopped: the same match replaces the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    /// The part, as in `2/4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    #[serde(flatten)]
    speed: Option<SpeedJson>,
    seed: u64,
    lexicon: &'a str,
    tileset: &'a str,
    player_a: &'a str,
    player_b: &'a str,
}

/// The figures of pairs from the view of player A; users' scripts read these keys. Rates are 0–1, spreads and scores are points per game,
/// intervals are 95 % intervals.
#[derive(Serialize)]
pub struct TallyJson {
    pairs: u64,
    win_rate: f64,
    win_rate_low: f64,
    win_rate_high: f64,
    /// How likely a result at least as far from half is with equal players: by pairs, and by a binomial test that takes games for
    /// independent.
    p_value: Option<f64>,
    binomial_p_value: Option<f64>,
    spread: f64,
    spread_low: f64,
    spread_high: f64,
    first_mover_win_rate: f64,
    first_mover_win_rate_low: f64,
    first_mover_win_rate_high: f64,
    mean_score_a: f64,
    mean_score_a_low: f64,
    mean_score_a_high: f64,
    mean_score_b: f64,
    mean_score_b_low: f64,
    mean_score_b_high: f64,
    bingos_a: f64,
    bingos_a_low: f64,
    bingos_a_high: f64,
    bingos_b: f64,
    bingos_b_low: f64,
    bingos_b_high: f64,
    turns: f64,
    turns_low: f64,
    turns_high: f64,
    /// Pairs in which A won 0, ½, 1, 1½, 2 games.
    pentanomial: [u64; 5],
    /// Missing if the pairs were not measured.
    #[serde(flatten)]
    measured: Option<FiguresJson>,
}

/// The figures that only measured pairs have. Infinite ratings are null.
#[derive(Serialize)]
pub struct FiguresJson {
    /// The ends of the anytime-valid interval.
    win_rate_at_any_stop_low: Option<f64>,
    win_rate_at_any_stop_high: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    /// Null if all pairs ended alike.
    normalised_elo: Option<f64>,
    normalised_elo_low: Option<f64>,
    normalised_elo_high: Option<f64>,
    /// Share of the pairs whose two games differ in any move.
    divergent: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    luck_aside: Option<LuckAdjustedJson>,
}

/// The luck-adjusted figures; missing if luck did not vary.
#[derive(Serialize)]
struct LuckAdjustedJson {
    win_rate: f64,
    win_rate_low: f64,
    win_rate_high: f64,
    /// The variance of the adjusted win rate as a share of the unadjusted one; likewise for the spread.
    win_rate_variance: f64,
    spread: f64,
    spread_low: f64,
    spread_high: f64,
    spread_variance: f64,
    /// The luck of A less the luck of B, in points per game.
    luck: f64,
    /// Points of spread per point of luck.
    points_a_point: f64,
}

/// Figures of the games that this process played, which depend on the machine; missing after a merge.
#[derive(Serialize)]
struct SpeedJson {
    games_per_second: f64,
    /// User and system time of the games, without that of external players.
    cpu_seconds: f64,
    /// CPU time of each player ([`Player::cpu_time`](tilewright_engine::player::Player::cpu_time)); null if it is not known.
    cpu_seconds_a: Option<f64>,
    cpu_seconds_b: Option<f64>,
    /// The same, per game.
    cpu_seconds_a_per_game: Option<f64>,
    cpu_seconds_b_per_game: Option<f64>,
}

impl SpeedJson {
    fn from_speed(speed: Speed) -> SpeedJson {
        let Speed { games, seconds, cpu_seconds, players: [cpu_seconds_a, cpu_seconds_b], .. } = speed;
        let [cpu_seconds_a_per_game, cpu_seconds_b_per_game] =
            [cpu_seconds_a, cpu_seconds_b].map(|seconds| seconds.map(|seconds| seconds / games));
        SpeedJson {
            games_per_second: games / seconds,
            cpu_seconds,
            cpu_seconds_a,
            cpu_seconds_b,
            cpu_seconds_a_per_game,
            cpu_seconds_b_per_game,
        }
    }
}

/// The clock of a timed match.
#[derive(Serialize)]
struct ClockJson {
    /// Time of each player per game.
    seconds: f64,
    /// Penalty in points for each started minute beyond that.
    overtime: i32,
    /// Penalties of the players, in points per game.
    mean_overtime_a: f64,
    mean_overtime_b: f64,
}

/// The sequential test of a match that has one.
#[derive(Serialize)]
struct SequentialJson {
    /// Win rates of player A, 0–1.
    h0: f64,
    h1: f64,
    alpha: f64,
    beta: f64,
    /// `h0` or `h1`, or `undecided` after the maximum number of pairs.
    verdict: &'static str,
    log_likelihood_ratio: f64,
    lower_bound: f64,
    upper_bound: f64,
    most_pairs: u64,
}

impl TallyJson {
    /// The figures of a tally; `None` without pairs.
    pub fn from_tally(tally: &Tally) -> Option<TallyJson> {
        Some(TallyJson::new(tally, &tally.summary()?))
    }

    /// The figures of a tally with this summary.
    pub fn new(tally: &Tally, summary: &Summary) -> TallyJson {
        let p_values = tally.p_values();
        TallyJson {
            pairs: tally.pairs,
            win_rate: summary.win_rate.mean,
            win_rate_low: summary.win_rate.low,
            win_rate_high: summary.win_rate.high,
            p_value: p_values.map(|values| values.paired),
            binomial_p_value: p_values.map(|values| values.binomial),
            spread: summary.spread.mean,
            spread_low: summary.spread.low,
            spread_high: summary.spread.high,
            first_mover_win_rate: summary.first_mover_win_rate.mean,
            first_mover_win_rate_low: summary.first_mover_win_rate.low,
            first_mover_win_rate_high: summary.first_mover_win_rate.high,
            mean_score_a: summary.scores[0].mean,
            mean_score_a_low: summary.scores[0].low,
            mean_score_a_high: summary.scores[0].high,
            mean_score_b: summary.scores[1].mean,
            mean_score_b_low: summary.scores[1].low,
            mean_score_b_high: summary.scores[1].high,
            bingos_a: summary.bingos[0].mean,
            bingos_a_low: summary.bingos[0].low,
            bingos_a_high: summary.bingos[0].high,
            bingos_b: summary.bingos[1].mean,
            bingos_b_low: summary.bingos[1].low,
            bingos_b_high: summary.bingos[1].high,
            turns: summary.turns.mean,
            turns_low: summary.turns.low,
            turns_high: summary.turns.high,
            pentanomial: tally.outcomes,
            measured: (!tally.measured.is_nothing()).then(|| FiguresJson::from_tally(tally, ERROR_RATE)),
        }
    }
}

impl FiguresJson {
    /// The figures of a tally; the anytime-valid interval has this error rate.
    pub fn from_tally(tally: &Tally, error_rate: f64) -> FiguresJson {
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        let at_any_stop = tally.anytime_win_rate(error_rate);
        let elo = tally.ratings().map(|ratings| ratings.elo);
        let normalised = tally.ratings().and_then(|ratings| ratings.normalised_elo);
        let part = |estimate: Option<Estimate>, part: fn(Estimate) -> f64| estimate.map(part).and_then(finite);
        FiguresJson {
            win_rate_at_any_stop_low: part(at_any_stop, |estimate| estimate.low),
            win_rate_at_any_stop_high: part(at_any_stop, |estimate| estimate.high),
            elo: part(elo, |estimate| estimate.mean),
            elo_low: part(elo, |estimate| estimate.low),
            elo_high: part(elo, |estimate| estimate.high),
            normalised_elo: part(normalised, |estimate| estimate.mean),
            normalised_elo_low: part(normalised, |estimate| estimate.low),
            normalised_elo_high: part(normalised, |estimate| estimate.high),
            divergent: tally.measured.games_differ as f64 / tally.measured.pairs.max(1) as f64,
            luck_aside: LuckAdjustedJson::from_tally(tally),
        }
    }
}

impl LuckAdjustedJson {
    fn from_tally(tally: &Tally) -> Option<LuckAdjustedJson> {
        let adjusted = tally.luck_adjusted()?;
        Some(LuckAdjustedJson {
            win_rate: adjusted.win_rate.mean,
            win_rate_low: adjusted.win_rate.low,
            win_rate_high: adjusted.win_rate.high,
            win_rate_variance: adjusted.win_rate_variance,
            spread: adjusted.spread.mean,
            spread_low: adjusted.spread.low,
            spread_high: adjusted.spread.high,
            spread_variance: adjusted.spread_variance,
            luck: adjusted.luck.mean,
            points_a_point: adjusted.points_per_point,
        })
    }
}

/// The name of a decision in JSON.
pub fn verdict(decision: Decision) -> &'static str {
    match decision {
        Decision::AcceptH0 => "h0",
        Decision::AcceptH1 => "h1",
        Decision::Open => "undecided",
    }
}

/// The match whose figures in a file were stopped before its end; `None` for any other file.
pub fn stopped(path: &Path) -> Option<String> {
    let json: serde_json::Value = serde_json::from_slice(&input_file::read(path).ok()?).ok()?;
    json["stopped"].as_str().map(str::to_string)
}

impl Serialize for MatchResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

impl MatchResult {
    fn json(&self) -> MatchJson<'_> {
        let MatchResult { about, tally, summary, .. } = self;
        MatchJson {
            figures: TallyJson::new(tally, summary),
            unpaired: about.unpaired,
            clock: self.clock_json(),
            faults: FaultsJson::from_tally(tally),
            sequential: self.sequential_json(),
            partial: self.is_partial(),
            stopped: self.stopped.clone(),
            part: self.part.map(|part| format!("{}/{}", part.index + 1, part.count)),
            speed: self.speed.map(SpeedJson::from_speed),
            seed: about.seed,
            lexicon: &about.lexicon,
            tileset: &about.tileset,
            player_a: &about.players[0],
            player_b: &about.players[1],
        }
    }

    fn clock_json(&self) -> Option<ClockJson> {
        let Clock { time, overtime } = self.about.clock?;
        let [mean_overtime_a, mean_overtime_b] =
            self.tally.penalties.map(|points| points as f64 / (2.0 * self.tally.pairs as f64));
        Some(ClockJson { seconds: time.as_secs_f64(), overtime, mean_overtime_a, mean_overtime_b })
    }

    fn sequential_json(&self) -> Option<SequentialJson> {
        let (test, decision) = self.verdict.as_ref().filter(|_| self.stopped.is_none())?;
        let ([h0, h1], [alpha, beta], [lower_bound, upper_bound]) = (test.hypotheses(), test.error_rates(), test.bounds());
        let verdict = verdict(*decision);
        let log_likelihood_ratio = test.log_likelihood_ratio(&self.tally.outcomes);
        let most_pairs = self.most_pairs;
        Some(SequentialJson { h0, h1, alpha, beta, verdict, log_likelihood_ratio, lower_bound, upper_bound, most_pairs })
    }
}
