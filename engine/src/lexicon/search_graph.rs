//! The GADDAG laid out for the search.

use super::graph::WordGraph;

/// The GADDAG once more, with the letters of every node's children beside the way to them.
///
/// A graph is larger than the caches near the core, and the search spends most of its time waiting for a child list that has
/// none of the rack's letters. Here it knows before it looks: a node is its children's letters as bits, their place, and
/// whether a word ends; the child for a letter is as many nodes on as there are lower letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchGraph {
    /// Bit 0: a word ends here; then a bit for the separator and each letter; then the place of the first child.
    nodes: Vec<u64>,
    /// How far up the place is.
    shift: u32,
    root: Children,
}

/// The children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Children {
    /// Their letters, bit 1 for the first letter, bit 0 for the separator; 0 if there are none.
    pub letters: u64,
    first: u32,
}

/// A node as the search meets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchNode {
    /// Whether a word ends here.
    pub accepts: bool,
    /// What may follow.
    pub children: Children,
}

impl SearchGraph {
    /// Lays out a graph's GADDAG for a tile set of so many letters, in some milliseconds.
    ///
    /// # Errors
    /// The number of nodes, if letters and places do not fit together.
    pub fn new(graph: &WordGraph, letters: u8) -> Result<SearchGraph, usize> {
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

    /// The first list.
    pub fn root(&self) -> Children {
        self.root
    }

    /// The child for a letter that is among `children`.
    #[inline]
    pub fn child(&self, children: Children, letter: u8) -> SearchNode {
        let before = (children.letters & ((1 << letter) - 1)).count_ones();
        let node = self.nodes[(children.first + before) as usize];
        SearchNode {
            accepts: node & 1 == 1,
            children: Children { letters: (node & ((1 << self.shift) - 1)) >> 1, first: (node >> self.shift) as u32 },
        }
    }

    /// The child for a letter, if there is one.
    #[inline]
    pub fn find(&self, children: Children, letter: u8) -> Option<SearchNode> {
        (children.letters >> letter & 1 == 1).then(|| self.child(children, letter))
    }

    /// Memory of the nodes, in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
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
    fn both_layouts_spell_the_same() {
        let english = TileSet::embedded("english").unwrap();
        let enable = Lexicon::load("enable2k", &english, 15, None).unwrap();
        let search = SearchGraph::new(&enable.graph, 26).unwrap();
        same(&enable.graph, enable.graph.gaddag_root(), &search, search.root(), 5);
        let few = Lexicon::from_text("CARE\nCARES\nZA\n", &english).unwrap();
        let search = SearchGraph::new(&few.graph, 26).unwrap();
        same(&few.graph, few.graph.gaddag_root(), &search, search.root(), 15);
        assert_eq!(search.find(search.root(), 17), None);
    }

    #[test]
    fn letters_and_places_must_fit_together() {
        let english = TileSet::embedded("english").unwrap();
        let few = Lexicon::from_text("CARE\nCARES\nZA\n", &english).unwrap();
        assert!(SearchGraph::new(&few.graph, 55).is_ok());
        assert_eq!(SearchGraph::new(&few.graph, 60), Err(few.graph.nodes().len()));
    }
}
