//! The result of a match, printed as text and written as JSON.

use std::fmt;
use std::path::Path;

use serde::Serialize;
use tilewright_engine::clock::Clock;
use tilewright_engine::input_file::{self, limits};
use tilewright_engine::player::Player;
use tilewright_engine::player::external::{FaultCounts, MAX_RECORDS};
use tilewright_engine::series::sequential::{Decision, SequentialTest};
use tilewright_engine::series::{Estimate, Series, Summary, Tally};
use tilewright_train::journal::RunKey;
use tilewright_train::stored_match::spec::percent;

use crate::Number;

/// The result of a match. Scripts of users read these keys.
#[derive(schemars::JsonSchema, Serialize)]
pub struct MatchResult {
    /// The figures of all pairs.
    #[serde(flatten)]
    pub summary: Summary,
    /// Whether the two games of a pair had separate deals.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unpaired: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<ClockFigures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<FaultsJson>,
    /// The sequential test, unless the match was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequential: Option<TestResult>,
    /// Whether the match was stopped, so that the figures cover only a part of it.
    partial: bool,
    /// The name of the match, if it was stopped before its end. The same match replaces the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// `None` if no game was played here.
    #[serde(flatten)]
    pub speed: Option<Speed>,
    pub seed: u64,
    pub lexicon: String,
    /// The name of the tile set.
    pub tileset: String,
    pub player_a: String,
    pub player_b: String,
    /// The names that external players give themselves, of A and of B.
    #[serde(skip_serializing_if = "no_names")]
    programs: [Option<String>; 2],
    /// The faults of external players in words, if there are any.
    #[serde(skip)]
    pub faults_in_words: Option<String>,
}

#[derive(schemars::JsonSchema, Serialize)]
struct ClockFigures {
    /// Time of each player per game.
    seconds: f64,
    /// Penalty in points for each started minute of overtime.
    overtime: i32,
    /// Penalties of the players, in points per game.
    mean_overtime_a: f64,
    mean_overtime_b: f64,
}

/// The sequential test of a match, and its end.
#[derive(schemars::JsonSchema, Serialize)]
pub struct TestResult {
    /// The first hypothesis: a win rate of player A, 0–1.
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

/// The speed of the games that this process played, which depends on the machine.
#[derive(Clone, Copy, Debug, schemars::JsonSchema, Serialize)]
pub struct Speed {
    games_per_second: f64,
    /// User and system time of the games, without the time of external players.
    cpu_seconds: f64,
    /// CPU time of player A, or null if unknown.
    cpu_seconds_a: Option<f64>,
    cpu_seconds_b: Option<f64>,
    /// The same, per game.
    cpu_seconds_a_per_game: Option<f64>,
    cpu_seconds_b_per_game: Option<f64>,
    #[serde(skip)]
    games: f64,
    #[serde(skip)]
    has_external: bool,
}

/// The name of a match. After a stop, the same match recognises its own files by the name. `key` is the key of its run,
/// which names players, lexicon, tile set, deals and clock.
pub fn work([a, b]: [&Player; 2], seed: u64, key: &RunKey) -> String {
    format!("{} against {}, seed {seed}, run {}", a.name, b.name, key.hash())
}

/// The name of a decision in JSON.
pub fn verdict(decision: Decision) -> &'static str {
    match decision {
        Decision::AcceptH0 => "h0",
        Decision::AcceptH1 => "h1",
        Decision::Open => "undecided",
    }
}

/// The name of the stopped match whose figures a file holds. `None` for any other file.
pub fn stopped(path: &Path) -> Option<String> {
    let json: serde_json::Value = serde_json::from_slice(&input_file::read_up_to(path, limits::JSON).ok()?).ok()?;
    json["stopped"].as_str().map(str::to_string)
}

impl MatchResult {
    /// The result of a series so far, without a test, a speed and words about faults. `None` without pairs. `stopped` is the
    /// name of the match if it was stopped.
    pub fn new(series: &Series<'_>, tally: &Tally, stopped: Option<String>) -> Option<MatchResult> {
        let &Series { setup, players: [a, b], deals, clock } = series;
        Some(MatchResult {
            summary: tally.summary()?,
            unpaired: deals.is_unpaired(),
            clock: clock.map(|clock| ClockFigures::new(clock, tally)),
            faults: FaultsJson::from_tally(tally),
            sequential: None,
            partial: stopped.is_some(),
            stopped,
            speed: None,
            seed: deals.seed,
            lexicon: setup.lexicon.name.clone(),
            tileset: setup.tileset.name().into(),
            player_a: a.name.clone(),
            player_b: b.name.clone(),
            programs: [a, b].map(|player| player.program().map(str::to_string)),
            faults_in_words: None,
        })
    }
}

impl ClockFigures {
    fn new(Clock { time, overtime }: Clock, tally: &Tally) -> ClockFigures {
        let [mean_overtime_a, mean_overtime_b] = tally.penalties.map(|points| points as f64 / (2.0 * tally.pairs as f64));
        ClockFigures { seconds: time.as_secs_f64(), overtime, mean_overtime_a, mean_overtime_b }
    }
}

fn no_names(names: &[Option<String>; 2]) -> bool {
    names.iter().all(Option::is_none)
}

impl TestResult {
    /// The end of a test after these outcomes of pairs.
    pub fn new(test: &SequentialTest, decision: Decision, outcomes: &[u64; 5], most_pairs: u64) -> TestResult {
        let ([h0, h1], [alpha, beta], [lower_bound, upper_bound]) = (test.hypotheses(), test.error_rates(), test.bounds());
        let log_likelihood_ratio = test.log_likelihood_ratio(outcomes);
        let verdict = verdict(decision);
        TestResult { h0, h1, alpha, beta, verdict, log_likelihood_ratio, lower_bound, upper_bound, most_pairs }
    }
}

impl Speed {
    /// The speed of games that took so many seconds, also of CPU time, in all and of each player.
    pub fn new(games: f64, seconds: f64, cpu_seconds: f64, players: [Option<f64>; 2], has_external: bool) -> Speed {
        let [cpu_seconds_a, cpu_seconds_b] = players;
        let [cpu_seconds_a_per_game, cpu_seconds_b_per_game] = players.map(|time| time.map(|seconds| seconds / games));
        Speed {
            games_per_second: games / seconds,
            cpu_seconds,
            cpu_seconds_a,
            cpu_seconds_b,
            cpu_seconds_a_per_game,
            cpu_seconds_b_per_game,
            games,
            has_external,
        }
    }
}

impl fmt::Display for MatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MatchResult { summary, player_a, player_b, seed, lexicon, .. } = self;
        let unpaired = if self.unpaired { ", separate deals for the two games of a pair" } else { "" };
        let [a, b] = self.programs.each_ref().map(|name| name.as_ref().map_or(String::new(), |name| format!(" ({name})")));
        writeln!(f, "{player_a}{a} against {player_b}{b}, seed {seed}, {lexicon}{unpaired}")?;
        write!(f, "{}\n{}", describe(summary), describe_further(summary))?;
        if let Some(ClockFigures { mean_overtime_a, mean_overtime_b, .. }) = &self.clock {
            write!(f, "\novertime    {mean_overtime_a:.1} : {mean_overtime_b:.1} points per game")?;
        }
        if let Some(faults) = &self.faults_in_words {
            write!(f, "\n{faults}")?;
        }
        if let Some(test) = &self.sequential {
            write!(f, "\n{test}")?;
        }
        self.speed.map_or(Ok(()), |speed| write!(f, "\n{speed}"))
    }
}

impl fmt::Display for TestResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TestResult { log_likelihood_ratio, lower_bound, upper_bound, .. } = self;
        let [h0, h1] = [self.h0, self.h1].map(percent);
        match self.verdict {
            "h0" => write!(f, "test        H0 accepted: a win rate of {h0} % rather than {h1} %")?,
            "h1" => write!(f, "test        H1 accepted: a win rate of {h1} % rather than {h0} %")?,
            _ => write!(
                f,
                "test        undecided between win rates of {h0} % (H0) and {h1} % (H1) after the maximum number of pairs"
            )?,
        }
        write!(f, "; LLR {:+.2} ({lower_bound:+.2} to {upper_bound:+.2})", Number(*log_likelihood_ratio))?;
        if self.verdict == verdict(Decision::Open) {
            return Ok(());
        }
        f.write_str(
            "\n            The test chose when to stop: win rate, spread and their intervals are biased towards the \
             verdict; the anytime-valid interval holds",
        )
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = self.games_per_second;
        if self.has_external {
            // These CPU-seconds exclude external players.
            write!(f, "{rate:.1} games per second")?;
        } else {
            write!(f, "{rate:.0} games per second, {:.0} per CPU-second", self.games / self.cpu_seconds.max(1e-9))?;
        }
        let games = self.games;
        let times = [self.cpu_seconds_a, self.cpu_seconds_b].map(|time| {
            time.map_or("not known".into(), |seconds| format!("{:.4} s per game ({seconds:.2} s)", seconds / games))
        });
        write!(f, "\nCPU time    A {}, B {}", times[0], times[1])
    }
}

/// The figures of all pairs, as in reports too.
pub fn describe(summary: &Summary) -> String {
    let Summary { pairs, win_rate, spread, scores, bingos, .. } = summary;
    format!(
        "pairs       {pairs}\n\
         win rate    {:.2} %   (95 %: {:.2} to {:.2})\n\
         spread      {:+.2}   (95 %: {:+.2} to {:+.2}) points per game\n\
         scores      {:.1} : {:.1}\n\
         bingos      {:.2} : {:.2} per game\n\
         turns       {:.1} per game\n\
         first mover wins {:.1} %",
        100.0 * win_rate.mean,
        100.0 * win_rate.low,
        100.0 * win_rate.high,
        Number(spread.mean),
        Number(spread.low),
        Number(spread.high),
        scores[0].mean,
        scores[1].mean,
        bingos[0].mean,
        bingos[1].mean,
        summary.turns.mean,
        100.0 * summary.first_mover_win_rate.mean,
    )
}

/// The anytime-valid interval, the ratings, and the pairs whose games differ.
pub fn describe_further(summary: &Summary) -> String {
    let Summary { anytime_win_rate, elo, normalised_elo, differing, .. } = summary;
    let interval = |Estimate { low, high, .. }: &Estimate| format!("(95 %: {:+.1} to {:+.1})", Number(*low), Number(*high));
    let normalised = normalised_elo.as_ref().map_or_else(
        || "no normalised Elo, because all pairs ended alike".into(),
        |normalised| format!("normalised {:+.1}   {}", Number(normalised.mean), interval(normalised)),
    );
    format!(
        "anytime     {:.2} to {:.2} %   (anytime-valid 95 % interval)\n\
         Elo         {:+.1}   {}; {normalised}\n\
         differing   {:.1} % of the pairs have two different games",
        100.0 * anytime_win_rate.low,
        100.0 * anytime_win_rate.high,
        Number(elo.mean),
        interval(elo),
        100.0 * differing
    )
}

/// The most faults of a player that are printed with the figures.
const MAX_PRINTED: usize = 5;

/// Faults and forfeits as JSON.
#[derive(schemars::JsonSchema, Serialize)]
pub struct FaultsJson {
    a: FaultCounts,
    b: FaultCounts,
    /// Games that each player forfeited.
    forfeits_a: u64,
    forfeits_b: u64,
}

impl FaultsJson {
    /// The faults of a tally, or `None` without faults.
    pub fn from_tally(tally: &Tally) -> Option<FaultsJson> {
        let (faults, forfeits) = (tally.faults, tally.forfeits);
        let is_any = faults.iter().any(|faults| faults.total() > 0);
        is_any.then(|| FaultsJson { a: faults[0], b: faults[1], forfeits_a: forfeits[0], forfeits_b: forfeits[1] })
    }
}

/// The lines of the fault log. Empty without faults.
pub fn fault_log(players: [&Player; 2]) -> String {
    let mut log = String::new();
    for (letter, player) in ["A", "B"].into_iter().zip(players) {
        let faults = player.faults();
        log.extend(faults.iter().map(|fault| format!("{letter}, {fault}\n")));
        if faults.len() == MAX_RECORDS {
            log += &format!("{letter}, and perhaps more: the log has at most {MAX_RECORDS} faults per player\n");
        }
    }
    log
}

/// The faults and forfeits as text, with the first faults one by one, or `None` without faults.
pub fn in_words(tally: &Tally, players: [&Player; 2]) -> Option<String> {
    FaultsJson::from_tally(tally)?;
    let [a, b] = [0, 1].map(|player| match tally.forfeits[player] {
        0 => tally.faults[player].to_string(),
        1 => format!("{}, 1 game forfeited", tally.faults[player]),
        games => format!("{}, {games} games forfeited", tally.faults[player]),
    });
    let mut text = format!("faults      A {a}; B {b}");
    for (letter, player) in ["A", "B"].into_iter().zip(players) {
        let faults = player.faults();
        for fault in faults.iter().take(MAX_PRINTED) {
            text += &format!("\n            {letter}, {fault}");
        }
        if faults.len() > MAX_PRINTED {
            text += &format!("\n            {letter}, and more; --fault-log FILE writes them to a file");
        }
    }
    Some(text)
}
