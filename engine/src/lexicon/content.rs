//! The content of a word list's file: unpacked, and decoded if it is text. The word list that comes with the engine, and the errors of lexicons.

use std::borrow::Cow;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::graph::MAX_NODES;
use super::kwg::{KwgError, MAX_WORDS};
use super::word_report::{MAX_REJECTED, WordReport};
use crate::gzip;
use crate::input_file::{self, limits};

/// The maximum length of an unpacked word list, in bytes: 256 MiB. The longest known have a fifth of it.
const MAX_BYTES: u64 = limits::WORDS;
/// The first bytes of a zip archive and of xz data.
const ZIP: &[u8] = b"PK\x03\x04";
const XZ: &[u8] = b"\xfd7zXZ\0";
/// The bytes in which a NUL shows that a file is not text.
const LOOKED_AT: usize = 1 << 16;

/// The content of a file.
#[derive(Debug)]
pub(super) enum Content<'a> {
    Text(String),
    /// A word graph. All files that are not text count as word graphs.
    Graph(Cow<'a, [u8]>),
}

/// Reads the bytes of a file. The first bytes tell packed data from plain, and UTF-16 from UTF-8. The extension `.kwg` or a
/// NUL tells a word graph from a text.
///
/// # Errors
/// [`LexiconError`] for damaged data, an archive of several files, and a text of another encoding.
pub(super) fn content<'a>(bytes: &'a [u8], path: &Path) -> Result<Content<'a>, LexiconError> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("kwg")) {
        return Ok(Content::Graph(Cow::Borrowed(bytes)));
    }
    let bytes = unpacked(bytes, path)?;
    let wide = match (bytes.first(), bytes.get(1)) {
        (Some(0xff), Some(0xfe)) => Some(u16::from_le_bytes as fn([u8; 2]) -> u16),
        (Some(0xfe), Some(0xff)) => Some(u16::from_be_bytes as fn([u8; 2]) -> u16),
        _ => None,
    };
    match wide {
        Some(unit) => {
            let (pairs, rest) = bytes[2..].as_chunks::<2>();
            let units: Vec<u16> = pairs.iter().map(|&pair| unit(pair)).collect();
            let text = String::from_utf16(&units).ok().filter(|_| rest.is_empty());
            text.map(Content::Text).ok_or_else(|| LexiconError::NotUtf16 { path: path.into() })
        }
        _ if bytes.iter().take(LOOKED_AT).any(|&byte| byte == 0) => Ok(Content::Graph(bytes)),
        _ => utf8(bytes.into_owned(), path).map(Content::Text),
    }
}

fn utf8(bytes: Vec<u8>, path: &Path) -> Result<String, LexiconError> {
    String::from_utf8(bytes).map_err(|error| LexiconError::NotUtf8 { path: path.into(), line: input_file::line_of(&error) })
}

/// The bytes themselves, or their unpacked content.
fn unpacked<'a>(bytes: &'a [u8], path: &Path) -> Result<Cow<'a, [u8]>, LexiconError> {
    let damaged = |kind| move |source| damaged(path, kind, source);
    if bytes.starts_with(ZIP) {
        return from_zip(bytes, path).map(Cow::Owned);
    }
    if bytes.starts_with(XZ) {
        return from_xz(bytes).map(Cow::Owned).map_err(damaged("xz"));
    }
    gzip::unpack_if_packed(bytes, MAX_BYTES).map_err(damaged("gzip"))
}

/// The error for data that cannot be unpacked: they are damaged, or too long.
fn damaged(path: &Path, kind: &'static str, source: Error) -> LexiconError {
    match source.kind() {
        ErrorKind::FileTooLarge | ErrorKind::Unsupported => LexiconError::Read { path: path.into(), source },
        _ => LexiconError::Damaged { path: path.into(), kind, source },
    }
}

/// Unpacks xz data.
#[cfg(feature = "archives")]
fn from_xz(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    /// The maximum memory for the dictionary, in KiB: twice as much as `xz -9` needs.
    const MAX_DICTIONARY: u32 = 1 << 17;
    gzip::read_unpacked(lzma_rust2::XzReader::new_mem_limit(bytes, true, MAX_DICTIONARY), MAX_BYTES)
}

#[cfg(not(feature = "archives"))]
fn from_xz(_: &[u8]) -> std::io::Result<Vec<u8>> {
    Err(gzip::not_in_this_build())
}

#[cfg(not(feature = "archives"))]
fn from_zip(_: &[u8], path: &Path) -> Result<Vec<u8>, LexiconError> {
    Err(damaged(path, "zip", gzip::not_in_this_build()))
}

/// The only file of a zip archive.
#[cfg(feature = "archives")]
fn from_zip(bytes: &[u8], path: &Path) -> Result<Vec<u8>, LexiconError> {
    let damaged = |source| damaged(path, "zip", source);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).map_err(|error| damaged(error.into()))?;
    let names: zip::result::ZipResult<Vec<String>> = archive.file_names().map(|name| name.map(Cow::into_owned)).collect();
    let mut names = names.map_err(|error| damaged(error.into()))?;
    // Zip archives of macOS have a shadow of each file.
    names.retain(|name| !name.ends_with('/') && !name.starts_with("__MACOSX/"));
    let [name] = &names[..] else {
        return Err(LexiconError::Archive { path: path.into(), names: names.join(", ") });
    };
    let file = archive.by_name(name).map_err(|error| damaged(error.into()))?;
    gzip::read_unpacked(file, MAX_BYTES).map_err(damaged)
}

/// The name of the word list that comes with the engine.
pub const EMBEDDED_NAME: &str = "enable2k";
/// The [`Lexicon::hash`](super::Lexicon::hash) of that list.
pub(crate) const EMBEDDED_HASH: &str = "58a8b270c2d61b4ce5941be4042e3c5a39e5b9c951b472adc7dd2c898d78b1e5";

/// Why a lexicon cannot be used.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LexiconError {
    #[error(
        "word list {path}: {source}; use a text (plain, .gz, .xz or .zip) or a .kwg file, or the embedded list {EMBEDDED_NAME}"
    )]
    Read { path: PathBuf, source: std::io::Error },
    #[error("word list {path} is a directory; name a text (plain, .gz, .xz or .zip) or a .kwg file in it")]
    Directory { path: PathBuf },
    #[error("word list {path}: damaged {kind} data ({source}); download or pack it again")]
    Damaged { path: PathBuf, kind: &'static str, source: std::io::Error },
    #[error("word list {path} is a zip archive that holds several files or none ({names}); unpack it and name the list")]
    Archive { path: PathBuf, names: String },
    /// The text begins like UTF-16 but is not.
    #[error("word list {path}: not UTF-16, although it begins with the mark of UTF-16; convert it to UTF-8")]
    NotUtf16 { path: PathBuf },
    #[error("word list {path}, line {line}: not UTF-8; convert it, for example with iconv -f LATIN1 -t UTF-8")]
    NotUtf8 { path: PathBuf, line: usize },
    #[error("word list {path} contains no words of the {tileset} tile set\n{report}")]
    Empty { path: PathBuf, tileset: String, report: Box<WordReport> },
    #[error("word list {path} has more than {MAX_WORDS} words; split it by length, or leave some out")]
    TooManyWords { path: PathBuf },
    #[error("word list {path}: more than {MAX_REJECTED} lines are not words of the {tileset} tile set\n{report}")]
    TooManyRejected { path: PathBuf, tileset: String, report: Box<WordReport> },
    #[error("word graph {path}: {source}; a file that is not text is taken for a word graph")]
    Kwg { path: PathBuf, source: KwgError },
    #[error("word list {path} needs {nodes} graph nodes; the limit is {MAX_NODES}")]
    TooLarge { path: PathBuf, nodes: usize },
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// The words `CARE` and `ÑU`, one per line, packed by `xz`.
    const PACKED_XZ: &[u8] = include_bytes!("content/words.txt.xz");
    const WORDS: &str = "CARE\nÑU\n";

    fn text(bytes: &[u8], name: &str) -> String {
        match content(bytes, Path::new(name)).unwrap() {
            Content::Text(text) => text,
            Content::Graph(_) => panic!("{name} is a graph"),
        }
    }

    fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_directory("folder", SimpleFileOptions::default()).unwrap();
        for (name, content) in files {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn packed_and_wide_texts_are_read() {
        let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            std::iter::once(0xfeff).chain(WORDS.encode_utf16()).flat_map(bytes).collect()
        };
        let packed = zipped(&[("folder/words.txt", WORDS), ("__MACOSX/folder/._words.txt", "shadow")]);
        for bytes in [WORDS.as_bytes(), &wide(u16::to_le_bytes), &wide(u16::to_be_bytes), &packed, PACKED_XZ] {
            assert_eq!(text(bytes, "list.txt"), WORDS);
        }
    }

    #[test]
    fn a_list_unpacks_to_a_limit() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::copy(&mut std::io::repeat(b'\n').take(MAX_BYTES + 1), &mut packed).unwrap();
        let error = content(&packed.finish().unwrap(), Path::new("list.gz")).unwrap_err().to_string();
        assert!(error.contains("list.gz: the data unpacks to more than 268435456 bytes"), "{error}");
    }

    #[test]
    fn what_is_not_text_is_taken_for_a_graph() {
        for (bytes, name) in [(&b"abc\0"[..], "list.txt"), (b"abc", "LIST.KWG"), (b"\xff\xfeabc\0", "list.kwg")] {
            assert!(matches!(content(bytes, Path::new(name)), Ok(Content::Graph(graph)) if *graph == *bytes), "{name}");
        }
    }

    #[test]
    fn damaged_and_ambiguous_files_are_refused_with_a_cure() {
        let refused = |bytes: &[u8]| content(bytes, Path::new("list.bin")).unwrap_err().to_string();
        let several = refused(&zipped(&[("a.txt", "A"), ("b.txt", "B")]));
        assert!(
            several.contains("holds several files or none (a.txt, b.txt)") && several.contains("unpack it"),
            "{several}"
        );
        let packed = zipped(&[("words.txt", WORDS)]);
        assert!(refused(&packed[..packed.len() - 30]).contains("damaged zip data"));
        assert!(refused(&PACKED_XZ[..PACKED_XZ.len() - 20]).contains("damaged xz data"));
        assert!(refused(b"\x1f\x8bno").contains("damaged gzip data"));
        assert!(refused(b"\xff\xfe\x00\xd8\x20\x00").contains("not UTF-16"));
        assert!(refused(b"\xff\xfeA\x00B").contains("not UTF-16"));
    }
}
