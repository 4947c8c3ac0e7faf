//! The flags of `leaves`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use tilewright_train::leaves::budget::Budget;
use tilewright_train::leaves::shards::Part;

use crate::flags::{GameArguments, RunArguments, SearchArguments};
use crate::matches::flags::{ErrorRates, Hypotheses, read_hypotheses};

/// Verbs on leave tables.
#[derive(Debug, Subcommand)]
pub enum LeavesVerb {
    /// Train a leave table from nothing
    Train(LeavesTrainArguments),
    /// Say by games whether a table is better than another, or than none
    Evaluate(LeavesEvaluateArguments),
    /// Values, support and intervals of leaves
    Show(LeavesShowArguments),
    /// One HTML page of a table: values, synergies, support, warnings, and a search
    Report(LeavesReportArguments),
    /// How far two tables differ
    Diff(LeavesDiffArguments),
    /// Write a table as .klv2 or .csv
    Export(LeavesExportArguments),
}

/// `leaves train`.
#[derive(Debug, Args)]
pub struct LeavesTrainArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// A config to start from; the other flags override it [default: configs/leaves/default.toml]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How much work: CPU time such as 90s, 5m or 2h, games=N or boards=N; the generations keep their shares of it
    #[arg(long, value_name = "BUDGET")]
    pub budget: Option<Budget>,
    /// Make only shards K, K + N, … of the last generation, and stop: one machine's part of N
    #[arg(long, value_name = "K/N", value_parser = part)]
    pub part: Option<Part>,
    /// Pairs of the closing match against no leaves; 0 for none
    #[arg(long, value_name = "N")]
    pub match_pairs: Option<u64>,
    /// The folder for the table and its report; started again there, the run goes on [default: a new one in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `leaves evaluate`.
#[derive(Debug, Args)]
pub struct LeavesEvaluateArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// The table: an artefact folder, a .klv2 or a .csv
    #[arg(value_name = "TABLE")]
    pub table: String,
    /// What it has to beat: greedy, which has no leave values, leave, which has the embedded table, or another table
    #[arg(long, value_name = "TABLE|PLAYER", default_value = "greedy")]
    pub against: String,
    /// The most pairs of games; the test nearly always ends far sooner
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub pairs: u64,
    /// Play until one win rate of the table is believed over the other, in percent
    #[arg(long, visible_alias = "sprt", value_name = "H0:H1", default_value = "50:51", value_parser = read_hypotheses)]
    pub sequential: Hypotheses,
    /// How sure to be.
    #[command(flatten)]
    pub rates: ErrorRates,
    /// Also write the figures as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// `leaves show`.
#[derive(Debug, Args)]
pub struct LeavesShowArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// Leaves to show; ? is a blank
    #[arg(required = true)]
    pub leaves: Vec<String>,
    /// The table: an artefact folder, a .klv2 or a .csv [default: the newest artefact in runs, else the embedded table]
    #[arg(long, value_name = "PATH")]
    pub table: Option<PathBuf>,
    /// Also write what is printed to this file; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `leaves report`.
#[derive(Debug, Args)]
pub struct LeavesReportArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The table: an artefact folder, a .klv2 or a .csv [default: the newest artefact in runs, else the embedded table]
    pub table: Option<PathBuf>,
    /// The page to write; never overwritten [default: beside the table, with its name; leaves-report.html for the embedded one]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `leaves diff`.
#[derive(Debug, Args)]
pub struct LeavesDiffArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The one table: an artefact folder, a .klv2 or a .csv
    pub a: PathBuf,
    /// The other
    pub b: PathBuf,
    /// Largest differences to show
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub top: usize,
    /// Also write what is printed to this file; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `leaves export`.
#[derive(Debug, Args)]
pub struct LeavesExportArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The table: an artefact folder, a .klv2 or a .csv
    pub table: PathBuf,
    /// The form to write [default: by the name of --out]
    #[arg(long, value_enum)]
    pub format: Option<LeavesFormat>,
    /// The file to write; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Forms of a leave table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LeavesFormat {
    /// The format of wolges, Macondo and MAGPIE
    Klv2,
    /// LEAVE,VALUE a line
    Csv,
}

/// `K/N` as one part of several.
fn part(text: &str) -> Result<Part, String> {
    let read = || {
        let (number, of) = text.split_once('/')?;
        let (number, of): (u64, u64) = (number.parse().ok()?, of.parse().ok()?);
        (1..=of).contains(&number).then(|| Part { index: number - 1, of })
    };
    read().ok_or_else(|| "a part is K/N with K from 1 to N, such as 2/3".into())
}
