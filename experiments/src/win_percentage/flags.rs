//! The flags of `win-percentage`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::flags::{GameArguments, RunArguments, SearchArguments};

/// Verbs on win tables.
#[derive(Debug, Subcommand)]
pub enum WinPercentageVerb {
    /// Train a network of the chance of winning from self-play, and make its table
    Train(WinPercentageTrainArguments),
    /// Score tables on games that none of them saw
    Eval(WinPercentageEvalArguments),
    /// Chances by lead and tiles left
    Show(WinPercentageShowArguments),
    /// Write a table for other tools: Macondo's .csv or MAGPIE's .txt
    Export(WinPercentageExportArguments),
}

/// `win-percentage train`.
#[derive(Debug, Args)]
pub struct WinPercentageTrainArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// A config to start from; the other flags override it [default: configs/win-percentage/default.toml]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Self-play games to learn from
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Games to score the tables on
    #[arg(long, value_name = "N")]
    pub held_out_games: Option<u64>,
    /// Who plays both sides, a static player [default: leave where the embedded table fits, else greedy]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// The folder for the table and its report; started again there, the run goes on [default: a new one in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `win-percentage eval`.
#[derive(Debug, Args)]
pub struct WinPercentageEvalArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// Tables, the first of which is compared with the others: artefact folders, files of this or other tools (Macondo, MAGPIE,
    /// Quackle), embedded, or scaled (from the tile set alone) [default: embedded, scaled]
    #[arg(value_name = "TABLE")]
    pub tables: Vec<String>,
    /// Self-play games to score them on
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(2..=1_000_000_000))]
    pub games: u64,
    /// Who plays both sides, a static player [default: leave where the embedded table fits, else greedy]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// Keep the games in this folder as they are played, and take those that are there
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Also write the figures as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// `win-percentage show`.
#[derive(Debug, Args)]
pub struct WinPercentageShowArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The table: an artefact folder, a file of this or another tool, embedded, or scaled [default: embedded]
    #[arg(value_name = "TABLE")]
    pub table: Option<String>,
    /// Also write what is printed to this file; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `win-percentage export`.
#[derive(Debug, Args)]
pub struct WinPercentageExportArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// The table: an artefact folder, a file of this or another tool, embedded, or scaled
    #[arg(value_name = "TABLE")]
    pub table: String,
    /// The form to write [default: macondo for a .csv, magpie for a .txt]
    #[arg(long, value_enum)]
    pub format: Option<WinPercentageFormat>,
    /// The file to write, gzipped if it is called .gz; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Forms of a win table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WinPercentageFormat {
    /// CSV by spread and unseen tiles
    Macondo,
    /// Counts of wins by unseen tiles and spread
    Magpie,
    /// This project's own: in full, by bag and both racks
    Full,
}
