//! The flags of every verb that runs commands of jobs.

use clap::Args;

use crate::flags::JsonFlag;

/// Flags of every verb that runs the command of a job.
#[derive(Debug, Args)]
pub struct ProcessFlags {
    /// Threads to use; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print no progress and no warnings
    #[arg(long, short)]
    pub quiet: bool,
    /// The file for the result.
    #[command(flatten)]
    pub json: JsonFlag,
}
