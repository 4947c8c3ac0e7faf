//! Decoding of files in UTF-8 or Latin-1. The format is three decades old.

use super::fault::{GcgError, GcgFault};

/// The name of the pragma that declares the encoding.
pub(super) const PRAGMA: &str = "character-encoding";

enum Encoding {
    Utf8,
    Latin1,
}

/// Decodes a file and ends each line with `\n`.
///
/// A byte order mark or a pragma decides the encoding. Without them, valid UTF-8 is read as UTF-8 and anything else as
/// Latin-1, the first encoding of the format.
pub(super) fn decode(bytes: &[u8]) -> Result<String, GcgError> {
    let marked = bytes.strip_prefix(b"\xef\xbb\xbf");
    let bytes = marked.unwrap_or(bytes);
    let declared = if marked.is_some() { Some(Encoding::Utf8) } else { declared(bytes)? };
    let text = match (declared, std::str::from_utf8(bytes)) {
        (Some(Encoding::Utf8) | None, Ok(text)) => text.to_string(),
        (Some(Encoding::Utf8), Err(error)) => {
            let line = lines(&bytes[..error.valid_up_to()]).count();
            return Err(GcgError::on_line(line, GcgFault::NotUtf8));
        }
        (Some(Encoding::Latin1), _) | (None, Err(_)) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    };
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// Returns the encoding that a pragma before the first event declares.
fn declared(bytes: &[u8]) -> Result<Option<Encoding>, GcgError> {
    for (index, line) in lines(bytes).enumerate().take_while(|(_, line)| !line.starts_with(b">")) {
        let Some(pragma) = line.strip_prefix(b"#") else { continue };
        let text: String = pragma.iter().map(|&byte| char::from(byte)).collect();
        let mut words = text.split_whitespace();
        if !words.next().is_some_and(|name| text.starts_with(name) && name.eq_ignore_ascii_case(PRAGMA)) {
            continue;
        }
        let name = words.next().unwrap_or_default();
        return match &*name.to_ascii_lowercase().replace('_', "-") {
            "utf-8" | "utf8" | "us-ascii" | "ascii" => Ok(Some(Encoding::Utf8)),
            "iso-8859-1" | "iso8859-1" | "latin-1" | "latin1" => Ok(Some(Encoding::Latin1)),
            _ => Err(GcgError::on_line(index + 1, GcgFault::Encoding { name: name.into() })),
        };
    }
    Ok(None)
}

/// Splits into lines at `\n`, `\r` or `\r\n`, so that line numbers agree with the decoded text.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut before = 0;
    bytes
        .split(move |&byte| {
            let ends = byte == b'\r' || (byte == b'\n' && before != b'\r');
            before = byte;
            ends
        })
        .map(|line| line.strip_prefix(b"\n").unwrap_or(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_a_pragma_or_the_bytes_decide_the_encoding() {
        let text = |bytes: &[u8]| decode(bytes).map_err(|error| error.to_string());
        assert_eq!(text("#note Ñ\r\nb\rc".as_bytes()), Ok("#note Ñ\nb\nc".into()));
        assert_eq!(text(b"#note \xd1"), Ok("#note Ñ".into()));
        assert_eq!(text("\u{feff}#note Ñ".as_bytes()), Ok("#note Ñ".into()));
        let latin = b"#title x\r\n#character-encoding ISO_8859-1\r\n#note \xc3\x91";
        assert!(text(latin).unwrap().ends_with("\u{c3}\u{91}"));
        assert!(text(b"#Character-Encoding UTF8\n\n>\xd1").unwrap_err().contains("line 3: not valid UTF-8"));
        assert!(text(b"\xef\xbb\xbf#a\r\n\xd1").unwrap_err().contains("line 2: not valid UTF-8"));
        let error = text(b"#title\r\n#character-encoding KOI8-R\r\n").unwrap_err();
        assert!(error.contains("line 2") && error.contains("KOI8-R"), "{error}");
        assert_eq!(text(b">a: - +0 0\n#character-encoding KOI8-R"), Ok(">a: - +0 0\n#character-encoding KOI8-R".into()));
    }
}
