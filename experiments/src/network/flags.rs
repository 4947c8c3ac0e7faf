//! The flags of `network`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::flags::PlayFlags;

/// `network`.
#[derive(Debug, Subcommand)]
pub enum NetworkVerb {
    /// Train a small network on the simulated gains of candidate moves
    Train(NetworkTrainArguments),
}

/// `network train`.
#[derive(Debug, Args)]
pub struct NetworkTrainArguments {
    /// Config of the run: a TOML file as in configs/networks [default: configs/networks/small.toml, built in]
    #[arg(value_name = "CONFIG")]
    pub config: Option<PathBuf>,
    /// The game, the seed, the threads and the word map.
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Leave table of the features, and of the player that makes the labels if it is a leave player; overrides the config
    #[arg(long, value_name = "PATH")]
    pub leaves: Option<PathBuf>,
    /// Games whose positions are labelled; overrides the config
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Folder of the run; rerun the command to resume [default: a new folder in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
