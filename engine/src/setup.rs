//! What a game is played with.

use thiserror::Error;

use crate::hash::sha256;
use crate::layout::{Layout, LayoutError};
use crate::lexicon::{EMBEDDED_NAME, Lexicon, LexiconError, SearchGraph, WordMap};
use crate::tileset::{TileSet, TileSetError};

/// The tile set, the board and the words of a game; never changed while playing, shared by every thread.
#[derive(Debug)]
pub struct Setup {
    /// Letters, counts, values and rules.
    pub tileset: TileSet,
    /// Premium squares.
    pub layout: Layout,
    /// The words.
    pub lexicon: Lexicon,
    /// The words as move generation looks for them.
    pub search: WordSearch,
}

/// How move generation finds words. Both ways find the same plays.
#[derive(Debug)]
pub enum WordSearch {
    /// By their letters in any order; several times as fast.
    Map(Box<WordMap>),
    /// By a walk through the GADDAG, without the word map's memory.
    Graph(SearchGraph),
}

impl WordSearch {
    /// Memory, in bytes: 10.5 MB for the word map of 169,000 English words and 181 MB for 3.3 million Polish ones, 6.2 and 38 MB
    /// for the search graph.
    pub fn bytes(&self) -> usize {
        match self {
            WordSearch::Map(map) => map.bytes(),
            WordSearch::Graph(graph) => graph.bytes(),
        }
    }
}

/// The word graph is too large for the search that does without a word map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "{letters} letters and {nodes} graph nodes are more than the search without a word map addresses; leave out --no-word-map"
)]
pub struct TooLarge {
    /// Letters of the tile set.
    pub letters: u8,
    /// Nodes of the graph.
    pub nodes: usize,
}

/// Why a setup cannot be made from its parts.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The tile set.
    #[error(transparent)]
    TileSet(#[from] TileSetError),
    /// The board.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The words.
    #[error(transparent)]
    Lexicon(#[from] LexiconError),
}

/// With more blanks in the bag the word map has too many words to ask for, and walking is faster.
const MOST_BLANKS: u8 = 4;

impl Setup {
    /// An embedded tile set on its own board with the embedded word list (enable2k, which is English).
    ///
    /// ```
    /// let setup = tilewright_engine::setup::Setup::embedded("english")?;
    /// assert_eq!(setup.lexicon.name, "enable2k");
    /// # Ok::<(), tilewright_engine::setup::SetupError>(())
    /// ```
    ///
    /// # Errors
    /// [`SetupError::TileSet`] if no embedded tile set has this name.
    ///
    /// # Cost
    /// About 0.4 s: it reads the list anew. [`Lexicon::load`] with a cache folder takes some milliseconds.
    pub fn embedded(tileset: &str) -> Result<Setup, SetupError> {
        let tileset = TileSet::embedded(tileset)?;
        let layout = Layout::embedded(tileset.board())?;
        let lexicon = Lexicon::load(EMBEDDED_NAME, &tileset, layout.side(), None)?;
        Ok(Setup::new(tileset, layout, lexicon))
    }

    /// A tile set on its own board with a few words, one per line.
    ///
    /// # Errors
    /// [`SetupError`], if the tile set names no embedded board or no line is a word.
    pub fn from_words(tileset: TileSet, words: &str) -> Result<Setup, SetupError> {
        let layout = Layout::embedded(tileset.board())?;
        let lexicon = Lexicon::from_text(words, &tileset)?;
        Ok(Setup::new(tileset, layout, lexicon))
    }

    /// Ready to play: makes the word map, or goes without one where the tile set has more than four blanks.
    pub fn new(tileset: TileSet, layout: Layout, lexicon: Lexicon) -> Setup {
        if tileset.kinds()[0].count > MOST_BLANKS {
            return Setup::for_few_positions(tileset, layout, lexicon);
        }
        let search = word_map(&lexicon);
        Setup { tileset, layout, lexicon, search }
    }

    /// Ready to play without a word map, for when memory is short.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn without_word_map(tileset: TileSet, layout: Layout, lexicon: Lexicon) -> Result<Setup, TooLarge> {
        let search = search_graph(&tileset, &lexicon)?;
        Ok(Setup { tileset, layout, lexicon, search })
    }

    /// Ready to look at a few positions: without a word map where that can be, since making one takes longer.
    pub fn for_few_positions(tileset: TileSet, layout: Layout, lexicon: Lexicon) -> Setup {
        let search = search_graph(&tileset, &lexicon).unwrap_or_else(|_| word_map(&lexicon));
        Setup { tileset, layout, lexicon, search }
    }

    /// A hash of everything but the words that changes play: the tile set, its rules, and the board. Hexadecimal.
    pub fn rules_hash(&self) -> String {
        sha256(format!("{} {}", self.tileset.hash(), self.layout.hash()).as_bytes())
    }
}

fn word_map(lexicon: &Lexicon) -> WordSearch {
    WordSearch::Map(Box::new(WordMap::new(&lexicon.graph)))
}

fn search_graph(tileset: &TileSet, lexicon: &Lexicon) -> Result<WordSearch, TooLarge> {
    let letters = tileset.letters();
    let graph = SearchGraph::new(&lexicon.graph, letters).map_err(|nodes| TooLarge { letters, nodes })?;
    Ok(WordSearch::Graph(graph))
}
