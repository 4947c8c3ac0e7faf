//! The flags of `selfplay`.

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::flags::{PlayFlags, RunFlags, TableFlags};
use tilewright_engine::player::PlayerSpec;

/// `selfplay`.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfplayArguments {
    #[command(flatten)]
    pub flags: PlayFlags,
    /// The tables of players that name none; the leave table is also that of the features.
    #[command(flatten)]
    pub tables: TableFlags,
    /// Games to play
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// Player of both sides: greedy, leave, leave:PATH, leave+pool+late:PATH, … [default: leave, or network with --network]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<PlayerSpec>,
    /// Another player for the other side; the two take turns to move first
    #[arg(long, value_name = "PLAYER")]
    pub opponent: Option<PlayerSpec>,
    /// Also record the N best moves of some turns as the player ranks them, with features and the board as CGP: a training set. Every game is played
    /// twice for it, so the player must not have a time limit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=500))]
    pub candidates: Option<u32>,
    /// Simulate each of them on N deals, two plies deep; 0 simulates none
    #[arg(long, value_name = "N", requires = "candidates", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pub simulate: u64,
    /// The turns: one in N of each game
    #[arg(long, value_name = "N", requires = "candidates", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub every: u64,
    /// Features of the moves, separated by commas [default: those of the shipped network]
    #[arg(long, value_name = "NAMES", requires = "candidates", value_delimiter = ',')]
    pub features: Vec<String>,
    #[command(flatten)]
    #[serde(skip)]
    pub run: RunFlags,
}
