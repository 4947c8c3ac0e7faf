//! Lexicons: word lists and the word graphs made of them.
//!
//! A word list (`.txt`, `.txt.gz`, or the words of a `.kwg`) becomes one minimal graph that holds the DAWG and the GADDAG.
//! A built graph is cached under the hash of the list's bytes and the tile set; a stale or torn cache is rebuilt.

use std::path::{Path, PathBuf};

use crate::hash;
use crate::tileset::TileSet;

mod graph;
mod packed_word;
mod dawg;
mod gaddag;
pub mod kwg;
mod word_report;
mod cache;
mod embedded;
mod error;
mod word_list;
mod search_graph;
mod word_map;

pub use dawg::{Arc, States};
pub use embedded::{EMBEDDED_HASH, EMBEDDED_NAME};
pub use error::LexiconError;
pub use gaddag::build_graph;
pub use graph::{MAX_NODES, Node, WordGraph};
pub use packed_word::PackedWord;
pub use search_graph::{Children, SearchGraph, SearchNode};
pub use word_list::WordList;
pub use word_map::{Anagrams, WordMap};
pub use word_report::{Rejected, WordReport};

use embedded::EMBEDDED_WORDS;

/// The words of a game, ready to play with.
#[derive(Debug)]
pub struct Lexicon {
    /// What it is called: `enable2k`, or the file's stem.
    pub name: String,
    /// SHA-256 of its sorted words, one a line: the same for the same words, however they were stored.
    pub hash: String,
    /// DAWG and GADDAG.
    pub graph: WordGraph,
    /// What was read, and what was left out.
    pub report: WordReport,
    /// Whether the graph came from the cache.
    pub cached: bool,
}

impl Lexicon {
    /// Loads `enable2k` or a file, for words of 2 to `longest` tiles, through the cache folder if one is given.
    ///
    /// # Errors
    /// [`LexiconError`]. Lines that are no words are not errors: see [`Lexicon::report`].
    ///
    /// # Cost
    /// On two cores 0.3 s for 169,000 English words, 5 s for 3.3 million Polish ones; some milliseconds from the cache.
    pub fn load(
        name_or_path: &str,
        tileset: &TileSet,
        longest: usize,
        cache_folder: Option<&Path>,
    ) -> Result<Lexicon, LexiconError> {
        let path = PathBuf::from(name_or_path);
        let owned;
        let (name, bytes): (String, &[u8]) = if name_or_path == EMBEDDED_NAME {
            (EMBEDDED_NAME.into(), EMBEDDED_WORDS)
        } else {
            owned = read_file(&path)?;
            (stem(&path), &owned)
        };
        let key = cache::key(bytes, tileset, longest);
        if let Some((report, hash, graph)) = cache_folder.and_then(|folder| cache::read(folder, &key)) {
            return Ok(Lexicon { name, hash, graph, report, cached: true });
        }
        let list = WordList::from_bytes(bytes, &path, tileset, longest)?;
        let lexicon = Lexicon::from_words(name, list, tileset, &path)?;
        if let Some(folder) = cache_folder {
            // A cache that cannot be written costs the next start a rebuild, nothing else.
            let _ = cache::write(folder, &key, &lexicon.report, &lexicon.hash, &lexicon.graph);
        }
        Ok(lexicon)
    }

    /// Builds the graph of a word list; `path` names it in errors.
    ///
    /// # Errors
    /// [`LexiconError::TooLarge`].
    pub fn from_words(name: String, list: WordList, tileset: &TileSet, path: &Path) -> Result<Lexicon, LexiconError> {
        let hash = hash_words(&list.words, tileset);
        let graph = build_graph(&list.words).map_err(|nodes| LexiconError::TooLarge { path: path.into(), nodes })?;
        Ok(Lexicon { name, hash, graph, report: list.report, cached: false })
    }

    /// A lexicon of the given words; for tests and examples.
    ///
    /// # Errors
    /// As [`WordList::from_bytes`].
    pub fn from_text(words: &str, tileset: &TileSet) -> Result<Lexicon, LexiconError> {
        let path = PathBuf::from("text");
        let list = WordList::from_bytes(words.as_bytes(), &path, tileset, crate::layout::MAX_SIDE)?;
        Lexicon::from_words("text".into(), list, tileset, &path)
    }

    /// How many words.
    pub fn words(&self) -> usize {
        self.report.words
    }
}

fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_string()
}

fn read_file(path: &Path) -> Result<Vec<u8>, LexiconError> {
    if path.is_dir() {
        return Err(LexiconError::Directory { path: path.into() });
    }
    std::fs::read(path).map_err(|source| LexiconError::Read { path: path.into(), source })
}

fn hash_words(words: &[PackedWord], tileset: &TileSet) -> String {
    let mut text = String::with_capacity(words.len() * 12);
    for word in words {
        for letter in word.letters() {
            text.push_str(&tileset.kinds()[letter as usize].label);
            text.push(' ');
        }
        text.push('\n');
    }
    hash::sha256(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_list_loads_caches_and_survives_a_torn_cache() {
        let english = TileSet::embedded("english").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let load = || Lexicon::load(EMBEDDED_NAME, &english, 15, Some(folder.path())).unwrap();
        let built = load();
        assert_eq!((built.words(), built.cached), (169_266, false));
        let again = load();
        assert_eq!((again.cached, &again.hash), (true, &built.hash));
        assert_eq!(again.graph, built.graph);
        let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let bytes = std::fs::read(&file).unwrap();
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 4;
        for torn in [&bytes[..bytes.len() / 2], &flipped, b"", b"twgraph"] {
            std::fs::write(&file, torn).unwrap();
            let rebuilt = load();
            assert!(!rebuilt.cached);
            assert_eq!(rebuilt.graph, built.graph);
        }
        assert!(load().cached);
    }

    #[test]
    fn unusable_files_are_told_apart() {
        let english = TileSet::embedded("english").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let message = |name: &str, bytes: Option<&[u8]>| {
            let path = folder.path().join(name);
            if let Some(bytes) = bytes {
                std::fs::write(&path, bytes).unwrap();
            }
            Lexicon::load(path.to_str().unwrap(), &english, 15, None).unwrap_err().to_string()
        };
        assert!(message("missing.txt", None).contains("missing.txt: No such file"));
        assert!(message("", None).contains("is a directory"));
        assert!(message("empty.txt", Some(b"")).contains("holds no word"));
        assert!(message("latin.txt", Some(b"CARE\nCAF\xc9\n")).contains("line 2: not UTF-8"));
        assert!(message("torn.gz", Some(&EMBEDDED_WORDS[..1000])).contains("damaged gzip"));
        assert!(message("odd.kwg", Some(b"abc")).contains("odd.kwg"));
        let digits = message("digits.txt", Some(b"A1\nB\n"));
        assert!(digits.contains("line 1: \"A1\"") && digits.contains("line 2: \"B\""), "{digits}");
    }
}
