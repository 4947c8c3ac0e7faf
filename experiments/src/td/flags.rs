//! The flags of `td`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::{PlayFlags, RunFlags};

/// `td`.
#[derive(Debug, Args)]
pub struct TdArguments {
    /// Config of the run: a TOML file as in configs/td
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Games to learn from; overrides the config
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    #[command(flatten)]
    pub run: RunFlags,
}
