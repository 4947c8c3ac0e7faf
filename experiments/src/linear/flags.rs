//! The flags of `linear`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use tilewright_engine::player::naming::LEAVE_PLAYERS;
use tilewright_train::candidates::CandidateConfig;
use tilewright_train::journal::RunFolder;

use crate::flags::{JsonFlag, PlayFlags};

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
    /// The labels and the run.
    #[command(flatten)]
    pub fit: FitFlags,
}

/// What fits to candidate sets have in common.
#[derive(Debug, Args)]
pub struct FitFlags {
    /// The game, the seed, the threads and the word map.
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Leave table of the features, and of the players that make the labels if they are leave players; overrides the config
    #[arg(long, value_name = "PATH")]
    pub leaves: Option<PathBuf>,
    /// Games whose positions are labelled; overrides the config
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Folder of candidate sets that runs share: sets that are there are used, missing ones are added [default: candidates in the
    /// folder of the run]
    #[arg(long, value_name = "DIR")]
    pub candidates: Option<PathBuf>,
    /// Folder of the run; rerun the command to resume [default: a new folder in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The file for the result.
    #[command(flatten)]
    pub json: JsonFlag,
}

impl FitFlags {
    /// The folder of the candidate sets of a run in `out`.
    pub fn candidate_folder(&self, out: &Path) -> RunFolder {
        match &self.candidates {
            Some(folder) => RunFolder::chosen_by("--candidates", folder),
            None => RunFolder::chosen_by("--out", out.join("candidates")),
        }
    }

    /// Overrides the leave table and the labels of a config. Players that value leaves alone get the same table.
    pub fn apply(&self, leaves: &mut Option<PathBuf>, games: &mut u64, candidates: &mut CandidateConfig) {
        *games = self.games.unwrap_or(*games);
        if let Some(named) = &self.leaves {
            *leaves = Some(named.clone());
            let CandidateConfig { player, policy, horizon, .. } = candidates;
            for player in [Some(player), policy.as_mut(), horizon.as_mut()].into_iter().flatten() {
                let kind = player.split(':').next().unwrap_or_default();
                if LEAVE_PLAYERS.contains(&kind) {
                    *player = format!("{kind}:{}", named.display());
                }
            }
        }
    }
}
