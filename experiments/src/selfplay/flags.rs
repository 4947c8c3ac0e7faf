//! The flags of `selfplay`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::{GameArguments, RunArguments, SearchArguments};

/// `selfplay`.
#[derive(Debug, Args)]
pub struct SelfplayArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// Games to play
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// Who plays both sides: greedy, leave, leave:PATH, leave+pool+late:PATH, … [default: leave where the embedded table fits,
    /// else greedy]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// The folder for the records [default: a new one in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
