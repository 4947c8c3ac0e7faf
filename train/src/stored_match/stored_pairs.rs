//! The pairs of a match in a folder, also of a match that was stopped or goes on.

use std::collections::BTreeMap;
use std::path::Path;

use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::Pair;

use super::files::{ASKED, FILES};
use super::{StoredConfig, StoredError};
use crate::journal::StoredRun;

/// A match of two players as its folder has it.
#[derive(Clone, Debug)]
pub struct StoredMatch {
    /// What was played.
    pub config: StoredConfig,
    /// The pairs that were asked for.
    pub asked: u64,
    /// The finished pairs from number 0 on, up to the first that is missing.
    pub pairs: Vec<Pair>,
}

/// The match in a folder.
///
/// # Errors
/// [`StoredError`].
pub fn stored_pairs(folder: &Path, monitor: &dyn Monitor) -> Result<StoredMatch, StoredError> {
    let none = || StoredError::NoMatch { folder: folder.into() };
    let run = StoredRun::open(folder)?.ok_or_else(none)?;
    let config: Option<StoredConfig> = toml::from_str(run.key().config()).ok();
    let config = config.filter(|config| config.players.len() == 2).ok_or_else(none)?;
    let mut pairs = BTreeMap::new();
    for name in run.names(FILES)? {
        let stored: Option<Vec<Pair>> = run.read(&name, "", monitor)?;
        let stored = stored.ok_or_else(|| StoredError::Damaged { folder: folder.into(), name })?;
        pairs.extend(stored.into_iter().map(|pair| (pair.index, pair)));
    }
    let row = pairs.into_values().zip(0..).take_while(|(pair, expected)| pair.index == *expected);
    let pairs: Vec<Pair> = row.map(|(pair, _)| pair).collect();
    // A match that only a test has ended was asked for no number of pairs.
    let asked = run.read(ASKED, "", monitor)?.unwrap_or(0).max(pairs.len() as u64);
    Ok(StoredMatch { config, asked, pairs })
}
