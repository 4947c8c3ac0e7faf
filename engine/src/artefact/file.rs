//! Atomic writing of files.

use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempDir};

use super::ArtefactError;

/// The prefix of the names of temporary files.
pub const TEMPORARY: &str = ".tilewright-";

/// Writes a file atomically: it appears whole or not at all, even if the power fails.
///
/// # Errors
/// [`ArtefactError::File`] with `path`, not with the path of the temporary file.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), ArtefactError> {
    let fault = |source| ArtefactError::File { path: path.into(), source: without_path(source) };
    let mut file = GrowingFile::new(path)?;
    file.write_all(bytes).map_err(fault)?;
    file.finish()
}

/// A file that is written piece by piece beside its place; it appears there whole, or not at all, when it is finished.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl GrowingFile {
    /// Begins the file that is to be at `path`.
    ///
    /// # Errors
    /// [`ArtefactError::File`] with `path`, not with the path of the temporary file.
    pub fn new(path: &Path) -> Result<GrowingFile, ArtefactError> {
        let fault = |source| ArtefactError::File { path: path.into(), source: without_path(source) };
        Ok(GrowingFile { path: path.into(), file: builder(0o666).tempfile_in(folder_of(path)).map_err(fault)? })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// As [`GrowingFile::new`].
    pub fn finish(self) -> Result<(), ArtefactError> {
        let GrowingFile { path, file } = self;
        let place = || -> std::io::Result<()> {
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)?;
            // The new name is on disk only after its folder is synced. Not every system can do that.
            let _ = std::fs::File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
            Ok(())
        };
        place().map_err(|source| ArtefactError::File { path: path.clone(), source: without_path(source) })
    }
}

impl Write for GrowingFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the error of the system without the name of the temporary file, which `tempfile` puts after the words ` at path ` and gives no
/// other access to.
pub fn without_path(error: std::io::Error) -> std::io::Error {
    match error.to_string().split_once(" at path ") {
        Some((reason, _)) => std::io::Error::new(error.kind(), reason),
        None => error,
    }
}

/// A temporary folder in `parent` that becomes a result: what the umask leaves may read it.
///
/// # Errors
/// The error of the system, without the name of the folder.
pub fn temporary_folder(parent: &Path) -> std::io::Result<TempDir> {
    builder(0o777).tempdir_in(parent).map_err(without_path)
}

/// Makes temporary files and folders with the permissions that the umask leaves of `mode`. Those of `tempfile` are private to their owner;
/// results are not.
fn builder(mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    builder
}
