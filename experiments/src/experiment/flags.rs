//! The flags of `experiment`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::flags::{BuildFlag, JsonFlag};

#[derive(Debug, Subcommand)]
pub enum ExperimentVerb {
    /// List the studies: the question of each, and the result of its stored full run
    List {
        /// Print the tables of the literature instead, as Markdown: whether each is reproduced, and why not
        #[arg(long)]
        tables: bool,
        #[command(flatten)]
        json: JsonFlag,
    },
    /// Run studies, and compare their figures with published ones
    Run(ExperimentRunArguments),
    /// Print the result of the stored full run of a study, or of a run of your own
    Show {
        /// Name of a study (experiment list), or the folder of a run
        #[arg(value_name = "NAME|DIR")]
        name: String,
        #[command(flatten)]
        json: JsonFlag,
    },
}

#[derive(Debug, Args)]
pub struct ExperimentRunArguments {
    /// Studies, by name (experiment list) or as TOML files (configs/studies). Paths in a file are from the current folder
    #[arg(value_name = "NAME", required_unless_present = "all")]
    pub names: Vec<String>,
    /// Run every study
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Run the quick size, which takes a minute or two for each study, instead of the full one, which takes up to hours
    #[arg(long)]
    pub quick: bool,
    /// Threads to use, without effect on the result [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print no progress and no warnings
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub build: BuildFlag,
    /// Folder for a folder of each study, NAME-quick or NAME-full. To resume, rerun the command [default: in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub json: JsonFlag,
}
