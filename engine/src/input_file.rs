//! Reading of files that a user names: never without end, and never more than a stated size.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;
use std::string::FromUtf8Error;

#[cfg(unix)]
use cap_std::{ambient_authority, fs::OpenOptions};

/// The most bytes that are read of a file, by its content. The result of reading a text takes many times its size.
pub mod limits {
    /// A recorded game. Each event takes some thousand bytes of memory.
    pub const GAME: u64 = 1 << 20;
    /// Configs, tile sets, boards, logs and pages: 16 MiB.
    pub const TEXT: u64 = 16 << 20;
    /// Results and manifests as JSON: 64 MiB.
    pub const JSON: u64 = 64 << 20;
    /// Positions, one in a line: 64 MiB.
    pub const POSITIONS: u64 = 64 << 20;
    /// Word lists, word graphs and dictionaries, and their unpacked content: 256 MiB.
    pub const WORDS: u64 = 256 << 20;
    /// Tables, networks and records: 2 GiB.
    pub const TABLE: u64 = 2 << 30;
}

/// Reads a table, or another file whose own reader bounds its use of memory.
///
/// # Errors
/// As [`read_up_to`] with [`limits::TABLE`].
pub fn read(path: &Path) -> Result<Vec<u8>> {
    read_up_to(path, limits::TABLE)
}

/// Reads a file of at most `limit` bytes.
///
/// # Errors
/// Errors of the system. A pipe or a device may have no end, so it is refused, and so is a file of more than `limit` bytes.
pub fn read_up_to(path: &Path, limit: u64) -> Result<Vec<u8>> {
    read_all(open(path, limit)?, limit)
}

/// Opens a file for reading.
///
/// # Errors
/// As [`read_up_to`].
pub fn open(path: &Path, limit: u64) -> Result<File> {
    let metadata = std::fs::metadata(path)?;
    // The system itself refuses to read folders.
    if !metadata.is_file() && !metadata.is_dir() {
        let reason = "a pipe or a device, which may have no end; store its content in a file";
        return Err(Error::new(ErrorKind::InvalidInput, reason));
    }
    if metadata.len() > limit { Err(too_large(limit)) } else { open_at_once(path) }
}

/// Opens a file that never waits. Files of the system may wait for content, although they look like others.
#[cfg(unix)]
fn open_at_once(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    cap_fs_ext::OpenOptionsSyncExt::nonblock(options.read(true), true);
    cap_std::fs::File::open_ambient_with(path, &options, ambient_authority()).map(cap_std::fs::File::into_std)
}

#[cfg(not(unix))]
fn open_at_once(path: &Path) -> Result<File> {
    File::open(path)
}

/// Reads an open file of at most `limit` bytes. A larger file is refused before it is read.
pub(crate) fn read_file(file: File, limit: u64) -> Result<Vec<u8>> {
    if file.metadata()?.len() > limit { Err(too_large(limit)) } else { read_all(file, limit) }
}

/// Whether a file was refused for its size before it was read. Writes that the system refuses have an error of the same kind.
pub(crate) fn is_too_large(error: &Error) -> bool {
    error.kind() == ErrorKind::FileTooLarge && error.raw_os_error().is_none()
}

/// Reads everything of a file or of standard input.
///
/// # Errors
/// Errors of the system, and an error for more than `limit` bytes.
pub fn read_all(input: impl Read, limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

/// Reads a file of UTF-8 text.
///
/// # Errors
/// As [`read_up_to`] with [`limits::TEXT`], and [`ErrorKind::InvalidData`], with the line, for a file that is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read_up_to(path, limits::TEXT)?)
        .map_err(|error| Error::new(ErrorKind::InvalidData, format!("line {} is not UTF-8", line_of(&error))))
}

/// Returns the line of the first byte that is not UTF-8, from 1.
pub fn line_of(error: &FromUtf8Error) -> usize {
    let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}

fn too_large(limit: u64) -> Error {
    Error::new(ErrorKind::FileTooLarge, format!("more than {limit} bytes, the most that is read of such a file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.txt");
        std::fs::write(&path, "ÑU\nAA\n").unwrap();
        assert_eq!(read(&path).unwrap(), "ÑU\nAA\n".as_bytes());
        assert_eq!(read_text(&path).unwrap(), "ÑU\nAA\n");
        std::fs::write(&path, b"AA\n\xff").unwrap();
        assert_eq!(read_text(&path).unwrap_err().to_string(), "line 2 is not UTF-8");
        assert_eq!(read(&folder.path().join("none")).unwrap_err().kind(), ErrorKind::NotFound);
        assert!(read(folder.path()).is_err());
        // The file takes no room on the disk.
        File::options().write(true).open(&path).unwrap().set_len(limits::TABLE + 1).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("more than 2147483648 bytes"));
        assert!(read_text(&path).unwrap_err().to_string().contains("more than 16777216 bytes"));
        assert!(read_all(&b"AA\n"[..], 2).is_err() && read_all(&b"AA\n"[..], 3).is_ok());
    }

    #[test]
    #[cfg(unix)]
    fn what_may_have_no_end_is_refused() {
        assert!(read(Path::new("/dev/zero")).unwrap_err().to_string().contains("a pipe or a device"));
    }
}
