//! The flags of `moves`, `solve` and `simulate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::flags::{GameArguments, RunArguments, SearchArguments};

/// `moves`.
#[derive(Debug, Args)]
pub struct MovesArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The rack; ? is a blank. Overrides the rack of --cgp
    #[arg(long, value_name = "TILES")]
    pub rack: Option<String>,
    /// The position in CGP; an empty board without it
    #[arg(long, value_name = "CGP")]
    pub cgp: Option<String>,
    /// Take any board: tiles that are not joined, words that are not in the lexicon
    #[arg(long)]
    pub any_board: bool,
    /// Who judges: greedy, leave, leave:PATH, leave+pool+late:PATH, … [default: leave where the embedded table fits, else greedy]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// Moves to show
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Also write them as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// `solve`.
#[derive(Debug, Args)]
pub struct SolveArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The position in CGP, with the rack of the player to move, the scores and the scoreless turns
    #[arg(long, value_name = "CGP")]
    pub cgp: String,
    /// The rack of the player to move; ? is a blank. Overrides the rack of --cgp
    #[arg(long, value_name = "TILES")]
    pub rack: Option<String>,
    /// With tiles in the bag: who screens the candidates, and moves until the bag is empty where a candidate leaves tiles in it
    /// [default: leave where the embedded table fits, else greedy]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// With tiles in the bag: candidates to show
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Find out who wins, and look no farther
    #[arg(long, conflicts_with = "fast")]
    pub first_win: bool,
    /// Look at so many positions at most, and tell the best so far and its bounds
    #[arg(long, value_name = "N", conflicts_with = "fast", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Take so many seconds at most, and tell the best so far and its bounds
    #[arg(long, value_name = "SECONDS", conflicts_with = "fast", value_parser = seconds)]
    pub time: Option<f64>,
    /// Estimate the value and the chance to win at a glance, as simulations do
    #[arg(long)]
    pub fast: bool,
    /// Take any board: tiles that are not joined, words that are not in the lexicon
    #[arg(long)]
    pub any_board: bool,
    /// Also write the answer as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// `simulate`.
#[derive(Debug, Args)]
pub struct SimulateArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// The rack; ? is a blank. Overrides the rack of --cgp
    #[arg(long, value_name = "TILES")]
    pub rack: Option<String>,
    /// The position in CGP; an empty board without it. Tiles that it gives the opponent are dealt to that rack every time
    #[arg(long, value_name = "CGP")]
    pub cgp: Option<String>,
    /// Take any board: tiles that are not joined, words that are not in the lexicon
    #[arg(long)]
    pub any_board: bool,
    /// Who ranks the candidates: greedy, leave, leave:PATH, … [default: leave where the embedded table fits, else greedy]
    #[arg(long, value_name = "PLAYER")]
    pub ranker: Option<String>,
    /// Who plays the replies, a static player [default: the ranker]
    #[arg(long, value_name = "PLAYER")]
    pub policy: Option<String>,
    /// The win table: an artefact folder or a file [default: the embedded one, or one scaled to the tile set]
    #[arg(long, value_name = "PATH")]
    pub win_percentage: Option<PathBuf>,
    /// Moves to try
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub candidates: usize,
    /// Replies of a playout; 2 are one of each side
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub plies: usize,
    /// Deals that each candidate is tried on at most [default: 1000; with --time as many as there is time for]
    #[arg(long, value_name = "N")]
    pub iterations: Option<u64>,
    /// Play on to the end of the game with so many tiles in the bag, or fewer, at the last reply
    #[arg(long, value_name = "TILES", default_value_t = 0)]
    pub end_bag: usize,
    /// Estimate endgames that a playout comes to in place of playing them statically: a third of the error, for much more time
    #[arg(long)]
    pub fast_endgame: bool,
    /// The opponent's last play, which is on the board of --cgp, as in "8D FA(C)Es": that rack is then dealt as the play suggests
    #[arg(long, value_name = "PLAY", requires = "cgp")]
    pub last_move: Option<String>,
    /// Seconds to spend; the result then depends on the machine and cannot be reproduced
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<f64>,
    /// How sure to be that the best candidate is not among those that are dropped as beaten; 1 drops none
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.99)]
    pub confidence: f64,
    /// What the best is best by
    #[arg(long, value_enum, default_value = "win")]
    pub utility: UtilityName,
    /// Also write the table as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// What candidates are ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UtilityName {
    /// The chance to win; where it is the same, the spread
    Win,
    /// The spread
    Spread,
}

/// Seconds, more than none and fewer than a year.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    if seconds > 0.0 && seconds < 3e7 { Ok(seconds) } else { Err("it must be more than 0 and less than 30000000".into()) }
}
