//! Lexicons: word lists and the word graphs built from them.
//!
//! A word list becomes one minimal graph with a DAWG and a GADDAG. The list is a text or the words of a `.kwg`, plain or
//! packed with gzip, xz or zip. The graph is cached under the hash of the list's bytes and the tile set. A stale or damaged
//! cache file is rebuilt.

use std::path::{Path, PathBuf};

use crate::embedded::FILES;
use crate::hash;
use crate::input_file::{self, limits};
use crate::tileset::{Style, Tile, TileSet};

mod graph;
mod dawg;
mod gaddag;
mod word_report;
pub mod kwg;
mod content;
pub mod word_list;
mod word_map;

pub(crate) use content::EMBEDDED_HASH;
pub use content::{EMBEDDED_NAME, LexiconError};
pub use dawg::{Arc, PackedWord, States};
pub(crate) use gaddag::{Children, SearchNode};
pub use gaddag::{SearchGraph, build_graph};
pub use graph::{Node, WordGraph};
pub use word_list::WordList;
pub use word_map::{Anagrams, WordMap};
pub use word_report::{Cure, LineForm, RejectedLine, WordReport};

/// The words of a game and their word graph.
#[derive(Debug)]
pub struct Lexicon {
    /// The name: `enable2k`, or the stem of the file.
    pub name: String,
    /// The SHA-256 of the sorted words. It does not depend on the file format.
    pub hash: String,
    /// The DAWG and the GADDAG.
    pub graph: WordGraph,
    /// The result of reading the word list, with the rejected lines.
    pub report: WordReport,
    /// Whether the graph was loaded from the cache.
    pub cached: bool,
}

impl Lexicon {
    /// Loads `enable2k` or a file, with words of 2 to `longest` tiles. The lines of a text are read in this form. With a
    /// cache folder, it loads the graph from there if possible, otherwise it builds and stores the graph.
    ///
    /// # Errors
    /// [`LexiconError`]. Lines that are not words are not errors: see [`Lexicon::report`].
    ///
    /// # Cost
    /// On two cores 0.3 s for 169,000 English words and 5 s for 3.3 million Polish words. From the cache a few milliseconds.
    pub fn load(
        name_or_path: &str,
        form: LineForm,
        tileset: &TileSet,
        longest: usize,
        cache_folder: Option<&Path>,
    ) -> Result<Lexicon, LexiconError> {
        let path = PathBuf::from(name_or_path);
        let owned;
        let (name, bytes): (String, &[u8]) = if let Some(files) = FILES.filter(|_| name_or_path == EMBEDDED_NAME) {
            (EMBEDDED_NAME.into(), files.words)
        } else {
            owned = read_file(&path)?;
            (stem(&path), &owned)
        };
        let key = word_report::key(bytes, form, tileset, longest);
        if let Some((report, hash, graph)) =
            cache_folder.and_then(|folder| word_report::read(folder, &key, tileset.letters()))
        {
            return Ok(Lexicon { name, hash, graph, report, cached: true });
        }
        let list = WordList::from_bytes(bytes, &path, tileset, longest, form)?;
        let lexicon = Lexicon::from_words(name, list, tileset, &path)?;
        if let Some(folder) = cache_folder {
            // If the cache cannot be written, the next start only has to rebuild the graph.
            let _ = word_report::write(folder, &key, &lexicon.report, &lexicon.hash, &lexicon.graph);
        }
        Ok(lexicon)
    }

    /// Builds the graph of a word list. Errors name it `path`.
    ///
    /// # Errors
    /// [`LexiconError::TooLarge`] if the graph needs too many nodes.
    pub(crate) fn from_words(name: String, list: WordList, tileset: &TileSet, path: &Path) -> Result<Lexicon, LexiconError> {
        let hash = hash_words(&list.words, tileset);
        let graph = build_graph(&list.words).map_err(|nodes| LexiconError::TooLarge { path: path.into(), nodes })?;
        Ok(Lexicon { name, hash, graph, report: list.report, cached: false })
    }

    /// Builds a lexicon of the given words, one per line, for tests and examples.
    ///
    /// # Errors
    /// As [`WordList::from_bytes`].
    pub fn from_text(words: &str, tileset: &TileSet) -> Result<Lexicon, LexiconError> {
        let path = PathBuf::from("text");
        let list = WordList::from_bytes(words.as_bytes(), &path, tileset, crate::layout::MAX_SIDE, LineForm::default())?;
        Lexicon::from_words("text".into(), list, tileset, &path)
    }

    /// Returns whether a text is a word. The text is read as a line of a word list.
    pub fn contains(&self, word: &str, tileset: &TileSet) -> bool {
        let letters = |tiles: Vec<Tile>| tiles.into_iter().map(Tile::letter).collect::<Vec<_>>();
        tileset.parse(&word.to_uppercase(), Style::Greedy).is_ok_and(|tiles| self.graph.contains(&letters(tiles)))
    }

    /// Returns the labels of the letters that have tiles but are in no word. There are none if the list is for the tile set.
    pub fn unused_letters<'a>(&self, tileset: &'a TileSet) -> Vec<&'a str> {
        let mut used = vec![false; tileset.kinds().len()];
        for node in self.graph.nodes() {
            used[usize::from(node.letter())] = true;
        }
        let letters = tileset.kinds().iter().zip(used).skip(1);
        letters.filter(|(kind, used)| kind.count > 0 && !used).map(|(kind, _)| kind.label.as_str()).collect()
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
    input_file::read_up_to(path, limits::WORDS).map_err(|source| LexiconError::Read { path: path.into(), source })
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
    fn the_embedded_list_is_cached_and_a_damaged_cache_is_rebuilt() {
        let english = TileSet::embedded("english").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let load = || Lexicon::load(EMBEDDED_NAME, LineForm::default(), &english, 15, Some(folder.path())).unwrap();
        let built = load();
        assert_eq!((built.report.words, built.cached), (169_266, false));
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
        // A first node that points outside the graph, with a checksum that fits.
        let nodes = bytes.len() - 64 - 4 * built.graph.nodes().len();
        let mut outside = bytes[..bytes.len() - 64].to_vec();
        outside[nodes..nodes + 3].fill(0xff);
        let checksum = hash::sha256(&outside);
        outside.extend(checksum.as_bytes());
        std::fs::write(&file, outside).unwrap();
        let rebuilt = load();
        assert!(!rebuilt.cached);
        assert_eq!(rebuilt.graph, built.graph);
    }

    #[test]
    fn each_kind_of_invalid_file_has_its_own_error() {
        let english = TileSet::embedded("english").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let message = |name: &str, bytes: Option<&[u8]>| {
            let path = folder.path().join(name);
            if let Some(bytes) = bytes {
                std::fs::write(&path, bytes).unwrap();
            }
            Lexicon::load(path.to_str().unwrap(), LineForm::default(), &english, 15, None).unwrap_err().to_string()
        };
        assert!(message("missing.txt", None).contains("missing.txt: No such file"));
        assert!(message("", None).contains("is a directory"));
        assert!(message("empty.txt", Some(b"")).contains("contains no words"));
        assert!(message("latin.txt", Some(b"CARE\nCAF\xc9\n")).contains("line 2: not UTF-8"));
        assert!(message("torn.gz", Some(&FILES.unwrap().words[..1000])).contains("damaged gzip"));
        assert!(message("odd.kwg", Some(b"abc")).contains("odd.kwg"));
        let digits = message("digits.txt", Some(b"A1\nB\n"));
        assert!(digits.contains("line 1: \"A1\"") && digits.contains("line 2: \"B\""), "{digits}");
    }
}
