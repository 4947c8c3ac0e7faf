//! The flags of `selfplay`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::{JsonFlag, PlayFlags};

/// `selfplay`.
#[derive(Debug, Args)]
pub struct SelfplayArguments {
    /// The game, the seed, the threads and the word map.
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Games to play
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// Player of both sides: greedy, leave, leave:PATH, leave+pool+late:PATH, … [default: leave where the embedded table fits,
    /// else greedy]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// Another player for the other side; the two take turns to move first
    #[arg(long, value_name = "PLAYER")]
    pub opponent: Option<String>,
    /// Folder for the records; rerun the command to resume [default: a new folder in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The file for the result.
    #[command(flatten)]
    pub json: JsonFlag,
}
