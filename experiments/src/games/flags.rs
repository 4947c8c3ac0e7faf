//! The flags of `game`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::flags::{JsonFlag, PlayFlags, TableFlags, new_files};
use crate::{Failure, NewFile};
use tilewright_engine::PlayerSpec;

#[derive(Debug, Subcommand)]
pub enum GameVerb {
    /// Replay recorded games: every turn with its rack, move and score
    Show(GameFiles),
    /// Compare every move of recorded games with the best ones: what each lost, and a summary per player
    Annotate(AnnotateArguments),
}

/// The files, and where the result goes.
#[derive(Debug, Args)]
pub struct GameFiles {
    /// Recorded games in GCG
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Also write a page that replays the games; never overwritten
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub json: JsonFlag,
}

impl GameFiles {
    /// The files of `--html` and `--json`, checked before the work.
    pub fn new_files(&self) -> Result<[NewFile<'_>; 2], Failure> {
        new_files([("--html", self.html.as_deref()), ("--json", self.json.json.as_deref())])
    }
}

#[derive(Debug, Args)]
pub struct AnnotateArguments {
    #[command(flatten)]
    pub files: GameFiles,
    #[command(flatten)]
    pub tables: TableFlags,
    /// Player whose equity ranks the moves: greedy, leave, leave:PATH, network, … [default: leave, or network with --network]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<PlayerSpec>,
    /// Compare the best moves by simulation, two plies deep, on at most N deals, instead of by equity. Endgames are solved in either case
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub simulate: Option<u64>,
    /// Best moves to compare with and to show
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub top: u16,
    /// Points from which a loss is a mistake
    #[arg(long, value_name = "POINTS", default_value_t = 5.0)]
    pub mistake: f64,
}
