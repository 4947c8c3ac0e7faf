//! The flags of `evolve`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::{PlayFlags, RunFlags, TableFlags};

/// `evolve`.
#[derive(Debug, Args)]
pub struct EvolveArguments {
    /// Config of the run: a TOML file as in configs/evolve
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    #[command(flatten)]
    pub flags: PlayFlags,
    #[command(flatten)]
    pub tables: TableFlags,
    #[command(flatten)]
    pub run: RunFlags,
}
