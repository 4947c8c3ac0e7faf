//! Atomic writing of files.

use std::io::Write;
use std::path::Path;

use tempfile::{Builder, TempDir};

use super::ArtefactError;

/// The prefix of the names of temporary files.
pub const TEMPORARY: &str = ".tilewright-";

/// Writes a file atomically: it appears whole or not at all, even if the power fails.
///
/// # Errors
/// [`ArtefactError::File`] with `path`, not with the path of the temporary file.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), ArtefactError> {
    let write = || -> std::io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = builder(0o666).tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        // The new name is on disk only after its folder is synced. Not every system can do that.
        let _ = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    };
    write().map_err(|source| ArtefactError::File { path: path.into(), source: without_path(source) })
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
