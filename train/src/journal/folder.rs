//! Opening a run folder: the check of its owner, its lock, and the removal of what a killed process left half-written.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use tilewright_engine::artefact::{ArtefactError, MANIFEST, TEMPORARY, write_atomically};
use tilewright_engine::input_file;
use tilewright_engine::monitor::Monitor;

use super::envelope::{self, Envelope, identity_of};
use super::failure::JournalError;
use super::opening::Opening;
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
pub const RUN: &str = "run";

/// The run that owns a folder which may be opened.
#[derive(Clone, PartialEq)]
enum Owner {
    /// No run yet, or a run that only its config names.
    Unnamed,
    /// A run whose stored key cannot be read.
    Damaged,
    /// The run that is opening it, with its stored key.
    Same(RunKey),
}

/// Locks the folder for a run and prepares it. Returns the key of the run with all builds that worked on it.
pub(super) fn open(folder: &Path, key: &RunKey, opening: &Opening<'_>) -> Result<(File, RunKey), JournalError> {
    let monitor = opening.monitor;
    if folder.is_file() {
        return Err(JournalError::NotAFolder { folder: folder.into() });
    }
    let unwritable = |source| JournalError::Unwritable { folder: folder.into(), source };
    std::fs::create_dir_all(folder).map_err(unwritable)?;
    // Checked twice: a refused folder must not get a lock file, and another process may change it before the lock.
    owner(folder, key, opening)?;
    let lock = lock(folder, monitor, File::try_lock)?;
    let owner = owner(folder, key, opening)?;
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
    let path = work.join(RUN);
    let key = match &owner {
        Owner::Same(own) => key.after(own),
        Owner::Damaged => {
            monitor.warn(&format!("{} is damaged; it will be rebuilt", path.display()));
            key.clone()
        }
        Owner::Unnamed => key.clone(),
    };
    if owner != Owner::Same(key.clone()) {
        let (payload, _) = payload::encode(&key).map_err(|reason| JournalError::Payload { name: RUN.into(), reason })?;
        write_atomically(&path, &envelope::to_bytes(&key.hash(), &identity_of(RUN, ""), &payload))?;
    }
    Ok((lock, key))
}

/// Opens the folder of a run that another process has prepared, and shares its lock.
pub(super) fn join(folder: &Path, key: &RunKey, opening: &Opening<'_>) -> Result<(File, RunKey), JournalError> {
    if folder.is_dir()
        && let Owner::Same(own) = owner(folder, key, opening)?
    {
        return Ok((lock(folder, opening.monitor, File::try_lock_shared)?, key.after(&own)));
    }
    Err(JournalError::NotBegun { folder: folder.into() })
}

/// The config of the unfinished run to which a folder belongs, as TOML; `None` if a run may begin in the folder. It changes nothing, and
/// the folder need not exist.
///
/// # Errors
/// As [`Journal::open`](super::Journal::open): the folder is a file, holds something else or a finished result.
pub fn config_of(folder: &Path) -> Result<Option<String>, JournalError> {
    if folder.is_file() {
        return Err(JournalError::NotAFolder { folder: folder.into() });
    }
    if !folder.exists() {
        return Ok(None);
    }
    Ok(match stored(folder, false)? {
        Stored::Key(key) => Some(key.config().into()),
        Stored::Config { config, .. } => Some(config),
        Stored::Nothing { .. } => None,
    })
}

/// What a folder says of its run.
enum Stored {
    /// The run's key.
    Key(RunKey),
    /// The run's config; its key is missing or damaged.
    Config { config: String, key_is_damaged: bool },
    /// Nothing: no run has begun in it.
    Nothing { key_is_damaged: bool },
}

/// What a folder says of its run. Fails if it holds something that is no run, or a finished result, unless the run `grows`.
fn stored(folder: &Path, grows: bool) -> Result<Stored, JournalError> {
    if !grows && folder.join(MANIFEST).exists() {
        return Err(JournalError::Finished { folder: folder.into() });
    }
    let path = folder.join(WORK).join(RUN);
    let bytes = read_if_there(&path)?;
    match bytes.as_deref().map(Envelope::from_bytes) {
        Some(Envelope::OtherFormat) => return Err(JournalError::OtherWorkFile { path }),
        Some(Envelope::Whole { payload, .. }) => {
            if let Some(key) = payload::decode::<RunKey>(payload) {
                return Ok(Stored::Key(key));
            }
        }
        Some(Envelope::Damaged) | None => {}
    }
    let key_is_damaged = bytes.is_some();
    let unwritable = |source| JournalError::Unwritable { folder: folder.into(), source };
    match read_if_there(&folder.join(CONFIG))? {
        Some(config) => Ok(Stored::Config { config: String::from_utf8_lossy(&config).into_owned(), key_is_damaged }),
        None if is_empty(folder).map_err(unwritable)? => Ok(Stored::Nothing { key_is_damaged }),
        None => Err(JournalError::NotEmpty { folder: folder.into() }),
    }
}

/// Fails unless the folder belongs to this run or to none.
fn owner(folder: &Path, key: &RunKey, opening: &Opening<'_>) -> Result<Owner, JournalError> {
    let other = |(what, difference)| Err(JournalError::OtherRun { folder: folder.into(), what, difference });
    let named = |key_is_damaged| Ok(if key_is_damaged { Owner::Damaged } else { Owner::Unnamed });
    match stored(folder, opening.grows)? {
        Stored::Key(own) => match own.difference(key) {
            Some(difference) => other(difference),
            None if opening.accept_other_build || own.builds().iter().any(|build| build == key.build()) => {
                Ok(Owner::Same(own))
            }
            None => {
                let (theirs, own) = (own.builds().join(", "), key.build().into());
                Err(JournalError::OtherBuild { folder: folder.into(), theirs, own })
            }
        },
        Stored::Config { config, key_is_damaged } if config == key.config() => named(key_is_damaged),
        Stored::Config { config, .. } => other(("config".into(), difference_of_configs(&config, key.config()))),
        Stored::Nothing { key_is_damaged } => named(key_is_damaged),
    }
}

/// The content of a file; `None` if there is none.
pub(super) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, JournalError> {
    match input_file::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
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
fn lock(
    folder: &Path,
    monitor: &dyn Monitor,
    take: impl FnOnce(&File) -> Result<(), TryLockError>,
) -> Result<File, JournalError> {
    let unwritable = |source| JournalError::Unwritable { folder: folder.into(), source };
    let path = folder.join(LOCK);
    // A pipe would wait for a reader, and a link may lead to another folder.
    if std::fs::symlink_metadata(&path).is_ok_and(|there| !there.is_file()) {
        let reason = format!("{} is not a file; remove it", path.display());
        return Err(unwritable(std::io::Error::new(ErrorKind::InvalidInput, reason)));
    }
    let file = File::options().write(true).create(true).truncate(false).open(path).map_err(unwritable)?;
    match take(&file) {
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
