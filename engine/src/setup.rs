//! The setup of a game: tile set, board layout and lexicon.

use thiserror::Error;

use crate::configs::ConfigError;
use crate::hash::sha256;
use crate::layout::Layout;
use crate::lexicon::{EMBEDDED_NAME, Lexicon, LexiconError, LineForm, SearchGraph, WordMap};
use crate::tileset::TileSet;

/// The tile set, the board layout and the lexicon of a game. It does not change during play, and all threads share it.
#[derive(Debug)]
pub struct Setup {
    /// The tile set with its rules.
    pub tileset: TileSet,
    /// The board layout.
    pub layout: Layout,
    /// The lexicon.
    pub lexicon: Lexicon,
    /// The words in the form that move generation needs.
    pub search: WordSearch,
}

/// The index in which move generation looks up words. Both find the same plays.
#[derive(Debug)]
pub enum WordSearch {
    /// The word map, several times faster.
    Map(Box<WordMap>),
    /// A GADDAG, which needs less memory.
    Graph(SearchGraph),
}

impl WordSearch {
    /// The word map, if there is one.
    pub fn map(&self) -> Option<&WordMap> {
        match self {
            WordSearch::Map(map) => Some(map),
            WordSearch::Graph(_) => None,
        }
    }

    /// Returns the memory in bytes. The word map takes 10.5 MB for 169,000 English words and 181 MB for 3.3 million Polish
    /// words. The search graph takes 6.2 MB and 38 MB.
    pub fn bytes(&self) -> usize {
        match self {
            WordSearch::Map(map) => map.bytes(),
            WordSearch::Graph(graph) => graph.bytes(),
        }
    }
}

/// The word graph is too large for move generation without a word map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("move generation without a word map cannot address {letters} letters and {nodes} graph nodes")]
pub struct WordGraphTooLarge {
    /// The number of letters of the tile set.
    pub letters: u8,
    /// The number of nodes of the word graph.
    pub nodes: usize,
}

/// Why a setup cannot be made from its parts.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The tile set or the board.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The words.
    #[error(transparent)]
    Lexicon(#[from] LexiconError),
}

/// The number of blanks in a tile set up to which the word map is faster. With more, it has to look up too many assignments
/// of letters to blanks.
const MAX_BLANKS: u8 = 4;

impl Setup {
    /// Creates the setup of an embedded tile set on its own board with the embedded word list (enable2k, which is English).
    ///
    /// ```
    /// let setup = tilewright_engine::setup::Setup::embedded("english")?;
    /// assert_eq!(setup.lexicon.name, "enable2k");
    /// # Ok::<(), tilewright_engine::setup::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// [`SetupError::Config`] if no embedded tile set has this name.
    ///
    /// # Cost
    /// About 0.4 s, because it rebuilds the word graph. [`Lexicon::load`] with a cache folder takes some milliseconds.
    pub fn embedded(tileset: &str) -> Result<Setup, SetupError> {
        let tileset = TileSet::embedded(tileset)?;
        let layout = Layout::embedded(tileset.board())?;
        let lexicon = Lexicon::load(EMBEDDED_NAME, LineForm::default(), &tileset, layout.side(), None)?;
        Ok(Setup::new(tileset, layout, lexicon))
    }

    /// Creates the setup of a tile set on its own board with a few words, one per line.
    ///
    /// # Errors
    /// [`SetupError`], if the tile set names no embedded board or no line is a word.
    pub fn from_words(tileset: TileSet, words: &str) -> Result<Setup, SetupError> {
        let layout = Layout::embedded(tileset.board())?;
        let lexicon = Lexicon::from_text(words, &tileset)?;
        Ok(Setup::new(tileset, layout, lexicon))
    }

    /// Creates a setup for games. It builds the word map, unless the tile set has more than four blanks.
    pub fn new(tileset: TileSet, layout: Layout, lexicon: Lexicon) -> Setup {
        if tileset.kinds()[0].count > MAX_BLANKS {
            return Setup::for_few_positions(tileset, layout, lexicon);
        }
        let search = word_map(&lexicon);
        Setup { tileset, layout, lexicon, search }
    }

    /// Creates a setup without a word map, to save memory.
    ///
    /// # Errors
    /// [`WordGraphTooLarge`] if the word graph does not fit the search graph.
    pub fn without_word_map(tileset: TileSet, layout: Layout, lexicon: Lexicon) -> Result<Setup, WordGraphTooLarge> {
        let search = search_graph(&tileset, &lexicon)?;
        Ok(Setup { tileset, layout, lexicon, search })
    }

    /// Creates a setup for a few positions: without a word map if possible, because building one takes longer than it saves.
    pub fn for_few_positions(tileset: TileSet, layout: Layout, lexicon: Lexicon) -> Setup {
        let search = search_graph(&tileset, &lexicon).unwrap_or_else(|_| word_map(&lexicon));
        Setup { tileset, layout, lexicon, search }
    }

    /// Returns the hash of the tile set, its rules and the board layout, in hexadecimal.
    pub fn rules_hash(&self) -> String {
        rules_hash(&self.tileset, &self.layout)
    }

    /// Creates the setup of a tile set with as many words as a game needs, which are no words of the language.
    #[cfg(test)]
    pub(crate) fn pseudo_words(tileset: &str) -> Setup {
        use rand::RngExt;

        let tileset = TileSet::embedded(tileset).unwrap();
        let letters: Vec<u8> =
            (0..).zip(tileset.counts()).skip(1).flat_map(|(kind, count)| vec![kind; count as usize]).collect();
        let mut draw = crate::rng::stream(7, "words", 0);
        let mut word = || {
            let size = draw.random_range(2..=5);
            let word: Vec<_> =
                (0..size).map(|_| crate::tileset::Tile::letter_tile(letters[draw.random_range(0..letters.len())])).collect();
            tileset.show_all(&word)
        };
        let words: Vec<String> = (0..6000).map(|_| word()).collect();
        Setup::from_words(tileset.clone(), &words.join("\n")).unwrap()
    }
}

/// Returns the hash of a tile set, its rules and a board layout, in hexadecimal.
pub fn rules_hash(tileset: &TileSet, layout: &Layout) -> String {
    sha256(format!("{} {}", tileset.hash(), layout.hash()).as_bytes())
}

fn word_map(lexicon: &Lexicon) -> WordSearch {
    WordSearch::Map(Box::new(WordMap::new(&lexicon.graph)))
}

fn search_graph(tileset: &TileSet, lexicon: &Lexicon) -> Result<WordSearch, WordGraphTooLarge> {
    let letters = tileset.letters();
    let graph = SearchGraph::new(&lexicon.graph, letters).map_err(|nodes| WordGraphTooLarge { letters, nodes })?;
    Ok(WordSearch::Graph(graph))
}
