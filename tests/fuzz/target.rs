//! What a target is.

use std::io::Write;

use flate2::write::GzEncoder;

/// A parser, or a family of small ones.
pub struct Target {
    /// The name, also of the folders of its stored inputs.
    pub name: &'static str,
    /// What it reads, for `--list`.
    pub what: &'static str,
    /// Prepares it: the inputs to start from, and what reads them.
    pub open: fn() -> Subject,
}

/// What an input led to: a size of what was read, such as its length, which tells accepted inputs apart; or the message of the refusal.
pub type Outcome = Result<usize, String>;

/// What reads an input.
type Reader = Box<dyn FnMut(&[u8]) -> Outcome>;

/// A target that is ready to read.
pub struct Subject {
    /// Inputs that it accepts.
    pub seeds: Vec<Vec<u8>>,
    /// Further inputs to change, which it need not accept.
    pub more: Vec<Vec<u8>>,
    /// Texts that its parser treats specially.
    pub fragments: &'static [&'static str],
    /// Makes the checksum of a changed input right again, so that the parser behind it sees the change.
    pub seal: Option<fn(&mut Vec<u8>)>,
    /// Reads an input. It panics if the parser does, or if what was read is not the same after it was written and read again.
    pub read: Reader,
}

impl Subject {
    /// A subject without fragments and checksums.
    pub fn new<S: AsRef<[u8]>>(seeds: impl IntoIterator<Item = S>, read: impl FnMut(&[u8]) -> Outcome + 'static) -> Subject {
        let seeds = seeds.into_iter().map(|seed| seed.as_ref().to_vec()).collect();
        Subject { seeds, more: Vec::new(), fragments: &[], seal: None, read: Box::new(read) }
    }

    /// The subject with further inputs to change.
    pub fn with_more<S: AsRef<[u8]>>(self, more: impl IntoIterator<Item = S>) -> Subject {
        Subject { more: more.into_iter().map(|input| input.as_ref().to_vec()).collect(), ..self }
    }

    /// The subject with fragments.
    pub fn with_fragments(self, fragments: &'static [&'static str]) -> Subject {
        Subject { fragments, ..self }
    }

    /// The subject with a checksum.
    pub fn with_seal(self, seal: fn(&mut Vec<u8>)) -> Subject {
        Subject { seal: Some(seal), ..self }
    }
}

/// Bytes packed by gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(bytes).expect("memory");
    packed.finish().expect("memory")
}

/// The text of an input; other bytes become the replacement character.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The message of an error.
pub fn message(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// An input of several parts begins with a line that tells them apart: its first line is a word, such as the kind of a file, and the rest
/// is what the word is about.
pub fn headed(head: &str, rest: impl AsRef<[u8]>) -> Vec<u8> {
    [head.as_bytes(), b"\n", rest.as_ref()].concat()
}

/// The head and the rest of an input that [`headed`] made.
///
/// # Errors
/// The input has no line feed, or its head is not UTF-8.
pub fn split_head(bytes: &[u8]) -> Result<(&str, &[u8]), String> {
    let end = bytes.iter().position(|&byte| byte == b'\n').ok_or("no head")?;
    let head = str::from_utf8(&bytes[..end]).map_err(message)?;
    Ok((head, &bytes[end + 1..]))
}

/// The line between two files in one input.
const BETWEEN: &[u8] = b"\n=====\n";

/// Two files as one input.
pub fn joined(one: impl AsRef<[u8]>, other: impl AsRef<[u8]>) -> Vec<u8> {
    [one.as_ref(), BETWEEN, other.as_ref()].concat()
}

/// The files of an input that [`joined`] made; the second one is empty if the line between them is gone.
pub fn split_files(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.windows(BETWEEN.len()).position(|window| window == BETWEEN) {
        Some(at) => (&bytes[..at], &bytes[at + BETWEEN.len()..]),
        None => (bytes, &[]),
    }
}
