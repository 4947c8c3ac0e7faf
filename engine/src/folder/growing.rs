//! Atomic writing: files and folders that appear whole or not at all.
//!
//! Until it is in its place, a file or a folder has a temporary name and is locked, so that [`Folder::clear_temporary`] knows those that a
//! killed process has left.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{Error, ErrorKind, Result as IoResult, Write};
use std::path::Path;
use std::sync::Arc;

use cap_fs_ext::DirExt;
use cap_std::fs::{Dir, File as CapFile, OpenOptions};

use super::{FileError, Folder, TEMPORARY};

/// Writes a file atomically: it appears whole or not at all, even if the power fails.
///
/// # Errors
/// [`FileError::File`] with `path`, not with the path of the temporary file.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let (folder, name) = Folder::of_file(path)?;
    folder.write(name, bytes)
}

impl Folder {
    /// Writes a file atomically, in place of an earlier one.
    ///
    /// # Errors
    /// [`FileError::File`] with the path of the file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        let mut file = self.begin(name)?;
        file.write_all(bytes).map_err(self.fault(name))?;
        file.finish()
    }

    /// Begins a file.
    ///
    /// # Errors
    /// As [`Folder::write`].
    pub(crate) fn begin(&self, name: &str) -> Result<GrowingFile, FileError> {
        self.plain(name)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        let make = |temporary: &str| self.dir.open_with(temporary, &options).map(CapFile::into_std);
        let (temporary, file) = temporary(&self.dir, make, |file| drop(file.lock())).map_err(self.fault(name))?;
        Ok(GrowingFile { folder: self.clone(), name: name.into(), temporary, file })
    }

    /// Begins a folder.
    ///
    /// # Errors
    /// [`FileError`] with the path of the folder.
    pub fn begin_folder(&self, name: &str) -> Result<GrowingFolder, FileError> {
        self.plain(name)?;
        let make = |temporary: &str| {
            self.dir.create_dir(temporary)?;
            // Another process that clears may be faster. Then another name is tried.
            let dir = self.dir.open_dir_nofollow(temporary).map_err(|_| ErrorKind::AlreadyExists)?;
            // Not every system opens a folder as a file.
            let lock = dir.open(".").ok().map(CapFile::into_std);
            Ok((Arc::new(dir), lock))
        };
        let made = temporary(&self.dir, make, |(_, lock)| drop(lock.as_ref().map(File::lock)));
        let (temporary, (dir, lock)) = made.map_err(self.fault(name))?;
        let folder = Folder { path: self.place(&temporary), dir };
        Ok(GrowingFolder { parent: self.clone(), name: name.into(), folder, temporary, _lock: lock })
    }

    /// Sees to it that names are on the disk. Not every system can do that.
    fn sync(&self) {
        let _ = self.dir.open(".").and_then(|folder| folder.sync_all());
    }
}

/// Makes something under a temporary name, and locks it. Returns the name too. Where nothing can be locked, nothing is cleared either.
fn temporary<T>(dir: &Dir, make: impl Fn(&str) -> IoResult<T>, lock: impl Fn(&T)) -> IoResult<(String, T)> {
    loop {
        let name = format!("{TEMPORARY}{:016x}", RandomState::new().hash_one(0));
        let made = match make(&name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            made => made?,
        };
        lock(&made);
        // Somebody may have cleared it before it was locked.
        if dir.symlink_metadata(&name).is_ok() {
            return Ok((name, made));
        }
    }
}

/// A file that is written piece by piece under a temporary name. When finished, it appears in its place whole or not at all.
#[derive(Debug)]
pub struct GrowingFile {
    folder: Folder,
    name: String,
    /// The temporary name, empty once the file is in its place.
    temporary: String,
    file: File,
}

impl GrowingFile {
    /// Begins the file that is to be at `path`.
    ///
    /// # Errors
    /// [`FileError::File`] with `path`, not with the path of the temporary file.
    pub fn new(path: &Path) -> Result<GrowingFile, FileError> {
        let (folder, name) = Folder::of_file(path)?;
        folder.begin(name)
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// As [`GrowingFile::new`].
    pub fn finish(mut self) -> Result<(), FileError> {
        let GrowingFile { folder, name, temporary, file } = &mut self;
        let placed = file.sync_all().and_then(|()| folder.dir.rename(&*temporary, &folder.dir, &*name));
        placed.map_err(folder.fault(name))?;
        temporary.clear();
        folder.sync();
        Ok(())
    }
}

impl Drop for GrowingFile {
    fn drop(&mut self) {
        if !self.temporary.is_empty() {
            let _ = self.folder.dir.remove_file(&self.temporary);
        }
    }
}

impl Write for GrowingFile {
    fn write(&mut self, bytes: &[u8]) -> IoResult<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> IoResult<()> {
        self.file.flush()
    }
}

/// A folder that is filled under a temporary name. It appears in its place when it is finished, or it is removed.
#[derive(Debug)]
pub struct GrowingFolder {
    parent: Folder,
    name: String,
    folder: Folder,
    /// The temporary name, empty once the folder is in its place.
    temporary: String,
    _lock: Option<File>,
}

impl GrowingFolder {
    /// Begins the folder for `path`, makes the folders above it, and clears leftovers of killed processes beside it.
    ///
    /// # Errors
    /// [`FileError`] with `path`, not with the path of the temporary folder.
    pub fn new(path: &Path) -> Result<GrowingFolder, FileError> {
        if let Some(above) = path.parent() {
            Folder::make(above)?;
        }
        let (folder, name) = Folder::of_file(path)?;
        folder.clear_temporary()?;
        folder.begin_folder(name)
    }

    /// The folder, to write into.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Puts the folder in its place. An empty folder there gives way. If something else is there, the folder gets a name that is free.
    ///
    /// # Errors
    /// [`FileError`], which names the other place.
    pub fn finish(mut self) -> Result<(), FileError> {
        let GrowingFolder { parent, name, temporary, .. } = &mut self;
        // The systems do not agree whether an empty folder gives way by itself.
        let _ = parent.dir.remove_dir(&*name);
        let renamed = parent.dir.rename(&*temporary, &parent.dir, &*name);
        let Err(error) = renamed else {
            temporary.clear();
            parent.sync();
            return Ok(());
        };
        let free = temporary.replace(TEMPORARY, &format!("{name}-"));
        let mut reason = error.to_string();
        if parent.dir.rename(&*temporary, &parent.dir, &free).is_ok() {
            temporary.clear();
            reason += &format!("; what was made is in {}", parent.place(&free).display());
        }
        Err(parent.fault(name)(Error::new(error.kind(), reason)))
    }
}

impl Drop for GrowingFolder {
    fn drop(&mut self) {
        if !self.temporary.is_empty() {
            let _ = self.parent.dir.remove_dir_all(&self.temporary);
        }
    }
}
