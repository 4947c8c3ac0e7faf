//! Construction of the DAWG and the GADDAG of a word list, in one graph.
//!
//! The continuations of a reversed prefix `p` after the separator `@` are the continuations of `p` in the DAWG. So the
//! GADDAG is built from the *distinct reversed prefixes* only, each with an arc `@` into the DAWG. That is a quarter of the
//! paths needed to spell every split of every word.
//!
//! The GADDAG in a layout for move generation.

use rayon::slice::ParallelSliceMut;

use super::dawg::{Arc, EMPTY, OpenPath, PackedWord, States};
use super::graph::WordGraph;

struct ReversedPrefix {
    letters: PackedWord,
    /// The DAWG state after the prefix.
    rest: u32,
    is_word: bool,
}

/// Builds the minimal graph of words.
///
/// The words must be sorted and distinct. Debug builds check it.
///
/// # Errors
/// The number of nodes if there are too many for a word graph.
pub fn build_graph(words: &[PackedWord]) -> Result<WordGraph, usize> {
    let mut states = States::default();
    let mut prefixes = Vec::with_capacity(words.len() * 2);
    let dawg = states.add_words(words.iter().copied(), |prefix, rest, is_word| {
        prefixes.push(ReversedPrefix { letters: prefix.reversed(), rest, is_word });
    });
    prefixes.par_sort_unstable_by_key(|prefix| prefix.letters);
    let mut open = OpenPath::default();
    let mut ignore = |_, _, _| ();
    for prefix in &prefixes {
        open.close_to(prefix.letters, &mut states, &mut ignore);
        open.extend(prefix.letters, prefix.is_word);
        if prefix.rest != EMPTY {
            open.add_arc(Arc { target: prefix.rest, letter: 0, accepts: false });
        }
    }
    drop(prefixes);
    let gaddag = open.finish(&mut states, &mut ignore);
    states.lay_out(&[dawg, gaddag]).map(WordGraph::from_nodes)
}

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
    use std::collections::{BTreeSet, HashMap, HashSet};

    use super::*;
    use crate::lexicon::{Lexicon, LineForm};
    use crate::tileset::TileSet;

    fn gaddag_strings(graph: &WordGraph, list: u32, path: &mut Vec<u8>, found: &mut BTreeSet<Vec<u8>>) {
        for node in graph.siblings(list) {
            path.push(node.letter());
            if node.accepts() {
                found.insert(path.clone());
            }
            gaddag_strings(graph, node.children(), path, found);
            path.pop();
        }
    }

    fn random_words(seed: u64) -> BTreeSet<Vec<u8>> {
        use rand::RngExt;
        let mut stream = crate::rng::stream(seed, "words", 0);
        (0..200).map(|_| (0..stream.random_range(2..8)).map(|_| stream.random_range(1..5)).collect()).collect()
    }

    #[test]
    fn the_graph_spells_the_words_and_every_split() {
        for seed in 0..20 {
            let words = random_words(seed);
            let packed: Vec<PackedWord> = words.iter().map(|word| PackedWord::new(word.iter().copied())).collect();
            let graph = build_graph(&packed).unwrap();
            let mut spelled = Vec::new();
            graph.for_each_word(|word| spelled.push(word.to_vec()));
            assert_eq!(spelled, words.iter().cloned().collect::<Vec<_>>());
            let mut expected = BTreeSet::new();
            for word in &words {
                expected.insert(word.iter().rev().copied().collect::<Vec<_>>());
                for turn in 1..word.len() {
                    let mut path: Vec<u8> = word[..turn].iter().rev().copied().collect();
                    path.push(0);
                    path.extend(&word[turn..]);
                    expected.insert(path);
                }
            }
            let mut found = BTreeSet::new();
            gaddag_strings(&graph, graph.gaddag_root(), &mut Vec::new(), &mut found);
            assert_eq!(found, expected);
        }
    }

    /// Returns the sibling lists reachable from both roots.
    fn reachable_lists(graph: &WordGraph) -> HashSet<u32> {
        let mut lists = HashSet::new();
        let mut stack = vec![graph.dawg_root(), graph.gaddag_root()];
        while let Some(list) = stack.pop() {
            if list != 0 && lists.insert(list) {
                stack.extend(graph.siblings(list).map(super::super::Node::children));
            }
        }
        lists
    }

    /// Counts the distinct languages that the lists spell, by numbering them exactly from the leaves up.
    fn distinct_languages(graph: &WordGraph, lists: &HashSet<u32>) -> usize {
        fn name(
            graph: &WordGraph,
            list: u32,
            names: &mut HashMap<Vec<(u8, bool, usize)>, usize>,
            known: &mut HashMap<u32, usize>,
        ) -> usize {
            if let Some(&name) = known.get(&list) {
                return name;
            }
            let arcs: Vec<_> = graph
                .siblings(list)
                .map(|node| (node.letter(), node.accepts(), name(graph, node.children(), names, known)))
                .collect();
            let fresh = names.len();
            let id = *names.entry(arcs).or_insert(fresh);
            known.insert(list, id);
            id
        }
        let (mut names, mut known) = (HashMap::new(), HashMap::new());
        lists.iter().map(|&list| name(graph, list, &mut names, &mut known)).collect::<HashSet<_>>().len()
    }

    #[test]
    fn no_two_lists_spell_the_same_words() {
        let english = TileSet::embedded("english").unwrap();
        let enable = Lexicon::load("enable2k", LineForm::default(), &english, 15, None).unwrap().graph;
        let mut graphs = vec![enable];
        for seed in 0..20 {
            let packed: Vec<_> = random_words(seed).iter().map(|word| PackedWord::new(word.iter().copied())).collect();
            graphs.push(build_graph(&packed).unwrap());
        }
        for graph in graphs {
            let lists = reachable_lists(&graph);
            assert_eq!(distinct_languages(&graph, &lists), lists.len());
            // Every node is reachable: the lists cover the array after the two roots.
            let covered: HashSet<u32> = lists.iter().flat_map(|&list| (list..).take(graph.siblings(list).count())).collect();
            assert_eq!(covered.len() + 2, graph.nodes().len());
        }
    }

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
