//! The flags of `work match`. The comments on fields are the texts of `--help`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tilewright_train::stored_match::spec::Hypotheses;

use super::process::ProcessFlags;
use crate::flags::duration;
use crate::matches::flags::{ErrorRates, MAX_PAIRS};

/// `work match`.
#[derive(Debug, Args)]
pub struct QueueArguments {
    /// Folder of the queue, which all machines see. Without candidates and --work, print the table of its candidates
    #[arg(long, value_name = "DIR")]
    pub queue: PathBuf,
    /// Candidates to add: players as match takes them, such as linear:FILE, leave:PATH or network:PATH. Workers find their files under the
    /// same names
    #[arg(value_name = "CANDIDATE", conflicts_with = "work")]
    pub candidates: Vec<String>,
    /// What all candidates have in common.
    #[command(flatten)]
    pub settings: SettingsFlags,
    /// Work: play pairs of the candidates whose tests are expected to end first, until all tests are decided. Start as many workers as you
    /// like, on any machine; candidates may be added meanwhile
    #[arg(long)]
    pub work: bool,
    /// With --work: begin no piece after this time, such as 10m
    #[arg(long = "for", value_name = "TIME", value_parser = duration, requires = "work", conflicts_with = "stay")]
    pub time: Option<Duration>,
    /// With --work: when all tests are decided, wait for more candidates, until Ctrl-C
    #[arg(long, requires = "work")]
    pub stay: bool,
    /// The flags of the process.
    #[command(flatten)]
    pub process: ProcessFlags,
}

/// What all candidates of a queue have in common. The first call that adds candidates decides it.
#[derive(Debug, Args)]
pub struct SettingsFlags {
    /// Baseline against which every candidate plays; needed when the queue is made
    #[arg(long, value_name = "PLAYER")]
    pub player_b: Option<String>,
    /// Win rates of the candidate in percent, between which the sequential test of each decides [default: 50:51]
    #[arg(long, visible_alias = "sprt", value_name = "H0:H1")]
    pub sequential: Option<Hypotheses>,
    /// The error rates of the tests.
    #[command(flatten)]
    pub rates: ErrorRates,
    /// The most pairs of each candidate [default: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_PAIRS))]
    pub pairs: Option<u64>,
    /// Seed of the deals, which are the same for all candidates [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Word list: enable2k (embedded), or a .txt, .txt.gz or .kwg file
    #[arg(long, value_name = "NAME|FILE")]
    pub lexicon: Option<String>,
    /// Tile set, as match takes it
    #[arg(long, value_name = "NAME|FILE")]
    pub tileset: Option<String>,
}
