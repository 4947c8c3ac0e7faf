//! The pairs of a match and the standings of a round robin in a folder, also of one that was stopped or goes on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use thiserror::Error;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::Pair;
use tilewright_engine::series::round_robin::Standings;

use super::deals::job;
use super::files::{ASKED, FILES};
use super::spec::MatchSpec;
use crate::journal::{JournalError, Json, StoredRun};

/// A match of two players as its folder has it.
#[derive(Clone, Debug)]
pub struct StoredMatch {
    /// What was played.
    pub spec: MatchSpec,
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
    let spec: Option<MatchSpec> = toml::from_str(run.key().config()).ok();
    let spec = spec.filter(|spec| spec.players.len() == 2).ok_or_else(none)?;
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
    Ok(StoredMatch { spec, asked, pairs })
}

/// The standings of the round robin in a folder, up to the first shard that is missing.
///
/// # Errors
/// [`JournalError`]; [`StoredError::NoRoundRobin`] for another kind of run.
pub fn stored_standings(folder: &Path, monitor: &dyn Monitor) -> Result<(MatchSpec, Standings), StoredError> {
    let none = || StoredError::NoRoundRobin { folder: folder.into() };
    let run = StoredRun::open(folder)?.ok_or_else(none)?;
    let spec: MatchSpec = toml::from_str(run.key().config()).map_err(|_| none())?;
    let deals = spec.pairs.filter(|_| spec.players.len() > 2).ok_or_else(none)?;
    let (players, deals) = (spec.players.len(), job(deals));
    let shards: Vec<Json<Standings>> = run.shards(&deals, "", monitor)?;
    if !shards.iter().all(|Json(shard)| shard.are_of(players)) {
        return Err(StoredError::Damaged { folder: folder.into(), name: deals.name.into() });
    }
    let standings = shards.into_iter().fold(Standings::none(players), |sum, Json(more)| more.plus(sum));
    Ok((spec, standings))
}

/// Why a folder has no standings or no pairs.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum StoredError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{folder} holds no round robin")]
    NoRoundRobin { folder: PathBuf },
    #[error("{folder} holds no match of two players")]
    NoMatch { folder: PathBuf },
    #[error("{folder}: work/{name} is damaged; rerun the match in this folder, which plays its pairs again")]
    Damaged { folder: PathBuf, name: String },
}
