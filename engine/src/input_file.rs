//! Reading of files that a user names: never without end, and never more than a stated size.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;
use std::string::FromUtf8Error;

/// The size of the largest file that is read, in bytes: 2 GiB.
pub const MAX_BYTES: u64 = 1 << 31;

/// Reads a file.
///
/// # Errors
/// Those of the system. A pipe or a device is refused, because it may have no end, and so is a file of more than
/// [`MAX_BYTES`].
pub fn read(path: &Path) -> Result<Vec<u8>> {
    read_all(open(path)?)
}

/// Opens a file for reading.
///
/// # Errors
/// As [`read`].
pub fn open(path: &Path) -> Result<File> {
    let metadata = std::fs::metadata(path)?;
    // The system itself refuses to read folders.
    if !metadata.is_file() && !metadata.is_dir() {
        let reason = "a pipe or a device, which may have no end; store its content in a file";
        return Err(Error::new(ErrorKind::InvalidInput, reason));
    }
    if metadata.len() > MAX_BYTES { Err(too_large()) } else { File::open(path) }
}

/// Reads everything of a file or of standard input.
///
/// # Errors
/// Those of the system; and more than [`MAX_BYTES`].
pub fn read_all(input: impl Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES { Err(too_large()) } else { Ok(bytes) }
}

/// Reads a file of UTF-8 text.
///
/// # Errors
/// As [`read`]; and [`ErrorKind::InvalidData`], with the line, for a file that is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|error| Error::new(ErrorKind::InvalidData, format!("line {} is not UTF-8", line_of(&error))))
}

/// Returns the line of the first byte that is not UTF-8, from 1.
pub fn line_of(error: &FromUtf8Error) -> usize {
    let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}

fn too_large() -> Error {
    Error::new(ErrorKind::FileTooLarge, format!("more than {MAX_BYTES} bytes, the most that is read of a file"))
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
        File::options().write(true).open(&path).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("more than 2147483648 bytes"));
    }

    #[test]
    #[cfg(unix)]
    fn what_may_have_no_end_is_refused() {
        assert!(read(Path::new("/dev/zero")).unwrap_err().to_string().contains("a pipe or a device"));
    }
}
