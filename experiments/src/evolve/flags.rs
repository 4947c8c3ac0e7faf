//! The flags of `evolve`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::{BuildFlag, JsonFlag, PlayFlags, TableFlags};

/// `evolve`.
#[derive(Debug, Args)]
pub struct EvolveArguments {
    /// Config of the run: a TOML file as in configs/evolve
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    /// The game, the seed, the threads and the word map.
    #[command(flatten)]
    pub flags: PlayFlags,
    /// The tables of players that name none.
    #[command(flatten)]
    pub tables: TableFlags,
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
