//! The flags of `report`.

use std::path::PathBuf;

use clap::Args;
use tilewright_train::stored_match::spec::Hypotheses;

use crate::flags::{GameFlags, JsonFlag};

#[derive(Debug, Args)]
pub struct ReportArguments {
    /// The run: a folder of match --out, match --games-out, selfplay, evolve, td, linear fit, network train, leaves train, win-percentage train or experiment run
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// The page; never overwritten [default: RUN.html]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Matches: draw the sequential test of these win rates of player A, in percent, with error rates of 5 %; 50:51 without a value
    #[arg(long, visible_alias = "sprt", value_name = "H0:H1", num_args = 0..=1, default_missing_value = "50:51")]
    pub sequential: Option<Hypotheses>,
    /// While the run goes on, write the page again after each interval, 5 without a value; the page loads itself again until the run is finished
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "5", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub watch: Option<u64>,
    /// The game of records whose tile set is not in the program.
    #[command(flatten)]
    pub game: GameFlags,
    #[command(flatten)]
    pub json: JsonFlag,
}
