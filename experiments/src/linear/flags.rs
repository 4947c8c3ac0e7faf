//! The flags of `linear`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use tilewright_train::candidates::CandidateConfig;

use crate::flags::{PlayFlags, RunFlags, TableFlags};

/// `linear`.
#[derive(Debug, Subcommand)]
pub enum LinearVerb {
    /// Fit feature weights by least squares to the simulated gains of candidate moves
    Fit(LinearFitArguments),
}

/// `linear fit`.
#[derive(Debug, Args)]
pub struct LinearFitArguments {
    /// Config of the run: a TOML file as in configs/linear-fit [default: configs/linear-fit/default.toml, built in]
    #[arg(value_name = "CONFIG")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub fit: FitFlags,
}

/// What fits to candidate sets have in common.
#[derive(Debug, Args)]
pub struct FitFlags {
    #[command(flatten)]
    pub flags: PlayFlags,
    /// The tables of the players that make the labels if they name none; --leaves is that of the features too.
    #[command(flatten)]
    pub tables: TableFlags,
    /// Games whose positions are labelled; overrides the config
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Folder of candidate sets that runs share: sets that are there are used, missing ones are added [default: candidates in the
    /// folder of the run]
    #[arg(long, value_name = "DIR")]
    pub candidates: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunFlags,
}

impl FitFlags {
    /// The flags of the game, with the tables of players that name none.
    pub fn play_flags(&self) -> PlayFlags {
        self.flags.with_tables(&self.tables)
    }

    /// Overrides the leave table and the labels of a config.
    pub fn apply(&self, leaves: &mut Option<PathBuf>, games: &mut u64, candidates: &mut CandidateConfig) {
        *games = self.games.unwrap_or(*games);
        *leaves = self.tables.leaves.clone().or(leaves.take());
        let CandidateConfig { player, policy, horizon, .. } = candidates;
        self.tables.name_in([player].into_iter().chain(policy).chain(horizon));
    }
}
