//! What a game is played with.

use thiserror::Error;

use crate::hash::sha256;
use crate::layout::Layout;
use crate::lexicon::{Lexicon, SearchGraph, WordMap};
use crate::tileset::TileSet;

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

/// With more blanks in the bag the word map has too many words to ask for, and walking is faster.
const MOST_BLANKS: u8 = 4;

impl Setup {
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
