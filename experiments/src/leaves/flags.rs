//! The flags of `leaves`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use tilewright_train::leaves::config::Budget;
use tilewright_train::stored_match::spec::Hypotheses;

use crate::flags::{JsonFlag, PlayFlags, ReadFlags, RunFlags};
use crate::matches::request::ErrorRates;

#[derive(Debug, Subcommand)]
pub enum LeavesVerb {
    /// Train a leave table from scratch
    Train(LeavesTrainArguments),
    /// Test in paired games whether a table is better than another, or than none
    Eval(LeavesEvaluateArguments),
    /// Print values, support and intervals of leaves
    Show(LeavesShowArguments),
    /// Write an HTML page about a table: values, synergies, support, warnings, and a search
    Report(LeavesReportArguments),
    /// Compare two tables
    Diff(LeavesDiffArguments),
    /// Write a table as .klv2 or .csv
    Export(LeavesExportArguments),
}

#[derive(Debug, Args)]
pub struct LeavesTrainArguments {
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Config to start from. Other flags override it [default: configs/leaves/default.toml]
    #[arg(value_name = "CONFIG")]
    pub config: Option<PathBuf>,
    /// Amount of work: CPU time such as 90s, 5m or 2h, or games=N. It is divided among the generations as in the config
    /// [default: the games of the config]
    #[arg(long, value_name = "BUDGET")]
    pub budget: Option<Budget>,
    /// Pairs of the closing match against no-leaves, or 0 for no match [default: of the config]
    #[arg(long, value_name = "N")]
    pub match_pairs: Option<u64>,
    #[command(flatten)]
    pub run: RunFlags,
}

#[derive(Debug, Args)]
pub struct LeavesEvaluateArguments {
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Table: an artefact folder, a .klv2, a .csv, or embedded
    #[arg(value_name = "TABLE")]
    pub table: String,
    /// Opponent: no-leaves (the same player without a table), leave (the embedded table), greedy, or another table
    #[arg(long, value_name = "TABLE|PLAYER", default_value = "no-leaves")]
    pub against: String,
    /// Maximum number of pairs. The test nearly always ends far earlier
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub pairs: u64,
    /// Stop when the sequential test accepts one of these win rates of the table, in percent
    #[arg(long, visible_alias = "sprt", value_name = "H0:H1", default_value = "50:51")]
    pub sequential: Hypotheses,
    #[command(flatten)]
    pub rates: ErrorRates,
    /// Also write the figures as JSON to a new file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct LeavesShowArguments {
    #[command(flatten)]
    pub flags: ReadFlags,
    /// Leaves to print, with ? for a blank
    #[arg(required_unless_present = "balances")]
    pub leaves: Vec<String>,
    /// Also print mean values by vowels and consonants, for leaves without a blank
    #[arg(long)]
    pub balances: bool,
    /// Table: an artefact folder, a .klv2, a .csv, or embedded
    /// [default: the newest artefact in runs for the game of the flags, else embedded]
    #[arg(long, value_name = "PATH")]
    pub table: Option<PathBuf>,
    /// Also write the output to a new file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Debug, Args)]
pub struct LeavesReportArguments {
    #[command(flatten)]
    pub flags: ReadFlags,
    /// Table: an artefact folder, a .klv2, a .csv, or embedded
    /// [default: the newest artefact in runs for the game of the flags, else embedded]
    pub table: Option<PathBuf>,
    /// New file for the page [default: next to the table, with its name; leaves-report.html for the embedded table]
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Debug, Args)]
pub struct LeavesDiffArguments {
    #[command(flatten)]
    pub flags: ReadFlags,
    /// First table: an artefact folder, a .klv2, a .csv, or embedded
    pub a: PathBuf,
    /// Second table
    pub b: PathBuf,
    /// Largest differences to print
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub top: usize,
    /// Also write a page with charts, tiles, pairs and the 200 differences that matter most to a new file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Also write the output to a new file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Debug, Args)]
pub struct LeavesExportArguments {
    #[command(flatten)]
    pub flags: ReadFlags,
    /// Table: an artefact folder, a .klv2, a .csv, or embedded
    pub table: PathBuf,
    /// Format to write [default: by the extension of --save]
    #[arg(long, value_enum)]
    pub format: Option<LeavesFormat>,
    /// New file to write, gzipped if its name ends in .gz
    #[arg(long, value_name = "FILE")]
    pub save: PathBuf,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, schemars::JsonSchema, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum LeavesFormat {
    /// The format of wolges, Macondo and MAGPIE
    Klv2,
    /// One LEAVE,VALUE per line
    Csv,
}
