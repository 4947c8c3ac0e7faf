//! The flags of `match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use tilewright_engine::player::MatchPlayer;
use tilewright_train::match_games::GamesFormat;
use tilewright_train::stored_match::spec::{Hypotheses, MAX_OVERTIME};

use crate::flags::{BuildFlag, PlayFlags, TableFlags, duration};

/// `match`.
#[derive(Clone, Debug, Args)]
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
    /// pre-endgames and endgames, and :FILE.toml configures them (engine/configs/players); stdio:COMMAND and tcp:HOST:PORT are
    /// external players (tilewright serve --help)
    #[arg(long, value_name = "PLAYER", requires = "player_b", required_unless_present_any = ["players", "config"])]
    pub player_a: Option<MatchPlayer>,
    /// Player B
    #[arg(long, value_name = "PLAYER", requires = "player_a")]
    pub player_b: Option<MatchPlayer>,
    /// Players of a round robin: each plays every other on the same deals. Prints a cross table, a ranking, and simultaneous
    /// intervals. May be repeated
    #[arg(long, visible_alias = "player", value_name = "PLAYER", num_args = 1.., conflicts_with_all = ["player_a", "player_b"])]
    pub players: Vec<MatchPlayer>,
    /// Config that names players, pairs, seed and test (configs/matches); the other flags override it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
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
        default_missing_value = "50:51"
    )]
    pub sequential: Option<Hypotheses>,
    /// The error rates of the test.
    #[command(flatten)]
    pub rates: ErrorRates,
    /// Time of each player per game, such as 25m or 30s. The games then depend on the machine and cannot be reproduced
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub clock: Option<Duration>,
    /// With --clock: penalty in points for each started minute of overtime, as in tournaments
    #[arg(long, value_name = "POINTS", requires = "clock", default_value_t = 10, value_parser = clap::value_parser!(i32).range(0..=i64::from(MAX_OVERTIME)))]
    pub overtime: i32,
    /// External players: time per move, after which the turn is lost; the start may take a minute. On Linux, for stdio: players
    /// without --clock, it is CPU time, and a program that only waits has ten times as long, at least 5s; otherwise it is elapsed
    /// time [default: 10s elapsed; with --clock 10s more than the time left]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub answer_time: Option<Duration>,
    /// Store the games in this folder; rerun the command to resume a killed match, or, with two players, with more --pairs to extend it
    #[arg(long, value_name = "DIR", conflicts_with = "fault_log")]
    pub out: Option<PathBuf>,
    /// Whether work of another build is continued.
    #[command(flatten)]
    pub build: BuildFlag,
    /// Also write the figures as JSON; never overwritten, unless this match left it when it was stopped
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// The other files.
    #[command(flatten)]
    pub files: FileFlags,
}

/// The files that `match` writes besides its figures.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileFlags {
    /// External players: file for their faults, one per line; never overwritten
    #[arg(long, value_name = "FILE")]
    pub fault_log: Option<PathBuf>,
    /// Also write a row for each pair of games as Parquet; needs exactly two players; never overwritten, unless this match
    /// left it when it was stopped
    #[arg(long, value_name = "FILE")]
    pub pairs_out: Option<PathBuf>,
    /// Also write every game to this folder; needs exactly two players; never overwritten, unless this match left it when it was
    /// stopped. A match with --out keeps the moves from its first run on, or never
    #[arg(long, value_name = "DIR")]
    pub games_out: Option<PathBuf>,
    /// With --games-out: parquet, with a row per turn as selfplay writes it, or gcg, with a file per game
    #[arg(long, value_name = "FORMAT", requires = "games_out", default_value = "parquet", value_enum)]
    pub games_format: GamesFormatFlag,
    /// With --games-out: also the N best moves of each turn with their equities, as the player ranks them before it looks
    /// ahead. Games that are written after a stop have none
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

pub const MAX_PAIRS: u64 = 1_000_000_000;

/// The error rates of the sequential test.
#[derive(Clone, Debug, Default, Args, Serialize)]
pub struct ErrorRates {
    /// Probability that the test accepts H1 although H0 is true [default: 0.05]
    #[arg(long, value_name = "PROBABILITY", value_parser = read_error_rate)]
    pub alpha: Option<f64>,
    /// Probability that the test accepts H0 although H1 is true [default: 0.05]
    #[arg(long, value_name = "PROBABILITY", value_parser = read_error_rate)]
    pub beta: Option<f64>,
}

/// Reads an error rate, such as `0.05`.
fn read_error_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|&rate: &f64| 0.0 < rate && rate < 0.5);
    rate.ok_or_else(|| "expected a probability above 0 and below 0.5, as in 0.05".into())
}
