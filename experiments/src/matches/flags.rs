//! The flags of `match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use tilewright_engine::player::PlayerSpec;
use tilewright_train::match_games::GamesFormat;

use crate::configs;
use crate::failure::Failure;
use crate::flags::{BuildFlag, PlayFlags, TableFlags, duration};

/// `match`.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchArguments {
    /// The game, the seed, the threads and the word map.
    #[command(flatten)]
    pub flags: PlayFlags,
    /// The tables of players that name none.
    #[command(flatten)]
    pub tables: TableFlags,
    /// Player A; all figures are from its view: greedy (the score), no-leaves (with the rule for an
    /// empty bag and random ties), leave (the embedded table) or leave:PATH; leave+pool adjusts leaves
    /// to the unseen tiles, leave+late to a nearly empty bag, leave+pool+late to both; sim simulates, full also solves
    /// pre-endgames and endgames, and :FILE.toml configures them (configs/players); stdio:COMMAND and tcp:HOST:PORT are
    /// external players (tilewright serve --help)
    #[arg(long, value_name = "PLAYER", requires = "player_b", required_unless_present_any = ["players", "config"])]
    pub player_a: Option<PlayerSpec>,
    /// Player B
    #[arg(long, value_name = "PLAYER", requires = "player_a")]
    pub player_b: Option<PlayerSpec>,
    /// Players of a round robin: each plays every other on the same deals. Prints a cross table, a ranking, and simultaneous
    /// intervals. May be repeated
    #[arg(long, visible_alias = "player", value_name = "PLAYER", num_args = 1.., conflicts_with_all = ["player_a", "player_b"])]
    pub players: Vec<PlayerSpec>,
    /// Config that names players, pairs, seed and test (configs/matches); the other flags override it
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// The text of the config, once it was read.
    #[arg(skip)]
    pub config_text: Option<String>,
    /// Pairs of games per match; with --sequential, the maximum. The two games of a pair share their deal and swap the seats
    #[arg(
        long,
        value_name = "N",
        required_unless_present = "config",
        value_parser = clap::value_parser!(u64).range(1..=MAX_PAIRS)
    )]
    pub pairs: Option<u64>,
    /// Give the two games of a pair separate deals, as in a match without pairing
    #[arg(long)]
    pub unpaired: bool,
    /// Stop when a sequential probability ratio test of the pairs accepts one of these win rates of player A, in percent; 50:51
    /// without a value
    #[arg(
        long,
        visible_alias = "sprt",
        value_name = "H0:H1",
        num_args = 0..=1,
        default_missing_value = "50:51",
        value_parser = read_hypotheses
    )]
    pub sequential: Option<Hypotheses>,
    /// The error rates of the test.
    #[command(flatten)]
    pub rates: ErrorRates,
    /// Time of each player per game, such as 25m or 30s. The games then depend on the machine and cannot be reproduced
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub clock: Option<Duration>,
    /// With --clock: penalty in points for each started minute of overtime, as in tournaments
    #[arg(long, value_name = "POINTS", requires = "clock", default_value_t = 10, value_parser = clap::value_parser!(i32).range(0..=10_000))]
    pub overtime: i32,
    /// External players: time per move, after which the turn is lost; the start may take a minute. On Linux, for stdio: players
    /// without --clock, it is CPU time, and a program that only waits has ten times as long, at least 5s; otherwise it is elapsed
    /// time [default: 10s elapsed; with --clock 10s more than the time left]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub answer_time: Option<Duration>,
    /// External players: file for their faults, one per line; never overwritten
    #[arg(long, value_name = "FILE")]
    pub fault_log: Option<PathBuf>,
    /// Store the games in this folder; rerun the command to resume a killed match, or, with two players, with more --pairs to extend it
    #[arg(long, value_name = "DIR", conflicts_with = "fault_log")]
    #[serde(skip)]
    pub out: Option<PathBuf>,
    /// Whether work of another build is continued.
    #[command(flatten)]
    #[serde(skip)]
    pub build: BuildFlag,
    /// Also write the figures as JSON; never overwritten, unless this match left it when it was stopped
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub json: Option<PathBuf>,
    /// Also write a row for each pair of games as Parquet; needs exactly two players; never overwritten, unless this match
    /// left it when it was stopped
    #[arg(long, value_name = "FILE")]
    pub pairs_out: Option<PathBuf>,
    /// The games.
    #[command(flatten)]
    pub games: GamesFlags,
}

impl MatchArguments {
    /// A match without a test, a clock or files.
    pub fn new(flags: PlayFlags, [a, b]: [PlayerSpec; 2], pairs: u64) -> MatchArguments {
        MatchArguments {
            flags,
            tables: TableFlags::default(),
            player_a: Some(a),
            player_b: Some(b),
            players: Vec::new(),
            config: None,
            config_text: None,
            pairs: Some(pairs),
            unpaired: false,
            sequential: None,
            rates: ErrorRates::default(),
            clock: None,
            overtime: 0,
            answer_time: None,
            fault_log: None,
            out: None,
            build: BuildFlag::default(),
            json: None,
            pairs_out: None,
            games: GamesFlags::default(),
        }
    }

    /// The text of the config, if one is named.
    ///
    /// # Errors
    /// [`Failure::Input`] if it cannot be read.
    pub fn read_config(&self) -> Result<Option<String>, Failure> {
        match (&self.config_text, &self.config) {
            (None, Some(path)) => Ok(Some(configs::read(path, "matches")?.0)),
            (text, _) => Ok(text.clone()),
        }
    }

    /// The same match as a value that needs no config file.
    ///
    /// # Errors
    /// As [`MatchArguments::read_config`].
    pub fn with_config_read(self) -> Result<MatchArguments, Failure> {
        Ok(MatchArguments { config_text: self.read_config()?, ..self })
    }
}

/// The games that `match` writes.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesFlags {
    /// Also write every game to this folder; needs exactly two players; never overwritten, unless this match left it when it was
    /// stopped. A match with --out keeps the moves from its first run on, or never
    #[arg(long, value_name = "DIR")]
    pub games_out: Option<PathBuf>,
    /// With --games-out: parquet, with a row per turn as selfplay writes it, or gcg, with a file per game
    #[arg(long, value_name = "FORMAT", requires = "games_out", default_value = "parquet", value_enum)]
    pub games_format: GamesFormatFlag,
    /// With --games-out: also the N best moves of each turn with their equities, as the player ranks them before it looks
    /// ahead. A match that is stopped writes its games without them
    #[arg(long, value_name = "N", requires = "games_out", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub candidates: Option<u32>,
}

/// A value of `--games-format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum GamesFormatFlag {
    /// A row per turn.
    #[default]
    Parquet,
    /// A file per game.
    Gcg,
}

impl From<GamesFormatFlag> for GamesFormat {
    fn from(flag: GamesFormatFlag) -> GamesFormat {
        match flag {
            GamesFormatFlag::Parquet => GamesFormat::Parquet,
            GamesFormatFlag::Gcg => GamesFormat::Gcg,
        }
    }
}

/// The most pairs of a match.
pub const MAX_PAIRS: u64 = 1_000_000_000;

/// The two win rates of a sequential test, 0–1; the first is the lower.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hypotheses {
    /// The null hypothesis.
    pub h0: f64,
    /// The alternative hypothesis.
    pub h1: f64,
}

/// The error rates of the sequential test.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorRates {
    /// Probability that the test accepts H1 although H0 is true [default: 0.05]
    #[arg(long, value_name = "PROBABILITY", value_parser = read_error_rate)]
    pub alpha: Option<f64>,
    /// Probability that the test accepts H0 although H1 is true [default: 0.05]
    #[arg(long, value_name = "PROBABILITY", value_parser = read_error_rate)]
    pub beta: Option<f64>,
}

/// Reads two win rates in percent, such as `50:51`.
///
/// # Errors
/// The reason why the text is invalid.
pub fn read_hypotheses(text: &str) -> Result<Hypotheses, String> {
    let rates = text.split_once(':').and_then(|(h0, h1)| Some((h0.trim().parse().ok()?, h1.trim().parse().ok()?)));
    let Some((h0, h1)): Option<(f64, f64)> = rates else {
        return Err("expected two win rates in percent with a colon between them, as in 50:51".into());
    };
    if h1 <= 1.0 {
        return Err("expected win rates in percent, as in 50:51".into());
    }
    if !(0.0 < h0 && h0 < h1 && h1 < 100.0) {
        return Err(
            "the lower win rate comes first, both between 0 and 100 percent; for the opposite question, swap the players"
                .into(),
        );
    }
    Ok(Hypotheses { h0: h0 / 100.0, h1: h1 / 100.0 })
}

/// Reads an error rate, such as `0.05`.
fn read_error_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|&rate: &f64| 0.0 < rate && rate < 0.5);
    rate.ok_or_else(|| "expected a probability above 0 and below 0.5, as in 0.05".into())
}
