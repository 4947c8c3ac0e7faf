//! The flags of `moves`, `solve`, `simulate` and `infer`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::flags::{CommonFlags, JsonFlag, PlayFlags, TableFlags, duration, new_files, player_named};
use crate::{Failure, NewFile};
use tilewright_engine::PlayerSpec;

/// Where a result goes besides standard output.
#[derive(Debug, Args)]
pub struct ResultFiles {
    /// Also write a page with the drawn board, the rack and the moves to a new file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Also write the result as JSON to a new file. - prints it in the place of the text
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

impl ResultFiles {
    /// The files of `--html` and `--json`, checked before the work.
    pub fn new_files(&self) -> Result<[NewFile<'_>; 2], Failure> {
        new_files([("--html", self.html.as_deref()), ("--json", self.json.as_deref())])
    }
}

/// The flags of verbs on a position, besides the position.
#[derive(Debug, Args)]
pub struct BoardFlags {
    #[command(flatten)]
    pub tables: TableFlags,
    /// Rack of the player to move, with ? for a blank [default: the rack of the position]
    #[arg(long, value_name = "TILES")]
    pub rack: Option<String>,
    /// Accept any board: tiles that are not connected, words that are not in the lexicon
    #[arg(long)]
    pub any_board: bool,
}

/// The position of a recorded game.
#[derive(Debug, Args)]
pub struct RecordedTurn {
    /// Recorded game in GCG that has the position, with the rack of the player to move
    #[arg(long, value_name = "FILE", group = "given")]
    pub gcg: Option<PathBuf>,
    /// Turn of --gcg, counted from 1 as game show does. The position is the one before its move [default: after the last turn]
    #[arg(long, value_name = "N", requires = "gcg", value_parser = clap::value_parser!(u32).range(1..))]
    pub turn: Option<u32>,
}

#[derive(Debug, Args)]
pub struct MovesArguments {
    #[command(flatten)]
    pub flags: CommonFlags,
    #[command(flatten)]
    pub board: BoardFlags,
    /// Position in CGP [default: an empty board]
    #[arg(long, value_name = "CGP", group = "given")]
    pub cgp: Option<String>,
    #[command(flatten)]
    pub recorded: RecordedTurn,
    /// Player whose moves to list: greedy, leave, leave:PATH, sim, full, sim:FILE, … If it looks ahead, moves have win
    /// probabilities [default: leave, or network with --network]
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<PlayerSpec>)]
    pub player: Option<PlayerSpec>,
    /// Moves to print
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    #[command(flatten)]
    pub files: ResultFiles,
}

#[derive(Debug, Args)]
pub struct SolveArguments {
    #[command(flatten)]
    pub flags: CommonFlags,
    #[command(flatten)]
    pub board: BoardFlags,
    /// Position in CGP, with the rack of the player to move, the scores and the scoreless turns
    #[arg(long, value_name = "CGP", group = "given", required_unless_present_any = ["cgp_file", "gcg"])]
    pub cgp: Option<String>,
    #[command(flatten)]
    pub recorded: RecordedTurn,
    /// Endgames to solve, a CGP per line. - reads standard input. Answers are JSON lines, printed or in the file of --json
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cgp", "gcg", "rack", "player", "top", "fast", "html"])]
    pub cgp_file: Option<PathBuf>,
    /// With an empty bag: also calculate the exact values of the K best moves [default: only of the best]
    #[arg(long, value_name = "K", conflicts_with_all = ["fast", "first_win", "nodes", "time"], value_parser = clap::value_parser!(u16).range(1..))]
    pub best: Option<u16>,
    /// With tiles in the bag: player that chooses the candidates. If a candidate leaves tiles in the bag, it also plays for
    /// both sides until the bag is empty [default: leave, or network with --network]
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<PlayerSpec>)]
    pub player: Option<PlayerSpec>,
    /// With tiles in the bag: candidates to print
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Stop as soon as the winner is certain
    #[arg(long, conflicts_with = "fast")]
    pub first_win: bool,
    /// Stop after N positions and report the best move found, with the bounds found so far [default: no limit]
    #[arg(long, value_name = "N", conflicts_with = "fast", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Stop after this time, such as 50ms, 2s or a number of seconds, and report the best move found, with the bounds found so
    /// far. With an empty bag it is CPU time, otherwise elapsed time [default: no limit]
    #[arg(long, value_name = "TIME", conflicts_with = "fast", value_parser = seconds_or_duration)]
    pub time: Option<Duration>,
    /// Estimate the value and the win probability with the fast evaluator, as simulations do
    #[arg(long)]
    pub fast: bool,
    #[command(flatten)]
    pub files: ResultFiles,
}

#[derive(Debug, Args)]
pub struct SimulateArguments {
    #[command(flatten)]
    pub flags: PlayFlags,
    #[command(flatten)]
    pub board: BoardFlags,
    /// Position in CGP. If it names tiles of the other rack, every deal gives them to the opponent [default: an empty board]
    #[arg(long, value_name = "CGP", group = "given")]
    pub cgp: Option<String>,
    #[command(flatten)]
    pub recorded: RecordedTurn,
    /// Player that ranks the candidates: greedy, leave, leave:PATH, … [default: leave, or network with --network]
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<PlayerSpec>)]
    pub ranker: Option<PlayerSpec>,
    /// Static player that chooses the replies [default: the ranker]
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<PlayerSpec>)]
    pub policy: Option<PlayerSpec>,
    /// Candidates to simulate
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub candidates: usize,
    /// Replies per playout: 2 means one by each side
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub plies: usize,
    /// Maximum number of deals per candidate [default: 1000; with --time no limit]
    #[arg(long, value_name = "N")]
    pub deals: Option<u64>,
    /// Play to the end of the game if the bag holds at most this many tiles at the last reply
    #[arg(long, value_name = "TILES", default_value_t = 0)]
    pub end_bag: usize,
    /// Estimate the endgames of playouts with the fast evaluator instead of static play: a quarter of the error, much slower
    #[arg(long)]
    pub fast_endgame: bool,
    /// The opponent's last move: a play on the board, such as "8D FA(C)Es", or "exch 3". The opponent's rack is then inferred
    /// from it
    #[arg(long, value_name = "MOVE", requires = "given", allow_hyphen_values = true)]
    pub last_move: Option<String>,
    /// Stop after this time, such as 50ms, 2s or a number of seconds. The result then depends on the machine and cannot be reproduced
    /// [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = seconds_or_duration)]
    pub time: Option<Duration>,
    /// Confidence at which beaten candidates are dropped. 1 drops none
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.99)]
    pub confidence: f64,
    /// Also count the equities of the ranker, as the player sim does. Deals go to the best candidate and its closest
    /// challengers. The simulation ends once no candidate is expected to be better
    #[arg(long, conflicts_with = "confidence")]
    pub prior: bool,
    /// With --prior, the smallest expected gain for which it goes on, in points. 0 uses up all deals [default: 0.12]
    #[arg(long, value_name = "POINTS", requires = "prior")]
    pub least_excess: Option<f64>,
    /// Quantity that ranks the candidates
    #[arg(long, value_enum, default_value = "win")]
    pub utility: UtilityName,
    #[command(flatten)]
    pub files: ResultFiles,
}

#[derive(Debug, Args)]
pub struct InferArguments {
    #[command(flatten)]
    pub flags: CommonFlags,
    #[command(flatten)]
    pub board: BoardFlags,
    /// Position in CGP after the opponent's last move, with the rack of the player to move
    #[arg(long, value_name = "CGP")]
    pub cgp: String,
    /// The opponent's last move: a play on the board of --cgp, such as "8D FA(C)Es", "exch 3", or "pass"
    #[arg(long, value_name = "MOVE", allow_hyphen_values = true)]
    pub last_move: String,
    /// Model of the opponent (a static player) [default: leave, or network with --network]
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<PlayerSpec>)]
    pub player: Option<PlayerSpec>,
    /// Leaves to print
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Weigh all leaves (after an exchange: all racks) if at most N are possible. Otherwise draw
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub exact: u32,
    /// Leaves to draw if more are possible
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub draws: u32,
    #[command(flatten)]
    pub json: JsonFlag,
}

/// The quantity that ranks candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UtilityName {
    /// The win probability. The spread breaks ties
    Win,
    /// The spread
    Spread,
}

/// Reads a duration with its unit, or a number of seconds, above 0 and below a year.
fn seconds_or_duration(text: &str) -> Result<Duration, String> {
    let Ok(seconds) = text.parse::<f64>() else { return duration(text) };
    if seconds > 0.0 && seconds < 3e7 {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("expected more than 0 and less than 30000000".into())
    }
}
