//! The word graph in memory: DAWG and GADDAG in one array.

/// Nodes that a graph can address.
pub const MAX_NODES: usize = 1 << 24;

const CHILDREN: u32 = (1 << 24) - 1;
const LAST: u32 = 1 << 24;
const ACCEPTS: u32 = 1 << 25;
const LETTER: u32 = 26;

/// One arc of the graph: bits 0–23 the index of the first child (0: none), 24 last of its sibling list, 25 a word ends
/// here, 26–31 the letter (0: the separator).
///
/// The same idea as a KWG node with four bits moved from the letter to the index, so that a lexicon four times as large
/// still fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node(u32);

impl Node {
    /// A node of its four parts.
    pub fn new(letter: u8, accepts: bool, last: bool, children: u32) -> Node {
        debug_assert!(letter < 64 && children <= CHILDREN);
        Node(u32::from(letter) << LETTER | u32::from(accepts) * ACCEPTS | u32::from(last) * LAST | children)
    }

    /// The node as the four bytes of the cache, little endian.
    pub(super) const fn to_bytes(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }

    /// The node of four bytes.
    pub(super) const fn from_bytes(bytes: [u8; 4]) -> Node {
        Node(u32::from_le_bytes(bytes))
    }

    /// The letter; 0 for the separator.
    #[inline]
    pub const fn letter(self) -> u8 {
        (self.0 >> LETTER) as u8
    }

    /// Whether a word ends here.
    #[inline]
    pub const fn accepts(self) -> bool {
        self.0 & ACCEPTS != 0
    }

    /// Whether it is the last of its sibling list.
    #[inline]
    pub const fn is_last(self) -> bool {
        self.0 & LAST != 0
    }

    /// The index of its first child; 0 when it has none.
    #[inline]
    pub const fn children(self) -> u32 {
        self.0 & CHILDREN
    }
}

/// A minimal DAWG and GADDAG that share their nodes.
///
/// Node 0 points at the DAWG's root list, node 1 at the GADDAG's. For CARE the GADDAG holds ERAC, RAC@E, AC@RE, C@ARE; what
/// follows the separator are the DAWG's own nodes. Sibling lists are contiguous, sorted by letter, the separator first; a
/// list that is the tail of another is stored inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordGraph {
    nodes: Vec<Node>,
}

impl WordGraph {
    /// A graph of nodes laid out as described above.
    pub(super) fn from_nodes(nodes: Vec<Node>) -> WordGraph {
        debug_assert!(nodes.len() >= 2);
        WordGraph { nodes }
    }

    /// Every node.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node at an index.
    #[inline]
    pub fn node(&self, index: u32) -> Node {
        self.nodes[index as usize]
    }

    /// The DAWG's first sibling list.
    pub fn dawg_root(&self) -> u32 {
        self.nodes[0].children()
    }

    /// The GADDAG's first sibling list.
    pub fn gaddag_root(&self) -> u32 {
        self.nodes[1].children()
    }

    /// The nodes of the sibling list that begins at `list`; none for 0.
    pub fn siblings(&self, list: u32) -> impl Iterator<Item = Node> + '_ {
        let nodes = if list == 0 { &[][..] } else { &self.nodes[list as usize..] };
        let mut done = false;
        nodes.iter().copied().take_while(move |node| !std::mem::replace(&mut done, node.is_last()))
    }

    /// The child for a letter in a sibling list.
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

    /// Follows several letters from a sibling list; the node of the last.
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

    /// Whether the letters are a word.
    pub fn contains(&self, letters: &[u8]) -> bool {
        self.walk(self.dawg_root(), letters.iter().copied()).is_some_and(Node::accepts)
    }

    /// Calls `visit` with the letters of each word, in order.
    pub fn for_each_word(&self, mut visit: impl FnMut(&[u8])) {
        self.visit_words(self.dawg_root(), &mut Vec::new(), &mut visit);
    }

    fn visit_words(&self, list: u32, word: &mut Vec<u8>, visit: &mut impl FnMut(&[u8])) {
        for node in self.siblings(list) {
            word.push(node.letter());
            if node.accepts() {
                visit(word);
            }
            self.visit_words(node.children(), word, visit);
            word.pop();
        }
    }

    /// Memory of the nodes, in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
    }
}
