//! Folders that are held open, and their contents.
//!
//! Everything in a [`Folder`] is reached through its handle. If somebody renames the folder or puts another in its place,
//! files are still written to the opened folder. Names are single components, links are not followed, and only regular files
//! are read. So nothing that a stranger puts into a folder leads out of it, waits without end, or is read without a limit.

use std::fs::File;
use std::io::{Error, ErrorKind, Result as IoResult};
use std::path::{Path, PathBuf, is_separator};
use std::sync::Arc;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType, OpenOptions};
use thiserror::Error as ThisError;

use crate::input_file::{is_too_large, read_file};

mod growing;

pub use growing::{GrowingFile, GrowingFolder, write_atomically};

/// The prefix of the names of temporary files and folders.
pub const TEMPORARY: &str = ".tilewright-";

/// Why a file or a folder cannot be used.
#[derive(Debug, ThisError)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum FileError {
    /// The system refuses it.
    #[error("{path}: {source}")]
    File { path: PathBuf, source: Error },
    #[error("{path} is {what}, which has no place here; remove it, or put the file or the folder itself there")]
    Strange { path: PathBuf, what: &'static str },
    #[error("{path}: {name:?} is not a plain file name")]
    Name { path: PathBuf, name: String },
}

impl FileError {
    /// Whether the file itself is at fault, and not the system.
    pub fn is_of_content(&self) -> bool {
        match self {
            FileError::File { source, .. } => is_too_large(source),
            FileError::Strange { .. } | FileError::Name { .. } => true,
        }
    }

    /// Whether nothing is at the path.
    pub fn is_not_found(&self) -> bool {
        matches!(self, FileError::File { source, .. } if source.kind() == ErrorKind::NotFound)
    }

    /// The same error of another path.
    fn of(self, path: &Path) -> FileError {
        match self {
            FileError::File { source, .. } => FileError::File { path: path.into(), source },
            error => error,
        }
    }
}

/// A folder that is held open. A copy shares the handle.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    dir: Arc<Dir>,
}

impl Folder {
    /// Opens a folder as a user names it: links on the way are followed.
    ///
    /// # Errors
    /// [`FileError::File`].
    pub fn open(path: &Path) -> Result<Folder, FileError> {
        let dir = Dir::open_ambient_dir(or_here(path), ambient_authority())
            .map_err(|source| FileError::File { path: path.into(), source })?;
        Ok(Folder { path: path.into(), dir: Arc::new(dir) })
    }

    /// Opens a folder as a user names it, and makes it and the folders above if they are not there.
    ///
    /// # Errors
    /// As [`Folder::open`], and [`FileError::Strange`] for a file, or a link that leads nowhere.
    pub fn make(path: &Path) -> Result<Folder, FileError> {
        let made = || {
            std::fs::create_dir_all(or_here(path)).map_err(|source| match source.kind() {
                ErrorKind::AlreadyExists => FileError::Strange { path: path.into(), what: "not a folder" },
                _ => FileError::File { path: path.into(), source },
            })?;
            Folder::open(path)
        };
        match made() {
            // Another process took it away in between.
            Err(error) if error.is_not_found() => made(),
            made => made,
        }
    }

    /// Opens the folder of a file, and returns it with the file's name.
    ///
    /// # Errors
    /// As [`Folder::open`], and for a path that does not end in a name.
    pub fn of_file(path: &Path) -> Result<(Folder, &str), FileError> {
        let name = path.file_name().and_then(|name| name.to_str()).ok_or_else(|| {
            let source = Error::new(ErrorKind::InvalidInput, "the name of a file is missing, or is not UTF-8");
            FileError::File { path: path.into(), source }
        })?;
        let folder = Folder::open(path.parent().unwrap_or(Path::new("")));
        Ok((folder.map_err(|error| error.of(path))?, name))
    }

    /// The path by which the folder was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names that lead to a path inside this folder, or `None` for a path elsewhere.
    pub fn names_to<'p>(&self, path: &'p Path) -> Option<&'p str> {
        path.strip_prefix(&self.path).ok()?.to_str()
    }

    /// The path of something in the folder, for messages.
    pub fn place(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Opens a folder in this folder.
    ///
    /// # Errors
    /// [`FileError::File`], or [`FileError::Strange`] if it is a link.
    pub fn folder(&self, name: &str) -> Result<Folder, FileError> {
        self.plain(name)?;
        let dir = self.dir.open_dir_nofollow(name).map_err(self.fault(name))?;
        Ok(Folder { path: self.place(name), dir: Arc::new(dir) })
    }

    /// Opens a folder in this folder, and makes it if it is not there.
    ///
    /// # Errors
    /// As [`Folder::folder`].
    pub fn make_folder(&self, name: &str) -> Result<Folder, FileError> {
        self.plain(name)?;
        match self.dir.create_dir(name) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(self.fault(name)(error)),
            _ => self.folder(name),
        }
    }

    /// Opens a folder some levels below this one. `/` separates the names.
    ///
    /// # Errors
    /// As [`Folder::folder`].
    pub fn below(&self, names: &str) -> Result<Folder, FileError> {
        names.split(is_separator).try_fold(self.clone(), |folder, name| folder.folder(name))
    }

    /// Opens a folder some levels below this one, and makes those that are not there.
    ///
    /// # Errors
    /// As [`Folder::folder`].
    pub fn make_below(&self, names: &str) -> Result<Folder, FileError> {
        names.split(is_separator).try_fold(self.clone(), |folder, name| folder.make_folder(name))
    }

    /// Opens a file for reading.
    ///
    /// # Errors
    /// [`FileError::File`], or [`FileError::Strange`] if it is a link, a pipe or a device.
    pub fn open_file(&self, name: &str) -> Result<File, FileError> {
        self.opened(name, OpenOptions::new().read(true))
    }

    /// Opens a file for reading and writing, and makes it if it is not there.
    ///
    /// # Errors
    /// As [`Folder::open_file`].
    pub fn open_or_make(&self, name: &str) -> Result<File, FileError> {
        self.opened(name, OpenOptions::new().read(true).write(true).create(true))
    }

    /// Reads a file of at most this many bytes, or returns `None` if there is no file.
    ///
    /// # Errors
    /// As [`Folder::open_file`], and [`FileError::File`] for a larger file.
    pub fn read(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, FileError> {
        match self.read_there(name, most) {
            Err(FileError::File { source, .. }) if is_missing(&source) => Ok(None),
            bytes => bytes.map(Some),
        }
    }

    /// Reads a file of at most this many bytes.
    ///
    /// # Errors
    /// As [`Folder::read`], and if there is none.
    pub(crate) fn read_there(&self, name: &str, most: u64) -> Result<Vec<u8>, FileError> {
        read_file(self.open_file(name)?, most).map_err(self.fault(name))
    }

    /// Whether there is a plain file of this name, of at most this many bytes.
    pub fn has_file(&self, name: &str, most: u64) -> bool {
        let found = is_plain_file_name(name).then(|| self.dir.symlink_metadata(name).ok()).flatten();
        found.is_some_and(|found| found.is_file() && found.len() <= most)
    }

    /// Whether there is anything of this name.
    pub fn has(&self, name: &str) -> bool {
        is_plain_file_name(name) && self.dir.symlink_metadata(name).is_ok()
    }

    /// The names of everything in the folder, in order.
    ///
    /// # Errors
    /// [`FileError::File`], and [`FileError::Name`] for a name with control characters.
    pub fn names(&self) -> Result<Vec<String>, FileError> {
        let fault = |source| FileError::File { path: self.path.clone(), source };
        let entries = self.dir.entries().map_err(fault)?;
        let mut names = entries
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<IoResult<Vec<String>>>()
            .map_err(fault)?;
        names.sort();
        // A line end would begin a line of its own where the name is shown.
        match names.iter().find(|name| name.contains(char::is_control)) {
            Some(name) => Err(FileError::Name { path: self.path.clone(), name: name.clone() }),
            None => Ok(names),
        }
    }

    /// Removes a file, or a link itself. A missing file is no error.
    ///
    /// # Errors
    /// [`FileError::File`].
    pub fn remove(&self, name: &str) -> Result<(), FileError> {
        self.plain(name)?;
        match self.dir.remove_file(name) {
            Err(error) if !is_missing(&error) => Err(self.fault(name)(error)),
            _ => Ok(()),
        }
    }

    /// Removes a folder and everything in it. Links in it are not followed.
    ///
    /// # Errors
    /// [`FileError::File`].
    pub fn remove_folder(&self, name: &str) -> Result<(), FileError> {
        self.plain(name)?;
        self.dir.remove_dir_all(name).map_err(self.fault(name))
    }

    /// Removes the temporary files and folders of killed processes, which nobody writes any more.
    ///
    /// # Errors
    /// [`FileError::File`] if the folder cannot be read.
    pub fn clear_temporary(&self) -> Result<(), FileError> {
        for name in self.names()?.iter().filter(|name| name.starts_with(TEMPORARY)) {
            // If an entry cannot be locked, it is in use or lies where locks do not work. An entry that stays does no harm.
            match self.dir.symlink_metadata(name).map(|metadata| metadata.file_type()) {
                Ok(kind) if kind.is_dir() => {
                    let handle = self.dir.open_dir_nofollow(name).and_then(|dir| dir.open("."));
                    if handle.is_ok_and(|handle| handle.into_std().try_lock().is_ok()) {
                        let _ = self.dir.remove_dir_all(name);
                    }
                }
                Ok(kind) if kind.is_file() => {
                    let handle = self.opened(name, OpenOptions::new().read(true).write(true));
                    if handle.is_ok_and(|handle| handle.try_lock().is_ok()) {
                        let _ = self.dir.remove_file(name);
                    }
                }
                Ok(_) => drop(self.dir.remove_file(name)),
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// The error of something in the folder.
    fn fault(&self, name: &str) -> impl Fn(Error) -> FileError {
        let path = self.place(name);
        // The system says of a link only that there are too many of them.
        let kind = self.dir.symlink_metadata(name).ok().and_then(|metadata| strange(metadata.file_type()));
        move |source| match kind {
            Some(what) => FileError::Strange { path: path.clone(), what },
            None if source.kind() == ErrorKind::IsADirectory => FileError::Strange { path: path.clone(), what: "a folder" },
            None => FileError::File { path: path.clone(), source },
        }
    }

    /// Refuses a name that leads out of the folder.
    fn plain(&self, name: &str) -> Result<(), FileError> {
        if is_plain_file_name(name) {
            return Ok(());
        }
        Err(FileError::Name { path: self.path.clone(), name: name.into() })
    }

    fn opened(&self, name: &str, options: &mut OpenOptions) -> Result<File, FileError> {
        self.plain(name)?;
        options.follow(FollowSymlinks::No);
        // A pipe would wait for somebody at its other end.
        #[cfg(unix)]
        cap_fs_ext::OpenOptionsSyncExt::nonblock(options, true);
        let file = self.dir.open_with(name, options).map_err(self.fault(name))?.into_std();
        let kind = file.metadata().map_err(self.fault(name))?.file_type();
        if kind.is_file() {
            return Ok(file);
        }
        let what = if kind.is_dir() { "a folder" } else { "a pipe or a device" };
        Err(FileError::Strange { path: self.place(name), what })
    }
}

/// Returns whether a name stays in its folder on every system.
pub fn is_plain_file_name(name: &str) -> bool {
    !["", ".", ".."].contains(&name) && !name.contains(['/', '\\', ':']) && !name.contains(char::is_control)
}

/// A path. The empty path means the working folder.
fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Whether nothing is at a place.
fn is_missing(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The kind of an entry that is neither a file nor a folder.
fn strange(kind: FileType) -> Option<&'static str> {
    match kind {
        kind if kind.is_symlink() => Some("a link"),
        kind if kind.is_file() || kind.is_dir() => None,
        _ => Some("a pipe or a device"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_replaced_is_written_where_it_was_opened() {
        let place = tempfile::tempdir().unwrap();
        let [own, other] = ["own", "other"].map(|name| place.path().join(name));
        let folder = Folder::make(&own).unwrap();
        std::fs::rename(&own, &other).unwrap();
        Folder::make(&own).unwrap();
        folder.write("a", b"1").unwrap();
        assert_eq!(std::fs::read(other.join("a")).unwrap(), b"1");
        assert_eq!(folder.read("a", 1).unwrap().unwrap(), b"1");
        assert!(std::fs::read_dir(&own).unwrap().next().is_none());
    }

    #[test]
    #[cfg(unix)]
    fn links_and_pipes_lead_nowhere() {
        let place = tempfile::tempdir().unwrap();
        let (inside, outside) = (place.path().join("inside"), place.path().join("outside"));
        let folder = Folder::make(&inside).unwrap();
        write_atomically(&outside, b"own").unwrap();
        std::os::unix::fs::symlink(&outside, inside.join("link")).unwrap();
        std::os::unix::fs::symlink(place.path(), inside.join("above")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", inside.join("zero")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(inside.join("pipe")).status().unwrap().success());
        for name in ["link", "zero", "pipe"] {
            let message = folder.read(name, 100).unwrap_err().to_string();
            assert!(message.contains(name) && (message.contains("a link") || message.contains("a pipe")), "{message}");
            assert!(folder.open_or_make(name).is_err(), "{name}");
        }
        assert!(folder.folder("above").unwrap_err().to_string().contains("above is a link"));
        assert!(folder.make_folder("above").is_err() && folder.below("above/inside").is_err());
        for name in ["", ".", "..", "../outside", "above/outside", "/etc/passwd"] {
            assert!(folder.read(name, 100).is_err() && folder.write(name, b"x").is_err(), "{name}");
        }
        // A link is replaced, and not followed.
        folder.write("link", b"new").unwrap();
        assert_eq!(folder.read("link", 3).unwrap().unwrap(), b"new");
        assert!(folder.read("link", 2).unwrap_err().to_string().contains("more than 2 bytes"));
        assert_eq!(std::fs::read(&outside).unwrap(), b"own");
    }

    #[test]
    fn what_a_killed_process_left_is_cleared_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let mut going = folder.begin("going").unwrap();
        let made = folder.begin_folder("made").unwrap();
        let name = |end: &str| format!("{TEMPORARY}{end}");
        std::fs::write(place.path().join(name("file")), "half").unwrap();
        std::fs::create_dir_all(place.path().join(name("folder")).join("work")).unwrap();
        folder.clear_temporary().unwrap();
        assert_eq!(folder.names().unwrap().len(), 2);
        std::io::Write::write_all(&mut going, b"whole").unwrap();
        going.finish().unwrap();
        made.finish().unwrap();
        assert_eq!(folder.names().unwrap(), ["going", "made"]);
    }
}
