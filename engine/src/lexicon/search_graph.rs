//! The GADDAG in a layout for move generation.

use super::graph::WordGraph;

/// A GADDAG whose nodes store the letters of their children.
///
/// A word graph is larger than the caches near the core, and a search of it spends most of its time waiting for child lists
/// that contain no letter of the rack. A node of this graph holds the letters of its children as bits, their index, and
/// whether a word ends, so the search reads only the children that it needs. The child of a letter is found by counting
/// lower letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchGraph {
    /// Bit 0: a word ends here. Then a bit for the separator and each letter. Then the index of the first child.
    nodes: Vec<u64>,
    /// The position of the index within a node, in bits.
    shift: u32,
    pub(crate) root: Children,
}

/// The children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Children {
    /// Their letters as bits: bit 1 is the first letter, bit 0 the separator. 0 if there are no children.
    pub(crate) letters: u64,
    first: u32,
}

/// A node, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchNode {
    /// Whether a word ends here.
    pub(crate) accepts: bool,
    /// The children.
    pub(crate) children: Children,
}

impl SearchGraph {
    /// Builds the search graph of a word graph for a tile set with a number of letters.
    ///
    /// # Errors
    /// The number of nodes if a node does not fit 64 bits.
    ///
    /// # Cost
    /// Some milliseconds.
    pub(crate) fn new(graph: &WordGraph, letters: u8) -> Result<SearchGraph, usize> {
        let shift = u32::from(letters) + 2;
        let count = graph.nodes().len();
        if shift + count.ilog2() + 1 > u64::BITS {
            return Err(count);
        }
        let below = |list: u32| graph.siblings(list).fold(0u64, |bits, node| bits | 1 << node.letter());
        let pack = |list: u32| u64::from(list) << shift | below(list) << 1;
        let nodes = graph.nodes().iter().map(|node| pack(node.children()) | u64::from(node.accepts())).collect();
        let root = Children { letters: below(graph.gaddag_root()), first: graph.gaddag_root() };
        Ok(SearchGraph { nodes, shift, root })
    }

    /// Returns the child of a letter, which must be among `children`.
    #[inline]
    pub(crate) fn child(&self, children: Children, letter: u8) -> SearchNode {
        let before = (children.letters & ((1 << letter) - 1)).count_ones();
        let node = self.nodes[(children.first + before) as usize];
        SearchNode {
            accepts: node & 1 == 1,
            children: Children { letters: (node & ((1 << self.shift) - 1)) >> 1, first: (node >> self.shift) as u32 },
        }
    }

    /// Returns the child of a letter, or `None` if there is none.
    #[inline]
    pub(crate) fn find(&self, children: Children, letter: u8) -> Option<SearchNode> {
        (children.letters >> letter & 1 == 1).then(|| self.child(children, letter))
    }

    /// Returns the memory of the nodes in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Lexicon, LineForm};
    use crate::tileset::TileSet;

    fn same(graph: &WordGraph, list: u32, search: &SearchGraph, children: Children, depth: usize) {
        let letters = graph.siblings(list).fold(0u64, |bits, node| bits | 1 << node.letter());
        assert_eq!(children.letters, letters);
        if depth == 0 {
            return;
        }
        for node in graph.siblings(list) {
            let other = search.child(children, node.letter());
            assert_eq!(other.accepts, node.accepts());
            same(graph, node.children(), search, other.children, depth - 1);
        }
    }

    #[test]
    fn the_search_graph_spells_the_same_words_as_the_word_graph() {
        let english = TileSet::embedded("english").unwrap();
        let enable = Lexicon::load("enable2k", LineForm::default(), &english, 15, None).unwrap();
        let search = SearchGraph::new(&enable.graph, 26).unwrap();
        same(&enable.graph, enable.graph.gaddag_root(), &search, search.root, 5);
        let few = Lexicon::from_text("CARE\nCARES\nZA\n", &english).unwrap();
        let search = SearchGraph::new(&few.graph, 26).unwrap();
        same(&few.graph, few.graph.gaddag_root(), &search, search.root, 15);
        assert_eq!(search.find(search.root, 17), None);
    }

    #[test]
    fn letters_and_index_must_fit_a_node() {
        let english = TileSet::embedded("english").unwrap();
        let few = Lexicon::from_text("CARE\nCARES\nZA\n", &english).unwrap();
        assert!(SearchGraph::new(&few.graph, 55).is_ok());
        assert_eq!(SearchGraph::new(&few.graph, 60), Err(few.graph.nodes().len()));
    }
}
