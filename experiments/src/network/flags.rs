//! The flags of `network`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use tilewright_train::network::config::Processor;

use crate::flags::{BuildFlag, PlayFlags, TableFlags, duration};
use crate::linear::FitFlags;

#[derive(Debug, Subcommand)]
pub enum NetworkVerb {
    /// Train a small network on the simulated gains of candidate moves
    Train(NetworkTrainArguments),
    /// Evaluate a network on held-out games: explained share, forecasts, calibration, and the worth of each input
    Eval(NetworkEvalArguments),
}

fn processor() -> impl TypedValueParser<Value = Processor> {
    PossibleValuesParser::new(["cpu", "gpu"]).map(|name| if name == "gpu" { Processor::Gpu } else { Processor::Cpu })
}

#[derive(Debug, Args)]
pub struct NetworkTrainArguments {
    /// Config of the run: a TOML file as in configs/networks [default: configs/networks/small.toml, built in]
    #[arg(value_name = "CONFIG")]
    pub config: Option<PathBuf>,
    /// CPU time of the whole run over all threads, such as 90s, 30m or 2h, instead of --games. The run measures the cost of
    /// a game and plans its games. Matches in training come on top. To resume with the same games, rerun with the same --out
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "games")]
    pub budget: Option<Duration>,
    /// Device for the steps of the training: the CPU, or a GPU in a build with the feature gpu. Results of a GPU depend on
    /// the GPU and its driver [default: of the config]
    #[arg(long, value_name = "DEVICE", value_parser = processor())]
    pub device: Option<Processor>,
    #[command(flatten)]
    pub fit: FitFlags,
}

#[derive(Debug, Args)]
pub struct NetworkEvalArguments {
    /// Network: an artefact folder, or embedded
    #[arg(value_name = "PATH")]
    pub path: String,
    #[command(flatten)]
    pub flags: PlayFlags,
    #[command(flatten)]
    pub tables: TableFlags,
    /// Held-out games, labelled by the config of the network
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// Store the candidate sets in this folder, and reuse those that it has
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    #[command(flatten)]
    pub build: BuildFlag,
    /// Also write a page with the figures to a new file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Also write the figures as JSON, without the times, to a new file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}
