//! The word graph in memory: a DAWG and a GADDAG in one array.

/// The maximum number of nodes of a graph.
pub(crate) const MAX_NODES: usize = 1 << 24;

const CHILDREN: u32 = (1 << 24) - 1;
const LAST: u32 = 1 << 24;
const ACCEPTS: u32 = 1 << 25;
const LETTER: u32 = 26;

/// A node of the graph: bits 0–23 are the index of the first child (0: none), bit 24 marks the last node of a sibling list,
/// bit 25 the end of a word, and bits 26–31 are the letter (0: the separator).
///
/// It is a KWG node with two bits moved from the letter to the index, so that a lexicon four times as large fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node(u32);

impl Node {
    /// Creates a node from its four parts.
    pub(crate) fn new(letter: u8, accepts: bool, last: bool, children: u32) -> Node {
        debug_assert!(letter < 64 && children <= CHILDREN);
        Node(u32::from(letter) << LETTER | u32::from(accepts) * ACCEPTS | u32::from(last) * LAST | children)
    }

    /// Returns the node as little-endian bytes.
    pub(super) const fn to_bytes(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }

    /// Creates a node from little-endian bytes.
    pub(super) const fn from_bytes(bytes: [u8; 4]) -> Node {
        Node(u32::from_le_bytes(bytes))
    }

    /// Returns the letter, or 0 for the separator.
    #[inline]
    pub const fn letter(self) -> u8 {
        (self.0 >> LETTER) as u8
    }

    /// Returns whether a word ends here.
    #[inline]
    pub const fn accepts(self) -> bool {
        self.0 & ACCEPTS != 0
    }

    /// Returns whether the node is the last of its sibling list.
    #[inline]
    pub const fn is_last(self) -> bool {
        self.0 & LAST != 0
    }

    /// Returns the index of the first child, which is its list of children, or 0 if there are none.
    #[inline]
    pub const fn children(self) -> u32 {
        self.0 & CHILDREN
    }
}

/// A word graph: a minimal DAWG and GADDAG that share nodes.
///
/// Node 0 points to the root list of the DAWG, node 1 to the root list of the GADDAG. For CARE the GADDAG contains ERAC,
/// RAC@E, AC@RE and C@ARE. The nodes after the separator belong to the DAWG. Sibling lists are contiguous and sorted by
/// letter, with the separator first. A list that is the tail of another list is stored inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordGraph {
    nodes: Vec<Node>,
}

impl WordGraph {
    /// Creates a graph from nodes in the layout described above.
    pub(super) fn from_nodes(nodes: Vec<Node>) -> WordGraph {
        debug_assert!(nodes.len() >= 2);
        WordGraph { nodes }
    }

    /// Returns whether every index is inside the graph, every list ends there, and no letter is beyond `letters`.
    pub(super) fn is_sound(&self, letters: u8) -> bool {
        let count = self.nodes.len();
        let ends = count == 2 || self.nodes.last().is_some_and(|node| node.is_last());
        ends && self.nodes.iter().all(|node| (node.children() as usize) < count && node.letter() <= letters)
    }

    /// Returns all nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the node at an index.
    #[inline]
    pub fn node(&self, index: u32) -> Node {
        self.nodes[index as usize]
    }

    /// Returns the root list of the DAWG.
    pub fn dawg_root(&self) -> u32 {
        self.nodes[0].children()
    }

    /// Returns the root list of the GADDAG.
    pub fn gaddag_root(&self) -> u32 {
        self.nodes[1].children()
    }

    /// Returns the nodes of the sibling list at index `list`. There are none for 0.
    pub(crate) fn siblings(&self, list: u32) -> impl Iterator<Item = Node> + '_ {
        let nodes = if list == 0 { &[][..] } else { &self.nodes[list as usize..] };
        let mut done = false;
        nodes.iter().copied().take_while(move |node| !std::mem::replace(&mut done, node.is_last()))
    }

    /// Returns the node of a letter in a sibling list.
    #[inline]
    pub fn child(&self, list: u32, letter: u8) -> Option<Node> {
        if list == 0 {
            return None;
        }
        let mut index = list;
        loop {
            let node = self.node(index);
            if node.letter() == letter {
                return Some(node);
            }
            if node.is_last() {
                return None;
            }
            index += 1;
        }
    }

    /// Follows letters from a sibling list and returns the node of the last letter.
    pub fn walk(&self, list: u32, letters: impl IntoIterator<Item = u8>) -> Option<Node> {
        let mut list = list;
        let mut found = None;
        for letter in letters {
            let node = self.child(list, letter)?;
            list = node.children();
            found = Some(node);
        }
        found
    }

    /// Returns whether the letters are a word.
    pub fn contains(&self, letters: &[u8]) -> bool {
        self.walk(self.dawg_root(), letters.iter().copied()).is_some_and(Node::accepts)
    }

    /// Calls `visit` with the letters of each word, in alphabetical order.
    pub fn for_each_word(&self, mut visit: impl FnMut(&[u8])) {
        let mut no_limit = usize::MAX;
        self.visit_words(&mut no_limit, &mut |word| {
            visit(word);
            true
        });
    }

    /// Calls `take` with the letters of each word, in alphabetical order, as long as it returns `true`. Returns whether that were all:
    /// `false` also for a graph with cycles or with more nodes to visit than the budget.
    pub(crate) fn visit_words(&self, budget: &mut usize, take: &mut impl FnMut(&[u8]) -> bool) -> bool {
        self.visit_below(self.dawg_root(), &mut Vec::new(), budget, take)
    }

    fn visit_below(&self, list: u32, word: &mut Vec<u8>, budget: &mut usize, take: &mut impl FnMut(&[u8]) -> bool) -> bool {
        if list != 0 && word.len() >= 64 {
            return false;
        }
        for node in self.siblings(list) {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            word.push(node.letter());
            let go_on = (!node.accepts() || take(word)) && self.visit_below(node.children(), word, budget, take);
            word.pop();
            if !go_on {
                return false;
            }
        }
        true
    }

    /// Returns the memory of the nodes in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
    }
}
