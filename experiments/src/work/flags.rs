//! The flags of `work`. The comments on fields are the texts of `--help`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Subcommand};

use crate::flags::{JsonFlag, duration};

mod process;
pub mod queue;

pub use process::ProcessFlags;
use queue::QueueArguments;

/// `work`.
#[derive(Debug, Subcommand)]
pub enum WorkVerb {
    /// Write the folder of a job: its command, its inputs, and the pieces of its first stage
    Plan(PlanArguments),
    /// Make pieces of the stage in work; or stay until the job is finished, and merge too
    Run(RunArguments),
    /// Put the pieces of the stage together, and begin the next stage or finish the job
    Merge(MergeArguments),
    /// Show what is done, running and failed, what it cost, and how long the stage takes
    Status(StatusArguments),
    /// A queue of candidates that play sequential matches against a baseline: add candidates, work, or show the table
    Match(Box<QueueArguments>),
}

/// `work plan`.
#[derive(Debug, Args)]
pub struct PlanArguments {
    /// Config whose command the job runs: a file, or an embedded one with its folder, such as leaves/default (config list)
    #[arg(value_name = "CONFIG")]
    pub config: Option<PathBuf>,
    /// Folder of the job; it must be new
    #[arg(long, value_name = "JOB")]
    pub out: PathBuf,
    /// Flags that are added to the command; without CONFIG, the whole command, such as: -- selfplay --games 100000
    #[arg(last = true, value_name = "FLAGS")]
    pub more: Vec<String>,
    /// The flags of the process.
    #[command(flatten)]
    pub process: ProcessFlags,
}

/// `work run`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("which").required(true).args(["shard", "next", "stay"])))]
pub struct RunArguments {
    /// Folder of the job
    #[arg(value_name = "JOB")]
    pub job: PathBuf,
    /// Piece to make, by number from 0; a piece that is there is not made again. May be repeated
    #[arg(long, value_name = "I", num_args = 1..)]
    pub shard: Vec<u64>,
    /// Make a piece that nobody is making
    #[arg(long)]
    pub next: bool,
    /// With --next: begin more pieces until this time is over, such as 10m
    #[arg(long = "for", value_name = "TIME", value_parser = duration, requires = "next")]
    pub time: Option<Duration>,
    /// Make pieces of this stage and the next ones until the job is finished. Several such workers, here or on other machines, share the job:
    /// those that find no piece wait, and one of them merges
    #[arg(long)]
    pub stay: bool,
    /// The flags of the process.
    #[command(flatten)]
    pub process: ProcessFlags,
}

/// `work merge`.
#[derive(Debug, Args)]
pub struct MergeArguments {
    /// Folder of the job
    #[arg(value_name = "JOB")]
    pub job: PathBuf,
    /// Copies of the job's folder in which other machines made pieces
    #[arg(long, value_name = "JOB", num_args = 1..)]
    pub from: Vec<PathBuf>,
    /// The flags of the process.
    #[command(flatten)]
    pub process: ProcessFlags,
}

/// `work status`.
#[derive(Debug, Args)]
pub struct StatusArguments {
    /// Folder of the job
    #[arg(value_name = "JOB")]
    pub job: PathBuf,
    /// The file for the result.
    #[command(flatten)]
    pub json: JsonFlag,
}
