//! The flags of `td`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::{GameArguments, RunArguments, SearchArguments};

/// `td`.
#[derive(Debug, Args)]
pub struct TdArguments {
    /// What is learned and how: a TOML file as in configs/td
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// Games to learn from, instead of those of the config
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// The folder of the run; an unfinished run of the same config is continued [default: a new one in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
