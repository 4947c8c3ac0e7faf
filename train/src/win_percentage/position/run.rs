//! The whole run: records in shards that survive a kill, the plain network of their games, and the one that sees positions.

use std::path::{Path, PathBuf};

use thiserror::Error;
use tilewright_engine::artefact::{ArtefactError, MANIFEST, Manifest};
use tilewright_engine::monitor::Monitor;
use tilewright_engine::player::Player;
use tilewright_engine::setup::Setup;
use tilewright_engine::win_percentage::load::{POSITION_KIND, WinTableError};
use tilewright_engine::win_percentage::{States, WinPercentage};

use super::fit;
use super::inputs::Sight;
use super::network::PositionNetwork;
use super::records::{GameRecord, tally};
use crate::win_percentage::config::{PositionConfig, WinPercentageConfig};
use crate::win_percentage::fit::fit as fit_plain;
use crate::win_percentage::run::{Games, RunError, WORK};
use crate::win_percentage::swings::StateTally;

/// The network in an artefact.
pub const NETWORK_FILE: &str = "position.json";
/// The table of the plain network of the same games.
pub const PLAIN_FILE: &str = "plain.csv";

/// What a run ends with.
pub struct PositionOutcome {
    /// The network that sees positions.
    pub network: PositionNetwork,
    /// Its loss in nats, over every hundred steps.
    pub losses: Vec<f64>,
    /// The table of the plain network: that of a run without positions and with the same config otherwise.
    pub plain: WinPercentage,
    /// Turns learned from.
    pub turns: u64,
    /// The held-out games.
    pub held_out: Vec<GameRecord>,
}

/// Trains in `folder`, which exists. Interrupted and started again, it goes on from its shards and ends with the same result.
///
/// # Errors
/// [`RunError`]; [`RunError::Interrupted`] leaves everything finished on disk.
pub fn run(
    setup: &Setup,
    player: &Player,
    config: &WinPercentageConfig,
    position: &PositionConfig,
    folder: &Path,
    monitor: &dyn Monitor,
) -> Result<PositionOutcome, RunError> {
    let work = folder.join(WORK);
    std::fs::create_dir_all(&work).map_err(|source| ArtefactError::File { path: work.clone(), source })?;
    let games = |seed| Games { setup, player, seed, shard_games: config.shard_games, folder: Some(work.clone()) };
    let (states, sight) = (States::of(&setup.tileset), Sight::of(setup, &position.inputs));
    let records = games(config.seed).training_records(&sight, config.games, monitor)?;
    let held_out = games(config.held_out_seed).held_out_records(&sight, config.held_out_games, monitor)?;
    let tally = tally(states, &records);
    monitor.begin("training the plain network", config.steps as u64, "steps");
    let (plain, _) = fit_plain(states, &tally, &config.training(), monitor).ok_or(RunError::Interrupted)?;
    monitor.begin("training the network of positions", position.steps as u64, "steps");
    let steps = position.training(config.seed);
    let (network, losses) = fit::fit(&plain, &sight, &records, &tally, &steps, monitor).ok_or(RunError::Interrupted)?;
    let most_spread = WinPercentage::most_spread_of(&setup.tileset);
    let plain = plain.table(most_spread).with_turns(tally.states.iter().map(StateTally::turns).collect());
    Ok(PositionOutcome { network, losses, plain, turns: tally.turns(), held_out })
}

/// What an artefact of such a run holds.
pub struct PositionArtefact {
    /// The network that sees positions.
    pub network: PositionNetwork,
    /// The table of the plain network of the same games.
    pub plain: WinPercentage,
}

/// Why an artefact with a network of positions cannot be used.
#[derive(Debug, Error)]
pub enum PositionError {
    /// The artefact itself.
    #[error(transparent)]
    Artefact(#[from] ArtefactError),
    /// Its network.
    #[error("{path}: {reason}; make it again")]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Its plain table.
    #[error(transparent)]
    Plain(#[from] WinTableError),
}

impl PositionArtefact {
    /// Loads the artefact in a folder; `None` if there is none, or one of another kind.
    ///
    /// # Errors
    /// [`PositionError`].
    pub fn load(
        folder: &Path,
        setup: &Setup,
        accept_other_lexicon: bool,
    ) -> Result<Option<PositionArtefact>, PositionError> {
        if !folder.join(MANIFEST).exists() {
            return Ok(None);
        }
        match Manifest::load(folder, POSITION_KIND, setup, accept_other_lexicon) {
            Err(ArtefactError::Kind { .. }) => return Ok(None),
            found => found?,
        };
        let fault = |reason: String| PositionError::Network { path: folder.join(NETWORK_FILE), reason };
        let bytes = Manifest::payload(folder, NETWORK_FILE)?;
        let bytes = bytes.ok_or_else(|| fault("the manifest has no checksum of it".into()))?;
        let network: PositionNetwork = serde_json::from_slice(&bytes).map_err(|error| fault(error.to_string()))?;
        if !network.is_sound(States::of(&setup.tileset)) {
            return Err(fault("its layers do not fit each other or this tile set".into()));
        }
        let plain = WinPercentage::load(&folder.join(PLAIN_FILE), setup, accept_other_lexicon)?;
        Ok(Some(PositionArtefact { network, plain }))
    }
}
