//! The files by which the processes of a job see each other: locks, which end with their process, and the names of processes.

use std::fs::{File, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tilewright_engine::folder::Folder;
use tilewright_engine::input_file::limits;

use crate::failure::Failure;
use crate::interrupts;
use crate::status::status;

/// The file of a job that the process which merges has locked.
pub const MERGE_LOCK: &str = "merge.lock";
/// The shortest and the longest time between two looks at the work of others.
const SHORTEST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(500);
/// A process that has waited for some time waits for this fraction of it until the next look. So it loses little of the time that the others
/// need, and its looks cost little however long that is.
const FRACTION: u32 = 8;
/// A process that waits for a lock reports it after this time.
const SAID_AFTER: Duration = Duration::from_secs(1);

/// Locks a file for this process, and makes it if there is none. `None` if another process has locked it. If files cannot be
/// locked, every process gets the file.
pub fn lock(folder: &Folder, name: &str) -> Result<Option<File>, Failure> {
    let file = folder.open_or_make(name)?;
    Ok(match file.try_lock() {
        Err(TryLockError::WouldBlock) => None,
        Ok(()) | Err(TryLockError::Error(_)) => Some(file),
    })
}

/// Like [`lock`], but waits for another process that has locked the file: at most for some time, and until a stop request. `None` if that
/// process has not ended until then.
pub fn lock_within(most: Duration, folder: &Folder, name: &str) -> Result<Option<File>, Failure> {
    let (begun, mut waiting, mut is_said) = (Instant::now(), Waiting::default(), false);
    interrupts::catch();
    loop {
        match lock(folder, name)? {
            None if begun.elapsed() < most && !interrupts::is_stopped() => waiting.sleep(),
            lock => return Ok(lock),
        }
        if begun.elapsed() > SAID_AFTER && !std::mem::replace(&mut is_said, true) {
            status!("waiting for another process, which has locked {}; Ctrl-C ends this one", folder.place(name).display());
        }
    }
}

/// Whether a process has locked a file.
pub fn is_locked(folder: &Folder, name: &str) -> bool {
    folder.open_file(name).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Refuses a job whose files cannot be locked: its workers could not share the work.
pub fn check_locks(job: &Folder) -> Result<(), Failure> {
    match job.open_or_make(MERGE_LOCK)?.try_lock_shared() {
        Err(TryLockError::Error(error)) => Err(Failure::input(format!(
            "{}: files cannot be locked on this file system ({error}), so workers cannot agree on who merges; make shards with tilewright work run \
             --shard or --next, and merge with tilewright work merge",
            job.path().display()
        ))),
        Ok(()) | Err(TryLockError::WouldBlock) => Ok(()),
    }
}

/// Reads a JSON file, or returns `None` if there is none.
pub fn read_json<T: DeserializeOwned>(folder: &Folder, name: &str) -> Result<Option<T>, Failure> {
    let Some(bytes) = folder.read(name, limits::JSON)? else { return Ok(None) };
    let damaged = |error| Failure::input(format!("{} is damaged ({error})", folder.place(name).display()));
    serde_json::from_slice(&bytes).map(Some).map_err(damaged)
}

/// Writes a JSON file.
pub fn write_json(folder: &Folder, name: &str, value: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(value)? + "\n";
    Ok(folder.write(name, json.as_bytes())?)
}

/// The name of this machine.
pub fn host() -> String {
    let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let host: String = host.trim().chars().filter(|&letter| letter.is_alphanumeric() || "-.".contains(letter)).collect();
    if host.is_empty() { "host".into() } else { host }
}

/// The name of this machine, and of the process on it.
pub fn process() -> String {
    format!("{}:{}", host(), std::process::id())
}

/// The name by which this process is known to others. Several machines, or containers on one, may have the same name and the same process
/// numbers, so it is drawn.
pub fn drawn_name() -> String {
    format!("{}-{:016x}", host(), RandomState::new().hash_one(std::process::id()))
}

/// How long a process has waited for others.
#[derive(Default)]
pub struct Waiting {
    since: Option<Instant>,
    total: Duration,
}

impl Waiting {
    /// Sleeps until the next look.
    pub fn sleep(&mut self) {
        let begun = Instant::now();
        let waited = *self.since.get_or_insert(begun);
        sleep((waited.elapsed() / FRACTION).clamp(SHORTEST, LONGEST));
        self.total += begun.elapsed();
    }

    /// There was something to do.
    pub fn end(&mut self) {
        self.since = None;
    }

    /// The time spent in [`Waiting::sleep`], in seconds.
    pub fn seconds(&self) -> f64 {
        self.total.as_secs_f64()
    }
}
