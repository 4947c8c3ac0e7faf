//! Why a lexicon cannot be used.

use std::path::PathBuf;

use thiserror::Error;

use super::embedded::EMBEDDED_NAME;
use super::graph::MAX_NODES;
use super::kwg::{KwgError, MAX_WORDS};
use super::word_report::{MAX_REJECTED, WordReport};

/// Why a lexicon cannot be used.
#[derive(Debug, Error)]
pub enum LexiconError {
    /// The file is missing or cannot be read.
    #[error(
        "word list {path}: {source}; use a text (plain, .gz, .xz or .zip) or a .kwg file, or the embedded list {EMBEDDED_NAME}"
    )]
    Read {
        /// As given.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The path is a folder.
    #[error("word list {path} is a directory; name a text (plain, .gz, .xz or .zip) or a .kwg file in it")]
    Directory {
        /// As given.
        path: PathBuf,
    },
    /// The packed file is damaged.
    #[error("word list {path}: damaged {kind} data ({source}); download or pack it again")]
    Damaged {
        /// As given.
        path: PathBuf,
        /// `gzip`, `xz` or `zip`.
        kind: &'static str,
        /// The error of the decoder.
        source: std::io::Error,
    },
    /// A zip archive does not hold exactly one file.
    #[error("word list {path} is a zip archive that holds several files or none ({names}); unpack it and name the list")]
    Archive {
        /// As given.
        path: PathBuf,
        /// The files in it.
        names: String,
    },
    /// The text begins like UTF-16 but is not.
    #[error("word list {path}: not UTF-16, although it begins with the mark of UTF-16; convert it to UTF-8")]
    NotUtf16 {
        /// As given.
        path: PathBuf,
    },
    /// The text is not UTF-8.
    #[error("word list {path}, line {line}: not UTF-8; convert it, for example with iconv -f LATIN1 -t UTF-8")]
    NotUtf8 {
        /// As given.
        path: PathBuf,
        /// 1-based.
        line: usize,
    },
    /// No line is a word of the tile set.
    #[error("word list {path} contains no words of the {tileset} tile set\n{report}")]
    Empty {
        /// As given.
        path: PathBuf,
        /// The name of the tile set.
        tileset: String,
        /// The rejected lines.
        report: Box<WordReport>,
    },
    /// The list has more words than are read.
    #[error("word list {path} has more than {MAX_WORDS} words; split it by length, or leave some out")]
    TooManyWords {
        /// As given.
        path: PathBuf,
    },
    /// More lines than are looked at are no words.
    #[error("word list {path}: more than {MAX_REJECTED} lines are not words of the {tileset} tile set\n{report}")]
    TooManyRejected {
        /// As given.
        path: PathBuf,
        /// The name of the tile set.
        tileset: String,
        /// The rejected lines.
        report: Box<WordReport>,
    },
    /// The file is not a word graph.
    #[error("word graph {path}: {source}; a file that is not text is taken for a word graph")]
    Kwg {
        /// As given.
        path: PathBuf,
        /// The reason.
        source: KwgError,
    },
    /// The graph needs more nodes than the engine can address.
    #[error("word list {path} needs {nodes} graph nodes; the limit is {MAX_NODES}")]
    TooLarge {
        /// As given.
        path: PathBuf,
        /// The number of nodes needed.
        nodes: usize,
    },
}
