//! The flags of `evolve`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::PlayFlags;

/// `evolve`.
#[derive(Debug, Args)]
pub struct EvolveArguments {
    /// What to evolve, how, and against which player: a TOML file as in configs/evolve
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    /// The game, and how it is played.
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Folder of the run; rerun the command to resume [default: a new folder in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
