//! Reads text files in the encodings of dictionaries, line by line.

use std::borrow::Cow;
use std::path::Path;

use encoding_rs::Encoding;
use tilewright_engine::input_file::{self, limits};

use crate::{Failure, InFile};

pub fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    input_file::read_up_to(file, limits::WORDS).in_file(file)
}

/// The encoding with this name, as hunspell's `SET` or the WHATWG standard spells it. ISO8859-1 is read as windows-1252,
/// which has the same letters.
///
/// # Errors
/// [`Failure::Input`] for an unknown encoding, or an encoding that is not compatible with ASCII, such as UTF-16.
pub fn encoding(name: &str) -> Result<&'static Encoding, Failure> {
    let label = name.trim().to_ascii_lowercase();
    let label = match label.strip_prefix("microsoft-cp") {
        Some(number) => format!("windows-{number}"),
        None => label,
    };
    Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_ascii_compatible()).ok_or_else(|| {
        Failure::input(format!(
            "no encoding is named {name:?}; name UTF-8, ISO8859-1 to ISO8859-16, KOI8-R, KOI8-U or windows-1250 to 1258"
        ))
    })
}

/// Adds the file and the line, which is 1-based, to a failure.
pub fn in_line(file: &Path, line: usize) -> impl Fn(Failure) -> Failure {
    move |failure| failure.within(&format!("{}, line {line}", file.display()))
}

/// The lines of `bytes` with their numbers, from 1, without line ends and byte order mark. `file` names them in errors.
pub fn lines<'a>(
    bytes: &'a [u8],
    encoding: &'static Encoding,
    file: &'a Path,
) -> impl Iterator<Item = Result<(usize, Cow<'a, str>), Failure>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    (1..).zip(bytes.split(|&byte| byte == b'\n')).map(move |(number, line)| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = encoding.decode_without_bom_handling_and_without_replacement(line).ok_or_else(|| {
            let bytes: String = String::from_utf8_lossy(line).chars().take(40).collect();
            let encoding = encoding.name();
            let reason = format!("{bytes:?} is not {encoding}; name the encoding of the file");
            in_line(file, number)(Failure::input(reason))
        })?;
        Ok((number, text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(bytes: &[u8], name: &str) -> Result<Vec<String>, Failure> {
        let lines = lines(bytes, encoding(name)?, Path::new("list.txt"));
        lines.map(|line| line.map(|(_, text)| text.into_owned())).collect()
    }

    #[test]
    fn lines_are_decoded_without_line_ends() {
        assert_eq!(read_all(b"\xef\xbb\xbf\xc3\xb1u\r\nb", "UTF-8").unwrap(), ["ñu", "b"]);
        assert_eq!(read_all(b"ni\xf1o\n\xe1", "ISO8859-1").unwrap(), ["niño", "á"]);
        assert_eq!(read_all(b"\xb1\xea\xb3", "iso8859-2").unwrap(), ["ąęł"]);
        assert_eq!(read_all(b"\xbd", "ISO8859-15").unwrap(), ["œ"]);
        assert_eq!(read_all(b"\xe9", "microsoft-cp1251").unwrap(), ["й"]);
    }

    #[test]
    fn invalid_bytes_are_reported_with_their_line() {
        let error = read_all(b"a\nni\xf1o\n", "UTF-8").unwrap_err().message();
        assert!(error.contains("list.txt, line 2") && error.contains("not UTF-8"), "{error}");
        for name in ["klingon", "UTF-16LE", ""] {
            let error = read_all(b"", name).unwrap_err().message();
            assert!(error.contains(&format!("{name:?}")) && error.contains("ISO8859-1"), "{error}");
        }
    }
}
