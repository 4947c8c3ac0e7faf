//! The flags of `win-percentage`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use crate::flags::{BuildFlag, JsonFlag, PlayFlags, ReadFlags, RunFlags, TableFlags, player_named};
use tilewright_engine::PlayerSpec;

#[derive(Debug, Subcommand)]
pub enum WinPercentageVerb {
    /// Train a network of win probabilities from self-play, and write its table
    Train(WinPercentageTrainArguments),
    /// Score tables on held-out games
    Eval(WinPercentageEvalArguments),
    /// Print win probabilities by lead and tiles left
    Show(WinPercentageShowArguments),
    /// Write a table for other tools: Macondo's .csv or MAGPIE's .txt
    Export(WinPercentageExportArguments),
}

#[derive(Debug, Args)]
pub struct WinPercentageTrainArguments {
    #[command(flatten)]
    pub flags: PlayFlags,
    #[command(flatten)]
    pub files: TableFlags,
    /// Config to start from. Other flags override it [default: configs/win-percentage/default.toml]
    #[arg(value_name = "CONFIG")]
    pub config: Option<PathBuf>,
    /// Self-play games to learn from [default: of the config]
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Held-out games to score the tables on [default: of the config]
    #[arg(long, value_name = "N")]
    pub held_out_games: Option<u64>,
    /// Static player of both sides [default: leave, or network with --network]
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<PlayerSpec>)]
    pub player: Option<PlayerSpec>,
    #[command(flatten)]
    pub run: RunFlags,
}

#[derive(Debug, Args)]
pub struct WinPercentageEvalArguments {
    #[command(flatten)]
    pub flags: PlayFlags,
    #[command(flatten)]
    pub files: TableFlags,
    /// Tables. The first is compared with the others: artefact folders, files of this or other tools (Macondo,
    /// MAGPIE, Quackle), embedded, or scaled (from the tile set alone) [default: embedded, scaled]
    #[arg(value_name = "TABLE")]
    pub tables: Vec<String>,
    /// Self-play games to score them on
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(2..=1_000_000_000))]
    pub games: u64,
    /// Static player of both sides [default: leave, or network with --network]
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<PlayerSpec>)]
    pub player: Option<PlayerSpec>,
    /// Store the games in this folder, and reuse the games that it has
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    #[command(flatten)]
    pub build: BuildFlag,
    /// Also write the figures as JSON to a new file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct WinPercentageShowArguments {
    #[command(flatten)]
    pub flags: ReadFlags,
    /// Table: an artefact folder, a file of this or another tool, embedded, or scaled [default: embedded]
    #[arg(value_name = "TABLE")]
    pub table: Option<String>,
    /// Also write the output to a new file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Debug, Args)]
pub struct WinPercentageExportArguments {
    #[command(flatten)]
    pub flags: ReadFlags,
    /// Table: an artefact folder, a file of this or another tool, embedded, or scaled
    #[arg(value_name = "TABLE")]
    pub table: String,
    /// Format to write [default: macondo for a .csv, magpie for a .txt]
    #[arg(long, value_enum)]
    pub format: Option<WinPercentageFormat>,
    /// New file to write, gzipped if its name ends in .gz
    #[arg(long, value_name = "FILE")]
    pub save: PathBuf,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, schemars::JsonSchema, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum WinPercentageFormat {
    /// CSV by spread and unseen tiles
    Macondo,
    /// Counts of wins by unseen tiles and spread
    Magpie,
    /// This project's own format: in full, by bag and both racks
    Full,
}
