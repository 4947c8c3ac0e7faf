//! The flags of `td`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::{BuildFlag, JsonFlag, PlayFlags};

/// `td`.
#[derive(Debug, Args)]
pub struct TdArguments {
    /// Config of the run: a TOML file as in configs/td
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    /// The game, the seed, the threads and the word map.
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Games to learn from; overrides the config
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Folder of the run; rerun the command to resume [default: a new folder in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Whether work of another build is continued.
    #[command(flatten)]
    pub build: BuildFlag,
    /// The file for the result.
    #[command(flatten)]
    pub json: JsonFlag,
}
