//! The flags of `export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::flags::{CommonFlags, JsonFlag};

#[derive(Debug, Args)]
pub struct ExportArguments {
    /// The run: a folder of selfplay, match --out or --games-out, leaves train, evolve, td, network train, win-percentage train or experiment
    /// run, or a file of match --pairs-out or network eval --json
    #[arg(value_name = "RUN", required_unless_present = "dictionary")]
    pub run: Option<PathBuf>,
    /// New folder for the tables and schema.json
    #[arg(long, value_name = "DIR", required_unless_present = "dictionary")]
    pub out: Option<PathBuf>,
    /// Format of the tables
    #[arg(long, value_name = "FORMAT", default_value = "parquet")]
    pub format: TableFormat,
    /// Print the data dictionary: every table with its columns, types, units and points of view
    #[arg(long, conflicts_with_all = ["run", "out", "json"])]
    pub dictionary: bool,
    /// The game; runs name their own tile set, and need no lexicon.
    #[command(flatten)]
    pub flags: CommonFlags,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// Parquet; the metadata of each file name the run
    Parquet,
    /// Comma-separated values with a line of names
    Csv,
    /// Arrays for NumPy, one per column; columns of features or unseen tiles are one matrix with an array of their names
    Npz,
}
