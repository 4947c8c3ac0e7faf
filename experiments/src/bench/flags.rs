//! The flags of `bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use tilewright_engine::pre_endgame::MAX_BAG;
use tilewright_engine::{Base, Player, PlayerSpec, Setup};

use crate::flags::{GameFlags, PlayFlags, TableFlags, duration};
use crate::{Failure, loading};

/// `bench` with an optional subcommand.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct BenchArguments {
    #[command(subcommand)]
    pub verb: Option<BenchVerb>,
    #[command(flatten)]
    pub speed: SpeedArguments,
}

/// What `bench` measures instead of the playing speed.
#[derive(Debug, Subcommand)]
pub enum BenchVerb {
    /// CPU time of each feature, on positions of self-play
    Features(FeaturesArguments),
    /// CPU time of endgame solving, and the errors of the fast evaluator and of static play against the solutions
    Endgames(EndgamesArguments),
    /// CPU time of pre-endgames, and the win probability of the chosen moves compared with the static ones
    PreEndgames(PreEndgamesArguments),
}

/// The flags of every measurement.
#[derive(Debug, Args)]
pub struct BenchFlags {
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Player of both sides: greedy, leave, leave:PATH, leave+pool+late:PATH, … [default: greedy, which any lexicon has; network with
    /// --network, or leave with --leaves]
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<PlayerSpec>,
    #[command(flatten)]
    pub tables: TableFlags,
    /// Also write the table as JSON; never overwritten
    #[arg(long, alias = "out", value_name = "FILE")]
    pub json: Option<PathBuf>,
}

impl BenchFlags {
    /// The game, with the tables of players that name none.
    pub fn game(&self) -> GameFlags {
        self.flags.common.game.with_tables(&self.tables)
    }

    /// The player of both sides.
    pub fn player(&self, setup: &Setup) -> Result<Player, Failure> {
        let TableFlags { leaves, network, .. } = &self.tables;
        let greedy = PlayerSpec::from(Base::Greedy);
        let default = if network.is_some() || leaves.is_some() { None } else { Some(&greedy) };
        loading::player_or_default(self.player.as_ref().or(default), setup, &self.game())
    }
}

#[derive(Debug, Args)]
pub struct SpeedArguments {
    #[command(flatten)]
    pub bench: BenchFlags,
    /// Repeats of each measurement; the table shows the best and the median
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeats: u32,
}

#[derive(Debug, Args)]
pub struct FeaturesArguments {
    #[command(flatten)]
    pub bench: BenchFlags,
    /// Self-play games from which the positions come
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub games: u64,
}

#[derive(Debug, Args)]
pub struct EndgamesArguments {
    #[command(flatten)]
    pub bench: BenchFlags,
    /// Endgames to solve; each begins when the bag is empty
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub count: u64,
    /// Stop each search after N positions; an endgame that needs more stays unsolved
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Also search each endgame for this CPU time only, and report the points that the moves chosen by then lose, such as 50ms or 2s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
}

#[derive(Debug, Args)]
pub struct PreEndgamesArguments {
    #[command(flatten)]
    pub bench: BenchFlags,
    /// Pre-endgames to solve
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub count: u64,
    /// Tiles in the bag
    #[arg(long, value_name = "TILES", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_BAG as u64))]
    pub bag: u64,
}
