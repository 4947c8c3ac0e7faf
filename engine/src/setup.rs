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

/// The word graph is too large for the search that does without a word map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{letters} letters and {nodes} graph nodes are more than the search without a word map addresses; use the word map")]
pub struct TooLarge {
    /// Letters of the tile set.
    pub letters: u8,
    /// Nodes of the graph.
    pub nodes: usize,
}

impl Setup {
    /// Makes the word map and is ready to play.
    pub fn new(tileset: TileSet, layout: Layout, lexicon: Lexicon) -> Setup {
        let search = WordSearch::Map(Box::new(WordMap::new(&lexicon.graph)));
        Setup { tileset, layout, lexicon, search }
    }

    /// Ready to play without a word map, for when memory is short.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn without_word_map(tileset: TileSet, layout: Layout, lexicon: Lexicon) -> Result<Setup, TooLarge> {
        let letters = tileset.letters();
        let graph = SearchGraph::new(&lexicon.graph, letters).map_err(|nodes| TooLarge { letters, nodes })?;
        Ok(Setup { tileset, layout, lexicon, search: WordSearch::Graph(graph) })
    }

    /// Ready to look at a few positions: without a word map where that can be, since making one takes longer.
    pub fn for_few_positions(tileset: TileSet, layout: Layout, lexicon: Lexicon) -> Setup {
        match SearchGraph::new(&lexicon.graph, tileset.letters()) {
            Ok(graph) => Setup { tileset, layout, lexicon, search: WordSearch::Graph(graph) },
            Err(_) => Setup::new(tileset, layout, lexicon),
        }
    }

    /// A hash of everything but the words that changes play: the tile set, its rules, and the board. Hexadecimal.
    pub fn rules_hash(&self) -> String {
        sha256(format!("{} {}", self.tileset.hash(), self.layout.hash()).as_bytes())
    }
}
