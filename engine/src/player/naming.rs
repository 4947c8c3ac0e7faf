//! Players by name: the one place where `greedy` and `leave:PATH` get their meaning.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::Player;
use crate::artefact::{ArtefactError, Manifest};
use crate::evaluator::{Greedy, Leave};
use crate::hash::sha256_of;
use crate::leave::late::LateValues;
use crate::leave::{LeaveTable, csv, klv};
use crate::setup::Setup;

/// The kind of artefact that holds a leave table.
pub const LEAVES_KIND: &str = "leaves";
/// The leave table in such an artefact.
pub const LEAVES_FILE: &str = "leaves.klv2";
/// The adjustments for few tiles in the bag.
pub const LATE_FILE: &str = "late.csv";

/// Why a name is no player.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// No such kind of player.
    #[error(
        "{name:?} is no player; players are greedy and leave:PATH, where PATH is an artefact folder, a .klv2 or a .csv; \
         leave+pool:PATH values leaves for the unseen tiles, leave+late:PATH for the tiles left in the bag, leave+pool+late:PATH for both"
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
            Some((kind @ ("leave" | "leave+pool" | "leave+late" | "leave+pool+late"), path)) if !path.is_empty() => {
                let path = Path::new(path);
                let table = load_leaves(path, setup, accept_other_lexicon)?;
                let warning = estimates_in_words(path, &table);
                let mut identity = vec![kind.as_bytes().to_vec()];
                identity.push(table.values().iter().flat_map(|value| value.0.to_le_bytes()).collect());
                let mut evaluator = Leave::new(Arc::new(table));
                if kind.contains("+pool") {
                    evaluator = evaluator.with_pool(&setup.tileset);
                }
                if kind.contains("+late") {
                    let late = load_late(path, setup)?;
                    identity.push(late.to_csv(&setup.tileset).into_bytes());
                    evaluator = evaluator.with_late(late);
                }
                let identity = sha256_of(identity.iter().map(Vec::as_slice));
                Ok(Player { identity, warning, ..Player::new(name, Arc::new(evaluator)) })
            }
            _ => Err(PlayerError::Unknown { name: name.into() }),
        }
    }
}

/// Loads the adjustments for few tiles in the bag from an artefact folder.
fn load_late(path: &Path, setup: &Setup) -> Result<LateValues, PlayerError> {
    let path = path.join(LATE_FILE);
    let fault = |reason: String| PlayerError::Table { path: path.clone(), reason };
    let text = std::fs::read_to_string(&path).map_err(|error| {
        fault(format!("{error}; +late takes an artefact folder that leaves train made, with late games"))
    })?;
    LateValues::from_csv(&text, &setup.tileset).map_err(|error| fault(error.to_string()))
}

/// What a user should know of a table that was read from a file which does not name every leave; `None` if it does.
pub fn estimates_in_words(path: &Path, table: &LeaveTable) -> Option<String> {
    let (estimated, all) = (table.estimated(), table.values().len() - 1);
    (estimated > 0).then(|| {
        format!(
            "leave table {} names {} of {all} leaves; the other {estimated} are estimated from the smaller leaves that it names",
            path.display(),
            all - estimated
        )
    })
}

/// Loads a leave table from an artefact folder, a `.klv2` (or `.klv`), or a `.csv`.
///
/// # Errors
/// [`PlayerError`]. Bare files carry no lexicon, so only their tiles can be checked; a `.klv2` must hold every leave, a `.csv`
/// need not ([`estimates_in_words`]).
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
