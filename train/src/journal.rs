//! The journal of a run: everything that a long run has finished, stored in its folder so that a killed run resumes.
//!
//! A run folder belongs to one run, named by its [`RunKey`]. Work files lie in `work/` inside the folder. Each has the same
//! envelope: format version, run, identity, payload, checksum. Opening the journal locks the folder until the process ends.
//!
//! ```
//! # use tilewright_engine::monitor::NoMonitor;
//! # use tilewright_train::journal::{Journal, JournalError, RunKey, ShardJob};
//! # fn main() -> Result<(), JournalError> {
//! # let folder = tempfile::tempdir().expect("a temporary folder");
//! # let (folder, monitor) = (folder.path().join("run"), NoMonitor);
//! let key = RunKey::new("squares", "games = 1000\n").with_input("lexicon", "enable2k 5e1f…");
//! let journal = Journal::open(&folder, &key, &monitor)?;
//!
//! // A sharded loop: each shard is read back, or made and stored.
//! let job = ShardJob { name: "squares", units: 1000, size: 300 };
//! let mut sum = 0;
//! journal.each(&job, "version 1", |numbers| numbers.map(|n| n * n).sum(), |_, shard: u64| sum += shard)?;
//! assert_eq!(sum, 332_833_500);
//!
//! // A single value.
//! let root: f64 = journal.once("root", &sum.to_string(), || Ok::<_, JournalError>((sum as f64).sqrt()))?;
//! # assert!(root > 0.0);
//!
//! // A state that changes: read it, continue from it, write it.
//! let state: u64 = journal.read("state", "")?.unwrap_or(0);
//! let state = journal.write("state", "", &(state + 1))?;
//! # assert_eq!(state, 1);
//! # Ok(())
//! # }
//! ```
//!
//! **Identity.** The run key names the inputs of the whole run: kind, config, tile set, words, players, and the build of the
//! program. The identity names further inputs of one work file, such as the table that a generation plays with. The name of
//! the file and the range of a shard are always part of the identity. A run of another build is refused
//! ([`JournalError::OtherBuild`]) unless its work is accepted ([`Opening::accept_other_build`]). The key then lists both.
//!
//! **Bad files.** There is one policy. A damaged work file (cut, doubled, empty, a bit flipped) is reported once through
//! [`Monitor::warn`] and made again. An undamaged file of another run or identity is refused by name
//! ([`JournalError::OtherWorkFile`]): using it would be wrong, and overwriting it could destroy somebody's work.
//!
//! **Sharing.** Several processes can share a run in one folder ([`Opening::scheduled`]): a [`Scheduler`] gives each worker
//! its shards. A coordinator reads the shards and does the work between the jobs.
//!
//! **Stopping.** A stop request ([`Monitor::is_stopped`]) takes effect between shards, and within shards that can take long
//! ([`Journal::each_unless_stopped`]). A resumed run makes such a shard again, but for kept units ([`Journal::parts`]).
//!
//! **Payloads** are encoded with postcard, which writes every field of a type. It cannot read back a type with
//! `skip_serializing_if` or `flatten`. Wrap such a value in [`Json`]. Before the journal stores a value, it decodes it again
//! and passes the decoded value on, so an uninterrupted run and a resumed one continue from the same value.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tilewright_engine::folder::Folder;
use tilewright_engine::monitor::Monitor;

mod failure;
mod scheduler;
mod run_key;
mod envelope;
mod folder;
mod stored_run;
mod sharing;
mod parts;
#[cfg(test)]
mod tests;

pub use envelope::{Json, is_whole};
pub use failure::JournalError;
pub use folder::{CONFIG, RUN, WORK, config_of};
pub use parts::Parts;
pub use run_key::RunKey;
pub use scheduler::{Fault, Opening, Role, Scheduled, Scheduler, ShardJob, UnusableShard};
pub use stored_run::StoredRun;

use envelope::identity_of;
use folder::Store;

/// The finished work of a run. See the [module](self) for how to use it.
pub struct Journal<'a> {
    /// `None` in memory, where nothing is stored.
    store: Option<Store>,
    /// The hashes of the run by build, with this build last.
    hashes: Vec<String>,
    opening: Opening<'a>,
}

impl<'a> Journal<'a> {
    /// Locks `folder` for the run of this key and removes half-written files of a killed process. The folder is new, or it
    /// belongs to the same unfinished run.
    ///
    /// # Errors
    /// [`JournalError`]: the folder is a file, is not empty, belongs to another run, holds a finished result, or is in use.
    pub fn open(folder: &Path, key: &RunKey, monitor: &'a dyn Monitor) -> Result<Journal<'a>, JournalError> {
        Journal::open_as(folder, key, Opening::new(monitor))
    }

    /// Opens a journal as [`Journal::open`] does, in another way. In a shared run, the coordinator locks the folder. Workers
    /// wait for nobody and change nothing but their shards.
    ///
    /// # Errors
    /// As [`Journal::open`], and [`JournalError::NotBegun`] for a worker in a run that no coordinator has opened.
    pub fn open_as(folder: &Path, key: &RunKey, opening: Opening<'a>) -> Result<Journal<'a>, JournalError> {
        Journal::open_in(folder::prepared(folder, &opening)?, key, opening)
    }

    fn open_in(folder: Folder, key: &RunKey, opening: Opening<'a>) -> Result<Journal<'a>, JournalError> {
        let store =
            if opening.is_alone() { folder::open(folder, key, &opening)? } else { folder::join(folder, key, &opening)? };
        Ok(Journal { hashes: store.key.hashes(), store: Some(store), opening })
    }

    /// Opens the journal of another run on which this one builds, in the same way. Without `folder`, it lies in a folder
    /// called `name` inside the folder of this run. If this journal is in memory, so is the other.
    ///
    /// # Errors
    /// As [`Journal::open_as`].
    pub fn open_beside(&self, folder: Option<&Path>, name: &str, key: &RunKey) -> Result<Journal<'a>, JournalError> {
        let Some(store) = &self.store else { return Ok(Journal::in_memory(self.opening.monitor)) };
        let opening = Opening { grows: false, ..self.opening.clone() };
        match folder {
            Some(folder) => Journal::open_as(folder, key, opening),
            None if opening.is_alone() => Journal::open_in(store.folder.make_folder(name)?, key, opening),
            None => Journal::open_in(store.folder.folder(name)?, key, opening),
        }
    }

    /// Whether several processes share the run.
    pub fn is_shared(&self) -> bool {
        self.store.is_some() && self.opening.scheduled.is_some()
    }

    /// The folder of the run, or `None` in memory.
    pub fn folder(&self) -> Option<&Folder> {
        self.store.as_ref().map(|store| &store.folder)
    }

    /// The key of the run, with all builds that worked on it, or `None` in memory.
    pub fn key(&self) -> Option<&RunKey> {
        self.store.as_ref().map(|store| &store.key)
    }

    /// The names of the work files that begin with `prefix`, in order.
    ///
    /// # Errors
    /// [`JournalError::File`].
    pub fn names(&self, prefix: &str) -> Result<Vec<String>, JournalError> {
        let Some(store) = &self.store else { return Ok(Vec::new()) };
        stored_run::names(&store.work, prefix)
    }

    /// A journal without a folder: everything is made and nothing is stored.
    pub fn in_memory(monitor: &'a dyn Monitor) -> Journal<'a> {
        Journal { store: None, hashes: Vec::new(), opening: Opening::new(monitor) }
    }

    /// The monitor of the run.
    pub fn monitor(&self) -> &'a dyn Monitor {
        self.opening.monitor
    }

    /// Fails if a stop was requested.
    ///
    /// # Errors
    /// [`JournalError::Interrupted`].
    pub fn check_stop(&self) -> Result<(), JournalError> {
        if self.opening.monitor.is_stopped() { Err(self.interrupted()) } else { Ok(()) }
    }

    /// The error of a run that stops on request. Its message tells how to resume.
    pub fn interrupted(&self) -> JournalError {
        JournalError::Interrupted { folder: self.folder().map(|folder| folder.path().into()) }
    }

    /// The value of work file `name`, or `None` if there is no such file or it is damaged.
    ///
    /// # Errors
    /// [`JournalError::OtherWorkFile`] if the file belongs to another run or identity, and [`JournalError::File`].
    pub fn read<T: DeserializeOwned>(&self, name: &str, identity: &str) -> Result<Option<T>, JournalError> {
        let Some(store) = &self.store else { return Ok(None) };
        stored_run::read(&store.work, &self.hashes, (name, identity), self.opening.monitor)
    }

    /// The value of work file `name`, or `fresh` if there is no such file or it is damaged. Each list of the value must be
    /// as long as the same list of `fresh`, unless that list is empty. Numbers must be finite.
    ///
    /// # Errors
    /// As [`Journal::read`], and [`JournalError::OtherWorkFile`] for a value that no run of this key has written.
    pub fn read_like<T: Serialize + DeserializeOwned>(
        &self,
        name: &str,
        identity: &str,
        fresh: T,
    ) -> Result<T, JournalError> {
        let (Some(store), Some(found)) = (&self.store, self.read::<T>(name, identity)?) else { return Ok(fresh) };
        if envelope::have_one_shape(&found, &fresh) {
            return Ok(found);
        }
        Err(JournalError::OtherWorkFile { path: store.work.place(name) })
    }

    /// Stores a value as work file `name`, replacing an earlier one. Returns the value as [`Journal::read`] will read it.
    ///
    /// # Errors
    /// [`JournalError::Payload`] if the value does not survive encoding, and [`JournalError::File`].
    pub fn write<T: Serialize + DeserializeOwned>(&self, name: &str, identity: &str, value: &T) -> Result<T, JournalError> {
        let (payload, value) =
            envelope::encode(value).map_err(|reason| JournalError::Payload { name: name.into(), reason })?;
        if let Some(store) = &self.store {
            let hash = self.hashes.last().map_or("", String::as_str);
            store.work.write(name, &envelope::to_bytes(hash, &identity_of(name, identity), &payload))?;
        }
        Ok(value)
    }

    /// The value of work file `name`: read back if the file is there, otherwise made and stored.
    ///
    /// # Errors
    /// The errors of [`Journal::read`], [`Journal::write`] and `make`.
    pub fn once<T: Serialize + DeserializeOwned, E: From<JournalError>>(
        &self,
        name: &str,
        identity: &str,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        match self.read(name, identity)? {
            Some(value) => Ok(value),
            None => Ok(self.write(name, identity, &make()?)?),
        }
    }

    /// Deletes the work files whose names begin with `prefix`, once another work file has replaced them. If they stayed, a
    /// damaged file among them would go unnoticed, because it is never read again.
    ///
    /// # Errors
    /// [`JournalError::File`].
    pub fn forget(&self, prefix: &str) -> Result<(), JournalError> {
        let Some(store) = &self.store else { return Ok(()) };
        for name in self.names(prefix)? {
            store.work.remove(&name)?;
        }
        Ok(())
    }
}
