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
//! **Stopping.** A stop request ([`Monitor::is_stopped`]) takes effect between shards: a shard that has begun is stored, unless it
//! is one of [`Journal::each_unless_stopped`].
//!
//! **Payloads** are encoded with postcard, which writes every field of a type. It cannot read back a type with
//! `skip_serializing_if` or `flatten`; wrap such a value in [`Json`]. Before the journal stores a value, it decodes it
//! again and passes the decoded value on, so an uninterrupted run and a resumed one continue from the same value.

use std::fs::File;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tilewright_engine::artefact::{ArtefactError, write_atomically};
use tilewright_engine::hash::sha256;
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
#[cfg(test)]
mod tests;

pub use crew::{Crew, Fault, Piece, Task};
pub use failure::JournalError;
pub use folder::{CONFIG, WORK, config_of};
pub use payload::Json;
pub use run_folder::RunFolder;
pub use run_key::RunKey;
pub use shard::{Part, ShardJob};
pub use stored_run::StoredRun;

use envelope::identity_of;
use folder::read_if_there;
use shard::Shard;

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

    /// Passes the shards of a job to `take` in order, with their numbers. Each is read back, or made from its range of
    /// units and stored. The journal advances the monitor for shards that it reads back; `make` advances it for the others
    /// and must not stop early (see [`ProgressOnly`](tilewright_engine::monitor::ProgressOnly)).
    ///
    /// # Errors
    /// The errors of [`Journal::shard`]; [`JournalError::PartDone`] if shards of other parts are missing.
    pub fn each<T: Serialize + DeserializeOwned>(
        &self,
        job: &ShardJob<'_>,
        identity: &str,
        make: impl Fn(Range<u64>) -> T,
        take: impl FnMut(u64, T),
    ) -> Result<(), JournalError> {
        self.each_unless_stopped(job, identity, |units| Ok(Some(make(units))), take)
    }

    /// Like [`Journal::each`], with a `make` that may stop early: then it returns `None`, and nothing is stored for the shard.
    ///
    /// # Errors
    /// The errors of [`Journal::each`] and `make`; [`JournalError::Interrupted`] if `make` returned `None`.
    pub fn each_unless_stopped<T: Serialize + DeserializeOwned>(
        &self,
        job: &ShardJob<'_>,
        identity: &str,
        make: impl Fn(Range<u64>) -> Result<Option<T>, JournalError>,
        take: impl FnMut(u64, T),
    ) -> Result<(), JournalError> {
        self.share_out(job, |number| self.shard_unless_stopped(job, number, identity, &make), take)
    }

    /// Passes the shards of a job to `take` in order. In a shared run, does what this process has to do with them.
    fn share_out<T, E: From<JournalError>>(
        &self,
        job: &ShardJob<'_>,
        one: impl Fn(u64) -> Result<Option<T>, E>,
        take: impl FnMut(u64, T),
    ) -> Result<(), E> {
        if let Some((store, crew)) = self.crew() {
            let folder = &store.folder.path;
            match crew.task(folder, job.name) {
                Task::Gather => {}
                Task::Make => {
                    while let Some(number) = crew.next(folder, job.name) {
                        one(number)?;
                    }
                    return Err(JournalError::PartDone { missing: 1 }.into());
                }
                Task::Leave => return Err(JournalError::PartDone { missing: 1 }.into()),
            }
        }
        job.each(one, take)
    }

    /// A shard that the caller asks for in order, one after the other, until it has enough; it expects to ask for `ahead` shards more. If
    /// the shard is missing in a shared run, the others are asked for now, and [`JournalError::PartDone`] ends the run for the time being.
    ///
    /// # Errors
    /// As [`Journal::each`].
    pub fn next_shard<T: Serialize + DeserializeOwned>(
        &self,
        job: &ShardJob<'_>,
        (number, ahead): (u64, u64),
        identity: &str,
        make: impl Fn(Range<u64>) -> T,
    ) -> Result<T, JournalError> {
        let one = |number| self.shard(job, number, identity, &make);
        let missing = JournalError::PartDone { missing: 1 };
        if self.crew().is_some_and(|(store, crew)| crew.task(&store.folder.path, job.name) != Task::Gather) {
            return self.share_out(job, one, |_, _: T| ()).and(Err(missing));
        }
        if let Some(value) = one(number)? {
            return Ok(value);
        }
        (number + 1..job.shards().min(number + 1 + ahead)).try_for_each(|number| one(number).map(drop))?;
        Err(missing)
    }

    /// One shard of a job, by number from 0, as [`Journal::each`] makes it; `None` if it is missing and another part's.
    ///
    /// # Errors
    /// The errors of [`Journal::read`] and [`Journal::write`]; [`JournalError::Interrupted`] if a stop was requested before
    /// the shard began.
    pub fn shard<T: Serialize + DeserializeOwned>(
        &self,
        job: &ShardJob<'_>,
        number: u64,
        identity: &str,
        make: impl FnOnce(Range<u64>) -> T,
    ) -> Result<Option<T>, JournalError> {
        self.shard_unless_stopped(job, number, identity, |units| Ok(Some(make(units))))
    }

    fn shard_unless_stopped<T: Serialize + DeserializeOwned>(
        &self,
        job: &ShardJob<'_>,
        number: u64,
        identity: &str,
        make: impl FnOnce(Range<u64>) -> Result<Option<T>, JournalError>,
    ) -> Result<Option<T>, JournalError> {
        let shard = self.shard_of(job, number, identity);
        if self.is_gathered(job) {
            let found = self.gather(job, number, &shard, || self.read(&shard.name, &shard.identity))?;
            return Ok(found.map(|value| self.read_back(&shard, value)));
        }
        match self.read(&shard.name, &shard.identity)? {
            Some(value) => Ok(Some(self.read_back(&shard, value))),
            None if !job.makes(number) => Ok(None),
            None => {
                self.check_stop()?;
                let made = make(shard.units)?.ok_or_else(|| self.interrupted())?;
                self.write(&shard.name, &shard.identity, &made).map(Some)
            }
        }
    }

    /// Like [`Journal::each`], for shards that are result files: the bytes that `make` returns go to `NAME-00000.EXTENSION`
    /// in the run's folder, and a receipt with their checksum to `work/`. `take` receives the names of the files and their
    /// checksums (SHA-256).
    ///
    /// # Errors
    /// The errors of [`Journal::each`] and `make`.
    pub fn each_file<E: From<JournalError>>(
        &self,
        job: &ShardJob<'_>,
        extension: &str,
        identity: &str,
        make: impl Fn(Range<u64>) -> Result<Vec<u8>, E>,
        mut take: impl FnMut(String, String),
    ) -> Result<(), E> {
        let one = |number| -> Result<Option<(String, String)>, E> {
            let shard = self.shard_of(job, number, identity);
            let file = format!("{}.{extension}", shard.name);
            if self.is_gathered(job) {
                let found = self.gather(job, number, &shard, || self.read_file(&shard, &file))?;
                return Ok(found.map(|checksum| (file, self.read_back(&shard, checksum))));
            }
            let checksum = match self.read_file(&shard, &file)? {
                Some(checksum) => self.read_back(&shard, checksum),
                None if !job.makes(number) => return Ok(None),
                None => {
                    self.check_stop()?;
                    self.write_file(&shard, &file, &make(shard.units.clone())?)?
                }
            };
            Ok(Some((file, checksum)))
        };
        self.share_out(job, one, |_, (file, checksum)| take(file, checksum))
    }

    /// A shard of a job. In a shared run it depends on the build of the program too.
    fn shard_of(&self, job: &ShardJob<'_>, number: u64, identity: &str) -> Shard {
        match self.crew() {
            None => Shard::new(job, number, identity),
            Some((_, crew)) => Shard::new(job, number, &format!("{identity} build {}", crew.build())),
        }
    }

    /// Whether this process gathers the shards of a job that other processes make.
    fn is_gathered(&self, job: &ShardJob<'_>) -> bool {
        self.crew().is_some_and(|(store, crew)| crew.task(&store.folder.path, job.name) == Task::Gather)
    }

    /// A shard that another process has made, or `None` after a report of what is wrong with it.
    fn gather<T>(
        &self,
        job: &ShardJob<'_>,
        number: u64,
        shard: &Shard,
        read: impl FnOnce() -> Result<Option<T>, JournalError>,
    ) -> Result<Option<T>, JournalError> {
        let Some((store, crew)) = self.crew() else { return read() };
        let is_there = store.work_file(&shard.name).exists();
        let (found, fault) = match read() {
            Err(JournalError::OtherWorkFile { .. }) => (None, Fault::Mismatched),
            found => (found?, if is_there { Fault::Torn } else { Fault::Missing }),
        };
        if found.is_none() {
            crew.report(Piece::new(&store.folder.path, job, number, shard, fault));
        }
        Ok(found)
    }

    /// Advances the monitor by the units of a shard that was read back.
    fn read_back<T>(&self, shard: &Shard, value: T) -> T {
        self.monitor.advance(shard.units.end - shard.units.start);
        value
    }

    /// The checksum of a result file that matches its receipt; `None` if the file must be made.
    fn read_file(&self, shard: &Shard, file: &str) -> Result<Option<String>, JournalError> {
        let Some(store) = &self.store else { return Ok(None) };
        let receipt_is_there = store.work_file(&shard.name).exists();
        let receipt: Option<String> = self.read(&shard.name, &shard.identity)?;
        let path = store.folder.path.join(file);
        let Some(bytes) = read_if_there(&path)? else { return Ok(None) };
        let whole = receipt.as_ref().is_some_and(|checksum| *checksum == sha256(&bytes));
        // A damaged receipt has been reported already.
        if !whole && (receipt.is_some() || !receipt_is_there) {
            self.monitor.warn(&format!("{} does not match its receipt; it will be rebuilt", path.display()));
        }
        Ok(receipt.filter(|_| whole))
    }

    /// Writes a result file and its receipt. The receipt comes first, so that this run never leaves a file without one; but in a shared run
    /// it comes last, because it says to the others that the shard is there.
    fn write_file(&self, shard: &Shard, file: &str, bytes: &[u8]) -> Result<String, JournalError> {
        let receipt = || self.write(&shard.name, &shard.identity, &sha256(bytes));
        let Some(store) = &self.store else { return receipt() };
        let path = store.folder.path.join(file);
        if store.crew.is_some() {
            write_atomically(&path, bytes)?;
            return receipt();
        }
        let checksum = receipt()?;
        write_atomically(&path, bytes)?;
        Ok(checksum)
    }
}

impl Store {
    fn work_file(&self, name: &str) -> PathBuf {
        self.folder.path.join(WORK).join(name)
    }
}
