//! A run as its folder holds it: read without a lock and without a change, also while a process works on it.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use tilewright_engine::artefact::ArtefactError;
use tilewright_engine::monitor::Monitor;

use super::envelope::{Envelope, identity_of};
use super::failure::JournalError;
use super::folder::{RUN, WORK, read_if_there};
use super::payload;
use super::run_key::RunKey;
use super::shard::{Shard, ShardJob};

/// A run in its folder, for readers. Files are written atomically, so each is whole; but a run that goes on may replace several files by one
/// while a reader is between them.
pub struct StoredRun {
    folder: PathBuf,
    key: RunKey,
    hashes: Vec<String>,
}

impl StoredRun {
    /// The run to which a folder belongs, finished or not; `None` if there is none, or if its key cannot be read.
    ///
    /// # Errors
    /// [`JournalError::OtherWorkFile`] for a run of another format; [`JournalError::File`].
    pub fn open(folder: &Path) -> Result<Option<StoredRun>, JournalError> {
        let path = folder.join(WORK).join(RUN);
        let Some(bytes) = read_if_there(&path)? else { return Ok(None) };
        match Envelope::from_bytes(&bytes) {
            Envelope::OtherFormat => Err(JournalError::OtherWorkFile { path }),
            Envelope::Damaged => Ok(None),
            Envelope::Whole { payload, .. } => {
                let key: Option<RunKey> = payload::decode(payload);
                Ok(key.map(|key| StoredRun { folder: folder.into(), hashes: key.hashes(), key }))
            }
        }
    }

    /// What the whole run depends on.
    pub fn key(&self) -> &RunKey {
        &self.key
    }

    /// The value of work file `name`; `None` if there is no such file or it is damaged, which the monitor is warned of.
    ///
    /// # Errors
    /// [`JournalError::OtherWorkFile`] if the file belongs to another run or identity; [`JournalError::File`].
    pub fn read<T: DeserializeOwned>(
        &self,
        name: &str,
        identity: &str,
        monitor: &dyn Monitor,
    ) -> Result<Option<T>, JournalError> {
        read(&self.folder, &self.hashes, (name, identity), monitor)
    }

    /// The names of the work files that begin with `prefix`, in order.
    ///
    /// # Errors
    /// [`JournalError::File`].
    pub fn names(&self, prefix: &str) -> Result<Vec<String>, JournalError> {
        names(&self.folder, prefix)
    }

    /// A shard of a job; `None` if it is not there or damaged.
    ///
    /// # Errors
    /// As [`StoredRun::read`].
    pub fn shard<T: DeserializeOwned>(
        &self,
        job: &ShardJob<'_>,
        number: u64,
        identity: &str,
        monitor: &dyn Monitor,
    ) -> Result<Option<T>, JournalError> {
        let Shard { name, identity, .. } = Shard::new(job, number, identity);
        self.read(&name, &identity, monitor)
    }

    /// The shards of a job up to the first that is not there.
    ///
    /// # Errors
    /// As [`StoredRun::read`].
    pub fn shards<T: DeserializeOwned>(
        &self,
        job: &ShardJob<'_>,
        identity: &str,
        monitor: &dyn Monitor,
    ) -> Result<Vec<T>, JournalError> {
        let mut shards = Vec::new();
        for number in 0..job.shards() {
            match self.shard(job, number, identity, monitor)? {
                Some(shard) => shards.push(shard),
                None => break,
            }
        }
        Ok(shards)
    }
}

/// The value of a work file of the run with one of these hashes; see [`StoredRun::read`].
pub(super) fn read<T: DeserializeOwned>(
    folder: &Path,
    hashes: &[String],
    (name, identity): (&str, &str),
    monitor: &dyn Monitor,
) -> Result<Option<T>, JournalError> {
    let path = folder.join(WORK).join(name);
    let Some(bytes) = read_if_there(&path)? else { return Ok(None) };
    let value = match Envelope::from_bytes(&bytes) {
        Envelope::Damaged => None,
        Envelope::Whole { run, identity: own, payload }
            if hashes.iter().any(|hash| hash == run) && own == identity_of(name, identity).as_str() =>
        {
            payload::decode(payload)
        }
        Envelope::Whole { .. } | Envelope::OtherFormat => return Err(JournalError::OtherWorkFile { path }),
    };
    if value.is_none() {
        monitor.warn(&format!("{} is damaged; it will be rebuilt", path.display()));
    }
    Ok(value)
}

/// The names of the work files in a run folder that begin with `prefix`, in order.
pub(super) fn names(folder: &Path, prefix: &str) -> Result<Vec<String>, JournalError> {
    let work = folder.join(WORK);
    let fault = |source| ArtefactError::File { path: work.clone(), source };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&work).map_err(fault)? {
        let name = entry.map_err(fault)?.file_name().to_string_lossy().into_owned();
        if name.starts_with(prefix) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
