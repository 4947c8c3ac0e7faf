//! Opening a run folder: the check of its owner, its lock, and the removal of what a killed process left half-written.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use tilewright_engine::artefact::{ArtefactError, MANIFEST, TEMPORARY, write_atomically};
use tilewright_engine::monitor::Monitor;

use super::envelope::{self, Envelope, identity_of};
use super::failure::JournalError;
use super::payload;
use super::run_key::{RunKey, difference_of_configs};

/// The folder of the work files, inside the run's folder.
pub const WORK: &str = "work";
/// The config of the run, as TOML, inside the run's folder.
pub const CONFIG: &str = "config.toml";
/// An empty file that the process of the run locks. It stays when the run ends: if it were removed, two processes could
/// lock two files of that name.
const LOCK: &str = ".lock";
/// The work file that holds the run key.
const RUN: &str = "run";

/// The run that owns a folder which may be opened.
#[derive(Clone, Copy, PartialEq)]
enum Owner {
    /// No run yet, or a run that only its config names.
    Unnamed,
    /// A run whose stored key cannot be read.
    Damaged,
    /// The run that is opening it.
    Same,
}

/// Locks the folder for a run and prepares it.
pub(super) fn open(folder: &Path, key: &RunKey, monitor: &dyn Monitor) -> Result<File, JournalError> {
    if folder.is_file() {
        return Err(JournalError::NotAFolder { folder: folder.into() });
    }
    let unwritable = |source| JournalError::Unwritable { folder: folder.into(), source };
    std::fs::create_dir_all(folder).map_err(unwritable)?;
    // Checked twice: a refused folder must not get a lock file, and another process may change it before the lock.
    owner(folder, key)?;
    let lock = lock(folder, monitor)?;
    let owner = owner(folder, key)?;
    clear_temporary(folder).map_err(unwritable)?;
    let config = folder.join(CONFIG);
    let own = read_if_there(&config)?;
    if own.as_deref() != Some(key.config().as_bytes()) {
        if own.is_some() {
            monitor.warn(&format!("{} is damaged; it will be rebuilt", config.display()));
        }
        write_atomically(&config, key.config().as_bytes())?;
    }
    let work = folder.join(WORK);
    std::fs::create_dir_all(&work).map_err(unwritable)?;
    if !work.is_symlink() {
        clear_temporary(&work).map_err(unwritable)?;
    }
    if owner != Owner::Same {
        let path = work.join(RUN);
        if owner == Owner::Damaged {
            monitor.warn(&format!("{} is damaged; it will be rebuilt", path.display()));
        }
        let (payload, _) = payload::encode(key).map_err(|reason| JournalError::Payload { name: RUN.into(), reason })?;
        write_atomically(&path, &envelope::to_bytes(&key.hash(), &identity_of(RUN, ""), &payload))?;
    }
    Ok(lock)
}

/// Fails unless the folder belongs to this run or to none.
fn owner(folder: &Path, key: &RunKey) -> Result<Owner, JournalError> {
    if folder.join(MANIFEST).exists() {
        return Err(JournalError::Finished { folder: folder.into() });
    }
    let other = |(what, difference)| JournalError::OtherRun { folder: folder.into(), what, difference };
    let path = folder.join(WORK).join(RUN);
    let bytes = read_if_there(&path)?;
    match bytes.as_deref().map(Envelope::from_bytes) {
        Some(Envelope::OtherFormat) => return Err(JournalError::OtherWorkFile { path }),
        Some(Envelope::Whole { payload, .. }) => {
            if let Some(own) = payload::decode::<RunKey>(payload) {
                return own.difference(key).map_or(Ok(Owner::Same), |difference| Err(other(difference)));
            }
        }
        Some(Envelope::Damaged) | None => {}
    }
    let named = if bytes.is_some() { Owner::Damaged } else { Owner::Unnamed };
    match read_if_there(&folder.join(CONFIG))? {
        Some(own) if own == key.config().as_bytes() => Ok(named),
        Some(own) => Err(other(("config".into(), difference_of_configs(&String::from_utf8_lossy(&own), key.config())))),
        None if is_empty(folder).map_err(|source| JournalError::Unwritable { folder: folder.into(), source })? => Ok(named),
        None => Err(JournalError::NotEmpty { folder: folder.into() }),
    }
}

/// The content of a file; `None` if there is none.
pub(super) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, JournalError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ArtefactError::File { path: path.into(), source }.into()),
    }
}

/// Whether a folder holds at most the lock and half-written files of a run that was killed at its start.
fn is_empty(folder: &Path) -> std::io::Result<bool> {
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        if name != LOCK && !is_temporary(&name) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_temporary(name: &std::ffi::OsStr) -> bool {
    name.to_string_lossy().starts_with(TEMPORARY)
}

/// Locks the folder until the file is closed, at the latest when the process ends.
fn lock(folder: &Path, monitor: &dyn Monitor) -> Result<File, JournalError> {
    let unwritable = |source| JournalError::Unwritable { folder: folder.into(), source };
    let file = File::options().write(true).create(true).truncate(false).open(folder.join(LOCK)).map_err(unwritable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(JournalError::Locked { folder: folder.into() }),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {
            let folder = folder.display();
            monitor.warn(&format!("{folder} cannot be locked on this file system; do not start a second process in it"));
            Ok(file)
        }
        Err(TryLockError::Error(error)) => Err(unwritable(error)),
    }
}

/// Removes half-written files from a folder; symbolic links in it are not followed.
fn clear_temporary(folder: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if is_temporary(&entry.file_name()) && !entry.file_type()?.is_dir() {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
