//! Several folders with parts of one match, put together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use thiserror::Error;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::MeasuredPair;

use super::StoredConfig;
use super::files::{ASKED, FILES};
use crate::journal::{Journal, JournalError, RunFolder, StoredRun};

/// All pairs of a match that was played in parts.
#[derive(Clone, Debug)]
pub struct MergedMatch {
    /// What was played.
    pub config: StoredConfig,
    /// The pairs from number 0 on, without a gap.
    pub pairs: Vec<MeasuredPair>,
}

/// What the folders of a match hold.
struct Gathered {
    config: StoredConfig,
    /// The pairs that were asked for.
    asked: u64,
    /// The pairs by number, each with the number of its folder.
    pairs: BTreeMap<u64, (usize, MeasuredPair)>,
}

/// Why folders cannot be merged.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A folder cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A folder belongs to a round robin or to another kind of run.
    #[error("{folder} holds no match of two players; only those are merged")]
    NoMatch {
        /// The folder.
        folder: PathBuf,
    },
    /// Two folders belong to different matches.
    #[error(
        "{other} belongs to a match with another {what} ({difference}) than {folder}; only parts of one match are merged"
    )]
    OtherMatch {
        /// The first folder.
        folder: PathBuf,
        /// The folder that differs.
        other: PathBuf,
        /// What differs: `config` or the name of an input.
        what: String,
        /// How it differs.
        difference: String,
    },
    /// A folder is named twice.
    #[error("{folder} is named twice; each pair must come from one folder")]
    Twice {
        /// The folder.
        folder: PathBuf,
    },
    /// Two folders hold the same pairs.
    #[error("{folder} and {other} both hold pairs {first} to {last}; each pair must come from one folder")]
    Overlap {
        /// One folder.
        folder: PathBuf,
        /// The other one.
        other: PathBuf,
        /// The first pair that both hold.
        first: u64,
        /// The last one of a row.
        last: u64,
    },
    /// No folder holds some of the pairs.
    #[error("pairs {first} to {last} are in none of the folders; play the missing part, or name its folder")]
    Missing {
        /// The first missing pair.
        first: u64,
        /// The last one of a row.
        last: u64,
    },
    /// A work file is damaged.
    #[error("{folder}: work/{name} is damaged; rerun the match in this folder, which plays its pairs again")]
    Damaged {
        /// The folder.
        folder: PathBuf,
        /// The file.
        name: String,
    },
}

/// Puts the parts of a match together. The result is that of one process that plays all pairs.
///
/// # Errors
/// [`MergeError`].
pub fn merge(folders: &[PathBuf], monitor: &dyn Monitor) -> Result<MergedMatch, MergeError> {
    if let Some((_, twice)) = folders.iter().enumerate().find(|(number, folder)| folders[..*number].contains(folder)) {
        return Err(MergeError::Twice { folder: twice.clone() });
    }
    // No pair is added as long as the folders are locked.
    let lock = |folder| Journal::reopen(RunFolder::chosen_by("folder", folder).growing(), monitor);
    let _locks = folders.iter().map(lock).collect::<Result<Vec<_>, _>>()?;
    let Gathered { config, asked, pairs } = gather(folders, monitor)?;
    // A match that only a test has ended was asked for no number of pairs.
    let numbers = pairs.keys().copied().chain([asked.max(pairs.len() as u64)]).zip(0..);
    if let Some((next, first)) = numbers.into_iter().find(|(number, expected)| number != expected) {
        return Err(MergeError::Missing { first, last: next - 1 });
    }
    Ok(MergedMatch { config, pairs: pairs.into_values().map(|(_, pair)| pair).collect() })
}

/// The pairs of a match in one folder, up to the first that is missing, and how many were asked for. The match may have been stopped, or
/// go on.
///
/// # Errors
/// [`MergeError`].
pub fn stored_pairs(folder: &Path, monitor: &dyn Monitor) -> Result<(MergedMatch, u64), MergeError> {
    let Gathered { config, asked, pairs } = gather(&[folder.to_path_buf()], monitor)?;
    let row = pairs.into_iter().zip(0..).take_while(|((number, _), expected)| number == expected);
    let pairs: Vec<MeasuredPair> = row.map(|((_, (_, pair)), _)| pair).collect();
    if pairs.is_empty() {
        return Err(MergeError::Missing { first: 0, last: 0 });
    }
    let asked = asked.max(pairs.len() as u64);
    Ok((MergedMatch { config, pairs }, asked))
}

fn gather(folders: &[PathBuf], monitor: &dyn Monitor) -> Result<Gathered, MergeError> {
    let mut runs = Vec::with_capacity(folders.len());
    for folder in folders {
        let run = StoredRun::open(RunFolder::chosen_by("folder", folder))?;
        runs.push((folder, run.ok_or_else(|| MergeError::NoMatch { folder: folder.clone() })?));
    }
    let Some((folder, first)) = runs.first() else {
        return Err(MergeError::NoMatch { folder: PathBuf::new() });
    };
    let key = first.key();
    for (other, run) in &runs {
        if let Some((what, difference)) = run.key().difference(key) {
            let (folder, other) = ((*folder).clone(), (*other).clone());
            return Err(MergeError::OtherMatch { folder, other, what, difference });
        }
    }
    let config: Option<StoredConfig> = toml::from_str(key.config()).ok();
    let config = config.filter(|config| config.players.len() == 2);
    let config = config.ok_or_else(|| MergeError::NoMatch { folder: (*folder).clone() })?;
    let mut asked = 0;
    let mut pairs: BTreeMap<u64, (usize, MeasuredPair)> = BTreeMap::new();
    for (number, (folder, run)) in runs.iter().enumerate() {
        asked = asked.max(run.read(ASKED, "", monitor)?.unwrap_or(0));
        for name in run.names(FILES)? {
            let stored: Option<Vec<MeasuredPair>> = run.read(&name, "", monitor)?;
            let stored = stored.ok_or_else(|| MergeError::Damaged { folder: (*folder).clone(), name })?;
            let overlaps = |pair: &MeasuredPair| pairs.get(&pair.pair.index).map(|(owner, _)| *owner);
            if let Some((place, owner)) = stored.iter().enumerate().find_map(|(place, pair)| Some((place, overlaps(pair)?)))
            {
                let twice = stored[place..].iter().take_while(|pair| overlaps(pair) == Some(owner));
                let last = twice.last().map_or(0, |pair| pair.pair.index);
                let (folder, other) = (folders[owner].clone(), (*folder).clone());
                return Err(MergeError::Overlap { folder, other, first: stored[place].pair.index, last });
            }
            pairs.extend(stored.into_iter().map(|pair| (pair.pair.index, (number, pair))));
        }
    }
    if pairs.is_empty() {
        return Err(MergeError::NoMatch { folder: (*folder).clone() });
    }
    Ok(Gathered { config, asked, pairs })
}
