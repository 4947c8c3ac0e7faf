//! The journal of a run: everything that a long run has finished, stored in its folder so that a killed run resumes.
//!
//! A run folder belongs to one run, named by its [`RunKey`]. Work files lie in `work/` inside the folder. Each has the same
//! envelope: a format version, the run, an identity, the payload, and a checksum of all of it. Opening the journal locks the
//! folder; the lock ends with the process.
//!
//! ```
//! # use tilewright_engine::monitor::NoMonitor;
//! # use tilewright_train::journal::{Journal, JournalError, RunKey, ShardJob};
//! # fn main() -> Result<(), JournalError> {
//! # let folder = tempfile::tempdir().expect("a temporary folder");
//! # let (folder, monitor) = (folder.path().join("run"), NoMonitor);
//! let key = RunKey::new("games = 1000\n").with_input("lexicon", "enable2k 5e1f…");
//! let journal = Journal::open(&folder, &key, &monitor)?;
//!
//! // A sharded loop: each shard is read back, or made and stored.
//! let job = ShardJob { name: "squares", units: 1000, size: 300, part: None };
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
//! **Identity.** The run key names what the whole run depends on: config, tile set, words, players. The identity names what
//! else one work file depends on, such as the table that a generation plays with. The name of the file and the range of a
//! shard are part of the identity already.
//!
//! **Bad files.** There is one policy. A damaged work file (cut, doubled, empty, a bit flipped) is reported once through
//! [`Monitor::warn`] and made again. An undamaged file of another run or identity is refused by name
//! ([`JournalError::OtherWorkFile`]): using it would be wrong, and overwriting it could destroy somebody's work.
//!
//! **Sharing.** Several processes can share a run in one folder ([`Journal::share`]): a [`Crew`] says which of them makes which shard, and
//! one process gathers the shards and does what lies between the jobs.
//!
//! **Stopping.** A stop request ([`Monitor::is_stopped`]) takes effect between shards, and within those that can take long
//! ([`Journal::each_unless_stopped`]), which are then made again from their beginning.
//!
//! **Payloads** are encoded with postcard, which writes every field of a type. It cannot read back a type with
//! `skip_serializing_if` or `flatten`; wrap such a value in [`Json`]. Before the journal stores a value, it decodes it
//! again and passes the decoded value on, so an uninterrupted run and a resumed one continue from the same value.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tilewright_engine::artefact::{ArtefactError, write_atomically};
use tilewright_engine::monitor::Monitor;

mod run_folder;
mod failure;
mod shard;
mod crew;
mod run_key;
mod payload;
mod envelope;
mod folder;
mod stored_run;
mod sharing;
#[cfg(test)]
mod tests;

pub use crew::{Crew, Fault, Piece, Task};
pub use failure::JournalError;
pub use folder::{CONFIG, RUN, WORK, config_of};
pub use payload::Json;
pub use run_folder::RunFolder;
pub use run_key::RunKey;
pub use shard::{Part, ShardJob};
pub use stored_run::StoredRun;

use envelope::identity_of;

/// The finished work of a run. See the [module](self) for how to use it.
pub struct Journal<'a> {
    /// `None` in memory, where nothing is stored.
    store: Option<Store>,
    monitor: &'a dyn Monitor,
}

/// A locked run folder.
struct Store {
    folder: RunFolder,
    /// The hash of the run key.
    run: String,
    /// The other processes of the run, if it is shared.
    crew: Option<Arc<dyn Crew>>,
    /// The lock ends when this file is closed.
    _lock: File,
}

impl<'a> Journal<'a> {
    /// Locks `folder` for the run of this key and clears what a killed process left half-written. The folder is new, or it
    /// belongs to the same unfinished run. A plain path is a folder that `--out` chooses.
    ///
    /// # Errors
    /// [`JournalError`]: the folder is a file, is not empty, belongs to another run, holds a finished result, or is in use.
    pub fn open(folder: impl Into<RunFolder>, key: &RunKey, monitor: &'a dyn Monitor) -> Result<Journal<'a>, JournalError> {
        let folder = folder.into();
        let lock = folder::open(&folder, key, monitor)?;
        Ok(Journal { store: Some(Store { folder, run: key.hash(), crew: None, _lock: lock }), monitor })
    }

    /// Opens the journal of a run that several processes share. The process that gathers locks the folder as [`Journal::open`] does; the
    /// others wait for nobody and change nothing but their shards.
    ///
    /// # Errors
    /// As [`Journal::open`]; [`JournalError::NotBegun`] for a process that makes shards of a run that was never gathered.
    pub fn share(
        folder: impl Into<RunFolder>,
        key: &RunKey,
        monitor: &'a dyn Monitor,
        crew: Arc<dyn Crew>,
    ) -> Result<Journal<'a>, JournalError> {
        let folder = folder.into();
        let lock = if crew.is_alone() { folder::open(&folder, key, monitor)? } else { folder::join(&folder, key, monitor)? };
        Ok(Journal { store: Some(Store { folder, run: key.hash(), crew: Some(crew), _lock: lock }), monitor })
    }

    /// Whether several processes share the run.
    pub fn is_shared(&self) -> bool {
        self.crew().is_some()
    }

    fn crew(&self) -> Option<(&Store, &dyn Crew)> {
        let store = self.store.as_ref()?;
        Some((store, store.crew.as_deref()?))
    }

    /// Opens the journal of the run to which a folder belongs, whatever that is; `None` if it holds no unfinished run.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn reopen(
        folder: impl Into<RunFolder>,
        monitor: &'a dyn Monitor,
    ) -> Result<Option<(Journal<'a>, RunKey)>, JournalError> {
        let folder = folder.into();
        let Some(key) = folder::key_of(&folder)? else { return Ok(None) };
        Ok(Some((Journal::open(folder, &key, monitor)?, key)))
    }

    /// The names of the work files that begin with `prefix`, in order.
    ///
    /// # Errors
    /// [`JournalError::File`].
    pub fn names(&self, prefix: &str) -> Result<Vec<String>, JournalError> {
        let Some(store) = &self.store else { return Ok(Vec::new()) };
        stored_run::names(&store.folder.path, prefix)
    }

    /// A journal without a folder: everything is made and nothing is stored.
    pub fn in_memory(monitor: &'a dyn Monitor) -> Journal<'a> {
        Journal { store: None, monitor }
    }

    /// The monitor of the run.
    pub fn monitor(&self) -> &'a dyn Monitor {
        self.monitor
    }

    /// Fails if a stop was requested.
    ///
    /// # Errors
    /// [`JournalError::Interrupted`].
    pub fn check_stop(&self) -> Result<(), JournalError> {
        if self.monitor.is_stopped() { Err(self.interrupted()) } else { Ok(()) }
    }

    /// The error of a run that stops on request; its message says how to resume.
    pub fn interrupted(&self) -> JournalError {
        JournalError::Interrupted { folder: self.store.as_ref().map(|store| store.folder.path.clone()) }
    }

    /// The value of work file `name`; `None` if there is no such file or it is damaged.
    ///
    /// # Errors
    /// [`JournalError::OtherWorkFile`] if the file belongs to another run or identity; [`JournalError::File`].
    pub fn read<T: DeserializeOwned>(&self, name: &str, identity: &str) -> Result<Option<T>, JournalError> {
        let Some(store) = &self.store else { return Ok(None) };
        stored_run::read(&store.folder, &store.run, (name, identity), self.monitor)
    }

    /// Stores a value as work file `name`, replacing an earlier one. Returns the value as [`Journal::read`] will read it.
    ///
    /// # Errors
    /// [`JournalError::Payload`] if the value does not survive encoding; [`JournalError::File`].
    pub fn write<T: Serialize + DeserializeOwned>(&self, name: &str, identity: &str, value: &T) -> Result<T, JournalError> {
        let (payload, value) =
            payload::encode(value).map_err(|reason| JournalError::Payload { name: name.into(), reason })?;
        if let Some(store) = &self.store {
            let bytes = envelope::to_bytes(&store.run, &identity_of(name, identity), &payload);
            write_atomically(&store.work_file(name), &bytes)?;
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
            let path = store.work_file(&name);
            std::fs::remove_file(&path).map_err(|source| ArtefactError::File { path, source })?;
        }
        Ok(())
    }
}

impl Store {
    fn work_file(&self, name: &str) -> PathBuf {
        self.folder.path.join(WORK).join(name)
    }
}
