//! The flags of `report`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::JsonFlag;
use crate::matches::flags::{Hypotheses, read_hypotheses};

/// `report`.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// The run: a folder of match --out, evolve, td, network train, leaves train or win-percentage train
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// The page; never overwritten [default: RUN.html]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Matches: draw the sequential test of these win rates of player A, in percent, with error rates of 5 %; 50:51 without a value
    #[arg(long, visible_alias = "sprt", value_name = "H0:H1", num_args = 0..=1, default_missing_value = "50:51", value_parser = read_hypotheses)]
    pub sequential: Option<Hypotheses>,
    /// Print no progress
    #[arg(long, short)]
    pub quiet: bool,
    /// The file for the result.
    #[command(flatten)]
    pub json: JsonFlag,
}
