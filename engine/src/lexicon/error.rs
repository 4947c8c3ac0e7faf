//! Why a lexicon cannot be used.

use std::path::PathBuf;

use thiserror::Error;

use super::embedded::EMBEDDED_NAME;
use super::graph::MAX_NODES;
use super::kwg::KwgError;
use super::word_report::WordReport;

/// Why a lexicon cannot be used.
#[derive(Debug, Error)]
pub enum LexiconError {
    /// The file is not there or cannot be read.
    #[error("word list {path}: {source}; name a .txt, .txt.gz or .kwg file, or the embedded {EMBEDDED_NAME}")]
    Read {
        /// As given.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A folder was named.
    #[error("word list {path} is a directory; name the .txt, .txt.gz or .kwg file in it")]
    Directory {
        /// As given.
        path: PathBuf,
    },
    /// The compressed file is damaged.
    #[error("word list {path}: damaged gzip data ({source}); fetch or compress it again")]
    Gzip {
        /// As given.
        path: PathBuf,
        /// What the decoder said.
        source: std::io::Error,
    },
    /// Bytes that are not UTF-8.
    #[error("word list {path}, line {line}: not UTF-8; convert it, for example with iconv -f LATIN1 -t UTF-8")]
    NotUtf8 {
        /// As given.
        path: PathBuf,
        /// 1-based.
        line: usize,
    },
    /// No line is a word.
    #[error("word list {path} holds no word of the {tileset} tile set\n{report}")]
    Empty {
        /// As given.
        path: PathBuf,
        /// The set's name.
        tileset: String,
        /// What was wrong with its lines.
        report: Box<WordReport>,
    },
    /// Not a word graph.
    #[error("word graph {path}: {source}")]
    Kwg {
        /// As given.
        path: PathBuf,
        /// What is wrong with it.
        source: KwgError,
    },
    /// More nodes than the engine addresses.
    #[error("word list {path} needs {nodes} graph nodes; the limit is {MAX_NODES}")]
    TooLarge {
        /// As given.
        path: PathBuf,
        /// What it needs.
        nodes: usize,
    },
}
