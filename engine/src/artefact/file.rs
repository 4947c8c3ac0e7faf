//! Atomic writing of files.

use std::io::Write;
use std::path::Path;

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
        let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        let mut permissions = file.as_file().metadata()?.permissions();
        make_readable(&mut permissions);
        file.as_file().set_permissions(permissions)?;
        file.persist(path).map_err(|error| error.error)?;
        // The new name is on disk only after its folder is synced. Not every system can do that.
        let _ = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    };
    write().map_err(|source| ArtefactError::File { path: path.into(), source: without_path(source) })
}

/// Returns the error of the system without the name of the temporary file, which `tempfile` adds.
fn without_path(error: std::io::Error) -> std::io::Error {
    let inner = error.get_ref().and_then(std::error::Error::source).and_then(|source| source.downcast_ref());
    match inner.and_then(std::io::Error::raw_os_error) {
        Some(code) => std::io::Error::from_raw_os_error(code),
        None => error,
    }
}

/// Temporary files are private to their owner; results are not.
#[cfg(unix)]
fn make_readable(permissions: &mut std::fs::Permissions) {
    std::os::unix::fs::PermissionsExt::set_mode(permissions, 0o644);
}

#[cfg(not(unix))]
fn make_readable(_permissions: &mut std::fs::Permissions) {}
