//! Why a lexicon cannot be used.

use std::path::PathBuf;

use thiserror::Error;

use super::embedded::EMBEDDED_NAME;
use super::graph::MAX_NODES;
use super::kwg::{KwgError, MAX_WORDS};
use super::word_report::{MAX_REJECTED, WordReport};

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
