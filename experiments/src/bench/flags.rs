//! The flags of `bench`.

use std::path::PathBuf;

use clap::Args;
use tilewright_engine::pre_endgame::MOST_BAG;

use crate::flags::{GameArguments, RunArguments, SearchArguments};

/// `bench`.
#[derive(Debug, Args)]
pub struct BenchArguments {
    /// What is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
    /// How to find words.
    #[command(flatten)]
    pub search: SearchArguments,
    /// Who plays: greedy, leave, leave:PATH, leave+pool+late:PATH, …
    #[arg(long, value_name = "PLAYER", default_value = "greedy")]
    pub player: String,
    /// How often each is measured; the table has the best and the median
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeats: u32,
    /// Instead, solve so many endgames of its games from the moment that the bag is empty, and tell what they cost and how
    /// far off the fast evaluator and a static play-out are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub endgames: Option<u64>,
    /// With --endgames and an empty bag: positions to look at for one endgame at most; those that need more are not solved
    #[arg(long, value_name = "N", requires = "endgames", conflicts_with = "bag")]
    pub nodes: Option<u64>,
    /// With --endgames: positions with so many tiles in the bag, calculated as pre-endgames; tells what they cost, and how often the
    /// chosen moves win beside the static ones
    #[arg(long, value_name = "TILES", requires = "endgames", default_value_t = 0, value_parser = bag_tiles)]
    pub bag: u64,
    /// Instead, tell what each feature of moves costs, on the positions of so many of its games
    #[arg(long, value_name = "GAMES", num_args = 0..=1, default_missing_value = "20", conflicts_with = "endgames", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub features: Option<u64>,
    /// Also write the table as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Tiles that a bag may hold in a pre-endgame, or none.
fn bag_tiles(text: &str) -> Result<u64, String> {
    let tiles = text.parse().ok().filter(|&tiles| tiles <= MOST_BAG as u64);
    tiles.ok_or_else(|| format!("a number from 0 to {MOST_BAG}"))
}
