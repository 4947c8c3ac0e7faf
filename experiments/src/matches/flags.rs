//! The flags of `match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::flags::{GameArguments, RunArguments, SearchArguments, duration};

/// `match`.
#[derive(Debug, Args)]
pub struct MatchArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// The player whose view the figures take: greedy, leave (the embedded table), leave:PATH; leave+pool values leaves for the
    /// unseen tiles, leave+late for few tiles in the bag, leave+pool+late for both; sim simulates, full calculates pre-endgames and endgames too,
    /// each with :FILE.toml as its file says (configs/players); stdio:COMMAND and tcp:HOST:PORT are players that run elsewhere
    /// (tilewright serve --help)
    #[arg(long, value_name = "PLAYER", requires = "player_b", required_unless_present_any = ["players", "config"])]
    pub player_a: Option<String>,
    /// The other player
    #[arg(long, value_name = "PLAYER", requires = "player_a")]
    pub player_b: Option<String>,
    /// Instead, any number of players: each meets each on the same deals, with a cross table, a ranking, and intervals that hold
    /// together. May be repeated
    #[arg(long, visible_alias = "player", value_name = "PLAYER", num_args = 1.., conflicts_with_all = ["player_a", "player_b"])]
    pub players: Vec<String>,
    /// A file that names players, pairs, seed and test (configs/matches); the other flags go before it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Pairs of games of each match, with --sequential the most of them; the two games of a pair share their deal and swap the seats
    #[arg(
        long,
        value_name = "N",
        required_unless_present = "config",
        value_parser = clap::value_parser!(u64).range(1..=MOST_PAIRS)
    )]
    pub pairs: Option<u64>,
    /// Give the two games of a pair deals of their own: what a match without pairing would tell, and how a player does against
    /// itself with luck
    #[arg(long)]
    pub unpaired: bool,
    /// Stop as soon as one win rate of player A, in percent, is believed over the other (a sequential probability ratio test of
    /// the pairs); 50:51 without a value
    #[arg(
        long,
        visible_alias = "sprt",
        value_name = "H0:H1",
        num_args = 0..=1,
        default_missing_value = "50:51",
        value_parser = read_hypotheses
    )]
    pub sequential: Option<Hypotheses>,
    /// How sure to be.
    #[command(flatten)]
    pub rates: ErrorRates,
    /// Play by the clock: time of each player for a game, such as 25m or 30s. The games then depend on the machine and cannot be
    /// reproduced
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub clock: Option<Duration>,
    /// With --clock: points for each minute begun beyond it, as in tournaments
    #[arg(long, value_name = "POINTS", requires = "clock", default_value_t = 10, value_parser = clap::value_parser!(i32).range(0..=10_000))]
    pub overtime: i32,
    /// Players that run elsewhere: how long one may think about a move before it loses its turn; it has a minute to get ready first
    /// [default: 10s; by the clock, 10s beyond what is left on it]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub answer_time: Option<Duration>,
    /// Players that run elsewhere: a file for all that they did wrong, a line a fault; never overwritten
    #[arg(long, value_name = "FILE")]
    pub fault_log: Option<PathBuf>,
    /// Also write the figures as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Also write a row for each pair of two players as Parquet; never overwritten
    #[arg(long, value_name = "FILE")]
    pub pairs_out: Option<PathBuf>,
}

/// The most pairs of a match.
pub const MOST_PAIRS: u64 = 1_000_000_000;

/// The two win rates of a sequential test, 0–1; the first is the lower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    /// Of the null hypothesis.
    pub h0: f64,
    /// Of the alternative.
    pub h1: f64,
}

/// How often the sequential test may be wrong.
#[derive(Clone, Debug, Args)]
pub struct ErrorRates {
    /// How often the sequential test may accept H1 though H0 is true [default: 0.05]
    #[arg(long, value_name = "PROBABILITY", value_parser = read_error_rate)]
    pub alpha: Option<f64>,
    /// How often it may accept H0 though H1 is true [default: 0.05]
    #[arg(long, value_name = "PROBABILITY", value_parser = read_error_rate)]
    pub beta: Option<f64>,
}

/// Reads `50:51`.
///
/// # Errors
/// What is wrong with it, in words.
pub fn read_hypotheses(text: &str) -> Result<Hypotheses, String> {
    let rates = text.split_once(':').and_then(|(h0, h1)| Some((h0.trim().parse().ok()?, h1.trim().parse().ok()?)));
    let Some((h0, h1)): Option<(f64, f64)> = rates else {
        return Err("two win rates in percent with a colon between them, as in 50:51".into());
    };
    if h1 <= 1.0 {
        return Err("win rates are in percent, as in 50:51".into());
    }
    if !(0.0 < h0 && h0 < h1 && h1 < 100.0) {
        return Err(
            "the lower win rate comes first, both between 0 and 100 percent; to ask the opposite, change the players over"
                .into(),
        );
    }
    Ok(Hypotheses { h0: h0 / 100.0, h1: h1 / 100.0 })
}

/// Reads `0.05`.
fn read_error_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|&rate: &f64| 0.0 < rate && rate < 0.5);
    rate.ok_or_else(|| "a probability above 0 and below 0.5, as in 0.05".into())
}
