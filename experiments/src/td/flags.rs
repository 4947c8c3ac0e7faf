//! The flags of `td`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::PlayFlags;

/// `td`.
#[derive(Debug, Args)]
pub struct TdArguments {
    /// What to learn and how: a TOML file as in configs/td
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    /// The game, and how it is played.
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Games to learn from; overrides the config
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Folder of the run; rerun the command to resume [default: a new folder in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
