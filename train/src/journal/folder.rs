//! Opening a run folder: the check of its owner, its lock, and the removal of half-written files of a killed process.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use tilewright_engine::artefact::MANIFEST;
use tilewright_engine::folder::{FileError, Folder, TEMPORARY};
use tilewright_engine::input_file::limits;
use tilewright_engine::monitor::Monitor;

use super::envelope::{self, Envelope, identity_of};
use super::failure::JournalError;
use super::run_key::{RunKey, difference_of_configs};
use super::scheduler::Opening;

/// The folder of the work files, inside the run's folder.
pub const WORK: &str = "work";
/// The config of the run, as TOML, inside the run's folder.
pub const CONFIG: &str = "config.toml";
/// An empty file that the process of the run locks. It stays: after a removal, two processes could lock two such files.
const LOCK: &str = ".lock";
/// The work file that holds the run key.
pub const RUN: &str = "run";

/// The files of a folder that name its run.
struct Stored {
    /// The run's key.
    key: Option<RunKey>,
    key_is_damaged: bool,
    /// The run's config, or `None` if no run has begun in the folder.
    config: Option<String>,
}

/// A folder that a run holds open, with its lock.
pub(super) struct Store {
    pub folder: Folder,
    /// The folder of the work files.
    pub work: Folder,
    /// The key of the run, with all builds that worked on it.
    pub key: RunKey,
    /// The lock ends when this file is closed.
    _lock: File,
}

/// The folder of a run, which is made unless another process must have begun the run.
pub(super) fn prepared(path: &Path, opening: &Opening<'_>) -> Result<Folder, JournalError> {
    let inside = opening.within.as_ref().and_then(|within| Some((within, within.names_to(path)?)));
    if let Some(file) = path.ancestors().find(|above| above.is_file()) {
        return Err(JournalError::NotAFolder { folder: file.into() });
    }
    match (opening.is_alone(), inside) {
        (false, _) if !path.is_dir() => Err(JournalError::NotBegun { folder: path.into() }),
        (true, Some((within, names))) => within.make_below(names).map_err(unwritable(path)),
        (true, None) => Folder::make(path).map_err(unwritable(path)),
        (false, Some((within, names))) => Ok(within.below(names)?),
        (false, None) => Ok(Folder::open(path)?),
    }
}

/// Locks the folder for a run and prepares it.
pub(super) fn open(folder: Folder, key: &RunKey, opening: &Opening<'_>) -> Result<Store, JournalError> {
    let (monitor, path) = (opening.monitor, folder.path().to_path_buf());
    let path = path.as_path();
    // Checked twice: a refused folder must not get a lock file, and another process may change it before the lock.
    owner(&folder, key, opening)?;
    let lock = lock(&folder, monitor, File::try_lock)?;
    let Stored { key: own_key, key_is_damaged, .. } = owner(&folder, key, opening)?;
    folder.clear_temporary().map_err(unwritable(path))?;
    let own = folder.read(CONFIG, limits::TABLE)?;
    if own.as_deref() != Some(key.config.as_bytes()) {
        if own.is_some() {
            monitor.warn(&format!("{} is damaged; it will be rebuilt", folder.place(CONFIG).display()));
        }
        folder.write(CONFIG, key.config.as_bytes())?;
    }
    let work = folder.make_folder(WORK).map_err(unwritable(path))?;
    work.clear_temporary().map_err(unwritable(path))?;
    if key_is_damaged {
        monitor.warn(&format!("{} is damaged; it will be rebuilt", work.place(RUN).display()));
    }
    let key = own_key.as_ref().map_or_else(|| key.clone(), |own| key.after(own));
    if own_key.as_ref() != Some(&key) {
        let (payload, _) = envelope::encode(&key).map_err(|reason| JournalError::Payload { name: RUN.into(), reason })?;
        work.write(RUN, &envelope::to_bytes(&key.hash(), &identity_of(RUN, ""), &payload))?;
    }
    Ok(Store { folder, work, key, _lock: lock })
}

/// Opens the folder of a run that another process has prepared, and shares its lock.
pub(super) fn join(folder: Folder, key: &RunKey, opening: &Opening<'_>) -> Result<Store, JournalError> {
    let Some(own) = owner(&folder, key, opening)?.key else {
        return Err(JournalError::NotBegun { folder: folder.path().into() });
    };
    let (lock, work) = (lock(&folder, opening.monitor, File::try_lock_shared)?, folder.folder(WORK)?);
    Ok(Store { folder, work, key: key.after(&own), _lock: lock })
}

/// The config of the run to which a folder belongs, as TOML, or `None` if a run may begin in the folder. The function changes
/// nothing, and the folder need not exist.
///
/// # Errors
/// As [`Journal::open`](super::Journal::open): the folder is a file or holds something else.
pub fn config_of(folder: &Path) -> Result<Option<String>, JournalError> {
    if folder.is_file() {
        return Err(JournalError::NotAFolder { folder: folder.into() });
    }
    if !folder.exists() {
        return Ok(None);
    }
    Ok(stored(&Folder::open(folder)?, true)?.config)
}

/// Reads the files of a folder that name its run. Fails for other contents, or for a finished result unless the run `grows`.
fn stored(folder: &Folder, grows: bool) -> Result<Stored, JournalError> {
    let path = folder.path();
    if !grows && folder.has(MANIFEST) {
        return Err(JournalError::Finished { folder: path.into() });
    }
    let (key, key_is_damaged) = match stored_key(folder) {
        Err(JournalError::Damaged { .. }) => (None, true),
        key => (key?, false),
    };
    let config = match &key {
        Some(key) => Some(key.config.clone()),
        None => folder.read(CONFIG, limits::TABLE)?.map(|config| String::from_utf8_lossy(&config).into_owned()),
    };
    if config.is_none() && !is_empty(folder).map_err(unwritable(path))? {
        return Err(JournalError::NotEmpty { folder: path.into() });
    }
    Ok(Stored { key, key_is_damaged, config })
}

/// The key of the run to which a folder belongs, or `None` if it has no key.
///
/// # Errors
/// [`JournalError::Damaged`] if it cannot be read, [`JournalError::OtherWorkFile`] for a run of another format, and
/// [`JournalError::File`].
pub(super) fn stored_key(folder: &Folder) -> Result<Option<RunKey>, JournalError> {
    if !folder.has(WORK) {
        return Ok(None);
    }
    let work = folder.folder(WORK)?;
    let Some(bytes) = work.read(RUN, limits::TABLE)? else { return Ok(None) };
    let damaged = || JournalError::Damaged { path: work.place(RUN) };
    match Envelope::from_bytes(&bytes) {
        Envelope::OtherFormat => Err(JournalError::OtherWorkFile { path: work.place(RUN) }),
        Envelope::Whole { payload, .. } => envelope::decode(payload).map(Some).ok_or_else(damaged),
        Envelope::Damaged => Err(damaged()),
    }
}

/// Fails unless the folder belongs to this run or to none.
fn owner(folder: &Folder, key: &RunKey, opening: &Opening<'_>) -> Result<Stored, JournalError> {
    let stored = stored(folder, opening.grows)?;
    let folder = || folder.path().to_path_buf();
    let difference = match (&stored.key, &stored.config) {
        (Some(own), _) => own.difference(key),
        (None, Some(own)) if *own != key.config => Some(("config".into(), difference_of_configs(own, &key.config))),
        _ => None,
    };
    if let Some((what, difference)) = difference {
        return Err(JournalError::OtherRun { folder: folder(), what, difference });
    }
    let is_accepted = |own: &&RunKey| opening.accept_other_build || own.builds.iter().any(|build| build == key.build());
    match stored.key.as_ref().filter(|own| !is_accepted(own)) {
        Some(own) => {
            Err(JournalError::OtherBuild { folder: folder(), theirs: own.builds.join(", "), own: key.build().into() })
        }
        None => Ok(stored),
    }
}

/// Whether a folder holds at most the lock and half-written files of a run that was killed at its start.
fn is_empty(folder: &Folder) -> Result<bool, FileError> {
    Ok(folder.names()?.iter().all(|name| name == LOCK || name.starts_with(TEMPORARY)))
}

/// The error of a folder that cannot be prepared.
fn unwritable(folder: &Path) -> impl Fn(FileError) -> JournalError {
    move |error| match error {
        FileError::File { source, .. } => JournalError::Unwritable { folder: folder.into(), source },
        error => error.into(),
    }
}

/// Locks the folder until the file is closed, at the latest when the process ends.
fn lock(
    folder: &Folder,
    monitor: &dyn Monitor,
    take: impl FnOnce(&File) -> Result<(), TryLockError>,
) -> Result<File, JournalError> {
    let path = folder.path();
    let file = folder.open_or_make(LOCK).map_err(unwritable(path))?;
    match take(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(JournalError::Locked { folder: path.into() }),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {
            let folder = path.display();
            monitor.warn(&format!("{folder} cannot be locked on this file system; do not start a second process in it"));
            Ok(file)
        }
        Err(TryLockError::Error(source)) => Err(JournalError::Unwritable { folder: path.into(), source }),
    }
}
