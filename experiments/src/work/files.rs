//! The files by which the processes of a job see each other: locks, which end with their process, and the names of processes.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::job::Job;
use crate::failure::Failure;

/// The shortest and the longest time between two looks at the work of others.
const SHORTEST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(500);
/// A process that has waited for some time waits for this fraction of it until the next look. So it loses little of the time that the others
/// need, and its looks cost little however long that is.
const FRACTION: u32 = 8;

/// Locks a file for this process, and makes it if there is none; `None` if another process has locked it. Where files cannot be locked,
/// everybody gets it.
pub fn lock(path: &Path) -> Result<Option<File>, Failure> {
    let file = open(path)?;
    Ok(match file.try_lock() {
        Err(TryLockError::WouldBlock) => None,
        Ok(()) | Err(TryLockError::Error(_)) => Some(file),
    })
}

/// Like [`lock`], but waits for another process that has locked the file, at most for some time.
pub fn lock_within(most: Duration, path: &Path) -> Result<Option<File>, Failure> {
    let (begun, mut waiting) = (Instant::now(), Waiting::default());
    loop {
        match lock(path)? {
            None if begun.elapsed() < most => waiting.sleep(),
            lock => return Ok(lock),
        }
    }
}

/// Whether a process has locked a file.
pub fn is_locked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Refuses a job whose files cannot be locked: its workers could not agree on who does what.
pub fn check_locks(job: &Job) -> Result<(), Failure> {
    match open(&job.merge_lock())?.try_lock_shared() {
        Err(TryLockError::Error(error)) => Err(Failure::input(format!(
            "{}: files cannot be locked on this file system ({error}), so workers cannot agree on who merges; make shards with tilewright work run \
             --shard or --next, and merge with tilewright work merge",
            job.folder.display()
        ))),
        Ok(()) | Err(TryLockError::WouldBlock) => Ok(()),
    }
}

fn open(path: &Path) -> Result<File, Failure> {
    Ok(File::options().read(true).write(true).create(true).truncate(false).open(path)?)
}

/// What lies in a folder, in the order of the names; nothing if there is no folder.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}

/// The name of this machine.
pub fn host() -> String {
    let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let host: String = host.trim().chars().filter(|&letter| letter.is_alphanumeric() || "-.".contains(letter)).collect();
    if host.is_empty() { "host".into() } else { host }
}

/// The name of this machine, and of the process.
pub fn process() -> String {
    format!("{}:{}", host(), std::process::id())
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
