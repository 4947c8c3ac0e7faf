//! Players by name: the one place where `greedy` and `leave:PATH` get their meaning.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::Player;
use crate::artefact::{ArtefactError, Manifest};
use crate::evaluator::{Evaluator, Greedy, Leave, PoolLeave};
use crate::hash::sha256_of;
use crate::leave::{LeaveTable, csv, klv};
use crate::setup::Setup;

/// The kind of artefact that holds a leave table.
pub const LEAVES_KIND: &str = "leaves";
/// The leave table in such an artefact.
pub const LEAVES_FILE: &str = "leaves.klv2";

/// Why a name is no player.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// No such kind of player.
    #[error(
        "{name:?} is no player; players are greedy, leave:PATH and leave+pool:PATH, where PATH is an artefact folder, a .klv2 or a .csv"
    )]
    Unknown {
        /// As given.
        name: String,
    },
    /// The table cannot be read.
    #[error("leave table {path}: {reason}")]
    Table {
        /// As given.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The artefact cannot be used.
    #[error("leave table {0}")]
    Artefact(#[from] ArtefactError),
}

impl Player {
    /// The player of a name.
    ///
    /// # Errors
    /// [`PlayerError`].
    pub fn named(name: &str, setup: &Setup, accept_other_lexicon: bool) -> Result<Player, PlayerError> {
        match name.split_once(':') {
            None if name == "greedy" => Ok(Player::new(name, Arc::new(Greedy))),
            Some((kind @ ("leave" | "leave+pool"), path)) if !path.is_empty() => {
                let table = load_leaves(Path::new(path), setup, accept_other_lexicon)?;
                let values: Vec<u8> = table.values().iter().flat_map(|value| value.0.to_le_bytes()).collect();
                let identity = sha256_of([kind.as_bytes(), &values]);
                let evaluator: Arc<dyn Evaluator> = match kind {
                    "leave" => Arc::new(Leave::new(Arc::new(table))),
                    _ => Arc::new(PoolLeave::new(&table, &setup.tileset)),
                };
                Ok(Player { identity, ..Player::new(name, evaluator) })
            }
            _ => Err(PlayerError::Unknown { name: name.into() }),
        }
    }
}

/// Loads a leave table from an artefact folder, a `.klv2` (or `.klv`), or a `.csv`.
///
/// # Errors
/// [`PlayerError`]. Bare files carry no lexicon, so only their tiles can be checked.
pub fn load_leaves(path: &Path, setup: &Setup, accept_other_lexicon: bool) -> Result<LeaveTable, PlayerError> {
    let fault = |reason: String| PlayerError::Table { path: path.into(), reason };
    if path.is_dir() {
        let manifest = Manifest::load(path, LEAVES_KIND, setup, accept_other_lexicon)?;
        if !manifest.files.contains_key(LEAVES_FILE) {
            return Err(fault(format!("its manifest has no checksum of {LEAVES_FILE}; make it again")));
        }
        return load_leaves(&path.join(LEAVES_FILE), setup, accept_other_lexicon);
    }
    let bytes = std::fs::read(path).map_err(|error| fault(error.to_string()))?;
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let table = match extension.as_deref() {
        Some("klv2" | "klv") => klv::read(&bytes, &setup.tileset).map_err(|error| fault(error.to_string()))?,
        Some("csv") => {
            let text = std::str::from_utf8(&bytes)
                .map_err(|error| fault(format!("not UTF-8 from byte {}", error.valid_up_to())))?;
            csv::read(text, &setup.tileset).map_err(|error| fault(error.to_string()))?
        }
        _ => return Err(fault("not an artefact folder, a .klv2 or a .csv".into())),
    };
    Ok(table.0)
}
