//! The flags of `evolve`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::{GameArguments, RunArguments, SearchArguments};

/// `evolve`.
#[derive(Debug, Args)]
pub struct EvolveArguments {
    /// What is evolved, how, and against whom: a TOML file as in configs/evolve
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
    /// The folder of the run; an unfinished run of the same config is continued [default: a new one in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
