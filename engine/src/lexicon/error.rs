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
    /// The file is missing or cannot be read.
    #[error("word list {path}: {source}; use a .txt, .txt.gz or .kwg file, or the embedded list {EMBEDDED_NAME}")]
    Read {
        /// As given.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The path is a folder.
    #[error("word list {path} is a directory; use a .txt, .txt.gz or .kwg file in it")]
    Directory {
        /// As given.
        path: PathBuf,
    },
    /// The compressed file is damaged.
    #[error("word list {path}: damaged gzip data ({source}); download or compress it again")]
    Gzip {
        /// As given.
        path: PathBuf,
        /// The error of the decoder.
        source: std::io::Error,
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
    /// The file is not a word graph.
    #[error("word graph {path}: {source}")]
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
