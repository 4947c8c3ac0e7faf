//! The flags of `network`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::linear::flags::FitFlags;

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
    /// The labels and the run.
    #[command(flatten)]
    pub fit: FitFlags,
}
