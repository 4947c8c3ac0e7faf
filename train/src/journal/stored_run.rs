//! A run as its folder holds it: read without a lock and without a change, also while a process works on it.

use std::path::Path;

use serde::de::DeserializeOwned;
use tilewright_engine::folder::Folder;
use tilewright_engine::input_file::limits;
use tilewright_engine::monitor::Monitor;

use super::envelope;
use super::envelope::{Envelope, identity_of};
use super::failure::JournalError;
use super::folder::{WORK, stored_key};
use super::run_key::RunKey;
use super::scheduler::{Shard, ShardJob};

/// A run in its folder, for readers. Files are written atomically, so each is whole. But a run that goes on may replace
/// several files by one while a reader is between them.
pub struct StoredRun {
    work: Folder,
    /// The inputs of the whole run.
    pub key: RunKey,
    hashes: Vec<String>,
}

impl StoredRun {
    /// The run to which a folder belongs, finished or not, or `None` if there is no run.
    ///
    /// # Errors
    /// [`JournalError::Damaged`] if its key cannot be read, [`JournalError::OtherWorkFile`] for a run of another format, and
    /// [`JournalError::File`].
    pub fn open(folder: &Path) -> Result<Option<StoredRun>, JournalError> {
        if !folder.is_dir() {
            return Ok(None);
        }
        StoredRun::of(&Folder::open(folder)?)
    }

    /// The run to which an open folder belongs. See [`StoredRun::open`].
    ///
    /// # Errors
    /// As [`StoredRun::open`].
    pub fn of(folder: &Folder) -> Result<Option<StoredRun>, JournalError> {
        let Some(key) = stored_key(folder)? else { return Ok(None) };
        let work = folder.folder(WORK)?;
        Ok(Some(StoredRun { work, hashes: key.hashes(), key }))
    }

    /// The value of work file `name`, or `None` if there is no such file or it is damaged. The monitor is warned of damage.
    ///
    /// # Errors
    /// [`JournalError::OtherWorkFile`] if the file belongs to another run or identity, and [`JournalError::File`].
    pub fn read<T: DeserializeOwned>(
        &self,
        name: &str,
        identity: &str,
        monitor: &dyn Monitor,
    ) -> Result<Option<T>, JournalError> {
        read(&self.work, &self.hashes, (name, identity), monitor)
    }

    /// The names of the work files that begin with `prefix`, in order.
    ///
    /// # Errors
    /// [`JournalError::File`].
    pub fn names(&self, prefix: &str) -> Result<Vec<String>, JournalError> {
        names(&self.work, prefix)
    }

    /// A shard of a job, or `None` if it is not there or damaged.
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
        (0..job.shards()).map_while(|number| self.shard(job, number, identity, monitor).transpose()).collect()
    }
}

/// The value of a work file of the run with one of these hashes. See [`StoredRun::read`].
pub(super) fn read<T: DeserializeOwned>(
    work: &Folder,
    hashes: &[String],
    (name, identity): (&str, &str),
    monitor: &dyn Monitor,
) -> Result<Option<T>, JournalError> {
    let Some(bytes) = work.read(name, limits::TABLE)? else { return Ok(None) };
    let value = match Envelope::from_bytes(&bytes) {
        Envelope::Damaged => None,
        Envelope::Whole { run, identity: own, payload }
            if hashes.iter().any(|hash| hash == run) && own == identity_of(name, identity).as_str() =>
        {
            envelope::decode(payload)
        }
        Envelope::Whole { .. } | Envelope::OtherFormat => {
            return Err(JournalError::OtherWorkFile { path: work.place(name) });
        }
    };
    if value.is_none() {
        monitor.warn(&format!("{} is damaged; it will be rebuilt", work.place(name).display()));
    }
    Ok(value)
}

/// The names of the work files that begin with `prefix`, in order.
pub(super) fn names(work: &Folder, prefix: &str) -> Result<Vec<String>, JournalError> {
    let mut names = work.names()?;
    names.retain(|name| name.starts_with(prefix));
    Ok(names)
}
