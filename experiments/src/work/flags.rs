//! The flags of `work`. The comments on fields are the texts of `--help`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Subcommand};
use serde::Serialize;
use tilewright_train::stored_match::spec::Hypotheses;

use crate::flags::{BuildFlag, JsonFlag, duration};
use crate::matches::request::{ErrorRates, MAX_PAIRS};

#[derive(Debug, Subcommand)]
pub enum WorkVerb {
    /// Write the folder of a job: its command, its inputs, and the shards of its first stage
    Plan(PlanArguments),
    /// Make shards of the stage in work, or stay until the job is finished, and merge too
    Run(RunArguments),
    /// Put the shards of the stage together, and begin the next stage or finish the job
    Merge(MergeArguments),
    /// Show the finished, running and failed shards, their cost, and the time that the stage takes
    Status(StatusArguments),
    /// A queue of candidates that play sequential matches against a baseline: add candidates, work, or show the table
    Match(Box<QueueArguments>),
}

#[derive(Debug, Args)]
pub struct PlanArguments {
    /// Config whose command the job runs: a file, or an embedded one with its folder, such as leaves/default (config list)
    #[arg(value_name = "CONFIG")]
    pub config: Option<PathBuf>,
    /// New folder for the job
    #[arg(long, value_name = "JOB")]
    pub out: PathBuf,
    /// Flags to add to the command. Without CONFIG, the whole command, such as: -- selfplay --games 100000
    #[arg(last = true, value_name = "FLAGS")]
    pub more: Vec<String>,
    #[command(flatten)]
    pub process: ProcessFlags,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("which").required(true).args(["shard", "next", "stay"])))]
pub struct RunArguments {
    /// Folder of the job
    #[arg(value_name = "JOB")]
    pub job: PathBuf,
    /// Shard to make, by number from 0. A finished shard is not made again. May be repeated
    #[arg(long, value_name = "I", num_args = 1..)]
    pub shard: Vec<usize>,
    /// Make a shard that nobody is making
    #[arg(long)]
    pub next: bool,
    /// With --next: begin more shards until this time is over, such as 10m [default: one shard]
    #[arg(long = "for", value_name = "TIME", value_parser = duration, requires = "next")]
    pub time: Option<Duration>,
    /// Make shards of this stage and the next ones until the job is finished. Several such workers, here or on other machines, share the job:
    /// those that find no shard wait, and one of them merges
    #[arg(long)]
    pub stay: bool,
    #[command(flatten)]
    pub accepted: Accepted,
    #[command(flatten)]
    pub process: ProcessFlags,
}

#[derive(Debug, Args)]
pub struct MergeArguments {
    /// Folder of the job
    #[arg(value_name = "JOB")]
    pub job: PathBuf,
    /// Copies of the job's folder in which other machines made shards [default: none]
    #[arg(long, value_name = "JOB", num_args = 1..)]
    pub from: Vec<PathBuf>,
    #[command(flatten)]
    pub accepted: Accepted,
    #[command(flatten)]
    pub process: ProcessFlags,
}

/// Permissions for a job that somebody else may have made.
#[derive(Clone, Copy, Debug, Args)]
pub struct Accepted {
    #[command(flatten)]
    pub build: BuildFlag,
    /// Start the programs that the job names as players (stdio:, tcp:). They run with your rights
    #[arg(long)]
    pub allow_programs: bool,
}

#[derive(Debug, Args)]
pub struct StatusArguments {
    /// Folder of the job
    #[arg(value_name = "JOB")]
    pub job: PathBuf,
    #[command(flatten)]
    pub json: JsonFlag,
}

/// Flags of every verb that runs the command of a job.
#[derive(Debug, Args)]
pub struct ProcessFlags {
    /// Threads to use, without effect on the result [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print no progress and no warnings
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Debug, Args)]
pub struct QueueArguments {
    /// Folder of the queue, which all machines see. Without candidates and --work, print the table of its candidates
    #[arg(long, value_name = "DIR")]
    pub queue: PathBuf,
    /// Candidates to add: players as match takes them, such as linear:FILE, leave:PATH or network:PATH. Workers find their files under the
    /// same names
    #[arg(value_name = "CANDIDATE", conflicts_with = "work")]
    pub candidates: Vec<String>,
    /// The common settings of all candidates.
    #[command(flatten)]
    pub settings: SettingsFlags,
    /// Work: play pairs of the candidates whose tests are expected to end first, until all tests are decided. Start any
    /// number of workers, on any machine. Candidates may be added meanwhile
    #[arg(long)]
    pub work: bool,
    /// With --work: begin no shard after this time, such as 10m [default: no limit]
    #[arg(long = "for", value_name = "TIME", value_parser = duration, requires = "work", conflicts_with = "stay")]
    pub time: Option<Duration>,
    /// With --work: when all tests are decided, wait for more candidates, until Ctrl-C
    #[arg(long, requires = "work")]
    pub stay: bool,
    #[command(flatten)]
    pub accepted: Accepted,
    #[command(flatten)]
    pub process: ProcessFlags,
}

/// The common settings of all candidates of a queue. The first call that adds candidates decides them.
#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SettingsFlags {
    /// Baseline against which every candidate plays. A new queue needs it
    #[arg(long, value_name = "PLAYER")]
    pub player_b: Option<String>,
    /// Win rates of the candidate in percent, between which the sequential test of each decides [default: 50:51]
    #[arg(long, visible_alias = "sprt", value_name = "H0:H1")]
    pub sequential: Option<Hypotheses>,
    #[command(flatten)]
    #[serde(flatten)]
    pub rates: ErrorRates,
    /// The most pairs of each candidate [default: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_PAIRS))]
    pub pairs: Option<u64>,
    /// Seed of the deals, which are the same for all candidates [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Word list: enable2k (embedded), or a text (also as .gz, .xz or .zip) or a .kwg file [default: of the config or the artefact,
    /// otherwise enable2k]
    #[arg(long, value_name = "NAME|FILE")]
    pub lexicon: Option<String>,
    /// Tile set, as match takes it
    #[arg(long, value_name = "NAME|FILE")]
    pub tileset: Option<String>,
}
