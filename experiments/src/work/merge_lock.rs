//! The lock of the process that merges.

use std::fs::{File, TryLockError};
use std::thread::sleep;
use std::time::Duration;

use super::job::Job;
use crate::failure::Failure;

const FILE: &str = "merge.lock";

/// How often a merge asks for the right before it gives up, and the time between: processes that look at the lock hold it for a moment.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);

/// The right to merge; it ends with the process.
pub struct MergeLock {
    _file: Option<File>,
}

/// What came of asking for the right to merge.
pub enum Asked {
    /// This process has it.
    Granted(MergeLock),
    /// Another process is merging.
    Refused,
}

impl MergeLock {
    /// Asks for the right to merge. Where files cannot be locked, everybody has it.
    pub fn ask(job: &Job) -> Result<Asked, Failure> {
        let file = open(job)?;
        Ok(match file.try_lock() {
            Ok(()) => Asked::Granted(MergeLock { _file: Some(file) }),
            Err(TryLockError::WouldBlock) => Asked::Refused,
            Err(TryLockError::Error(_)) => Asked::Granted(MergeLock { _file: None }),
        })
    }

    /// Asks until it is clear that another process is merging.
    pub fn wait(job: &Job) -> Result<MergeLock, Failure> {
        for _ in 0..ATTEMPTS {
            if let Asked::Granted(lock) = MergeLock::ask(job)? {
                return Ok(lock);
            }
            sleep(PAUSE);
        }
        Err(Failure::input(format!("another process is merging {}; wait until it has ended", job.folder.display())))
    }
}

/// Whether a process is merging.
pub fn is_merging(job: &Job) -> bool {
    open(job).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Refuses a folder whose files cannot be locked: the workers could not agree on who does what.
pub fn check(job: &Job) -> Result<(), Failure> {
    match open(job)?.try_lock_shared() {
        Err(TryLockError::Error(error)) => Err(Failure::input(format!(
            "{}: files cannot be locked on this file system ({error}), so workers cannot agree on who merges; make pieces with tilewright work run \
             --shard or --next, and merge with tilewright work merge",
            job.folder.display()
        ))),
        Ok(()) | Err(TryLockError::WouldBlock) => Ok(()),
    }
}

fn open(job: &Job) -> Result<File, Failure> {
    Ok(File::options().write(true).create(true).truncate(false).open(job.folder.join(FILE))?)
}
