//! The flags of `bench`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use tilewright_engine::pre_endgame::MAX_BAG;

use crate::flags::PlayFlags;

/// `bench`, alone or with what it measures.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct BenchArguments {
    /// What to measure in place of playing speed.
    #[command(subcommand)]
    pub verb: Option<BenchVerb>,
    /// The flags of `bench` alone.
    #[command(flatten)]
    pub speed: SpeedArguments,
}

/// What `bench` measures in place of playing speed.
#[derive(Debug, Subcommand)]
pub enum BenchVerb {
    /// CPU time of each feature of moves, on positions of self-play
    Features(FeaturesArguments),
    /// CPU time of endgame solving, and the errors of the fast evaluator and of static play against the solutions
    Endgames(EndgamesArguments),
    /// CPU time of pre-endgames, and how often the chosen moves win compared with the static ones
    PreEndgames(PreEndgamesArguments),
}

/// What every measurement needs.
#[derive(Debug, Args)]
pub struct BenchFlags {
    /// The game, the seed, the threads and the word map.
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Player of the games: greedy, leave, leave:PATH, leave+pool+late:PATH, …
    #[arg(long, value_name = "PLAYER", default_value = "greedy")]
    pub player: String,
    /// Also write the table as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// `bench`.
#[derive(Debug, Args)]
pub struct SpeedArguments {
    /// Game, player and file.
    #[command(flatten)]
    pub bench: BenchFlags,
    /// Repeats of each measurement; the table has the best and the median
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeats: u32,
}

/// `bench features`.
#[derive(Debug, Args)]
pub struct FeaturesArguments {
    /// Game, player and file.
    #[command(flatten)]
    pub bench: BenchFlags,
    /// Games that the positions come from
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub games: u64,
}

/// `bench endgames`.
#[derive(Debug, Args)]
pub struct EndgamesArguments {
    /// Game, player and file.
    #[command(flatten)]
    pub bench: BenchFlags,
    /// Endgames to solve; each begins when the bag is empty
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub count: u64,
    /// Stop each search after N positions; an endgame that needs more stays unsolved
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
}

/// `bench pre-endgames`.
#[derive(Debug, Args)]
pub struct PreEndgamesArguments {
    /// Game, player and file.
    #[command(flatten)]
    pub bench: BenchFlags,
    /// Pre-endgames to calculate
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub count: u64,
    /// Tiles in the bag
    #[arg(long, value_name = "TILES", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_BAG as u64))]
    pub bag: u64,
}
