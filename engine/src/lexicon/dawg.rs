//! Construction of minimal automata from sorted words, in one pass.
//!
//! Because the words are sorted, all states beyond the prefix that a word shares with its successor are complete. A complete
//! state is looked up by its arcs and stored once, so the memory is only the size of the minimal automaton.
//!
//! Words packed into integers that sort like words.

use std::collections::VecDeque;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::graph::{MAX_NODES, Node};
use crate::layout::MAX_SIDE;

/// The number of the state without arcs.
pub(super) const EMPTY: u32 = 0;

/// An arc of an automaton under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arc {
    /// The state to which it leads.
    pub target: u32,
    /// The letter, or 0 for the separator of a GADDAG or the blank of a leave.
    pub letter: u8,
    /// Whether a word ends after it.
    pub accepts: bool,
}

/// The distinct states of an automaton.
#[derive(Debug)]
pub struct States {
    arcs: Vec<Arc>,
    /// The index of the first arc of each state, and at the end the number of arcs.
    first: Vec<u32>,
    by_arcs: HashTable<u32>,
}

impl Default for States {
    fn default() -> Self {
        States { arcs: Vec::new(), first: vec![0, 0], by_arcs: HashTable::new() }
    }
}

impl States {
    /// Returns the arcs of a state.
    pub(crate) fn arcs(&self, state: u32) -> &[Arc] {
        &self.arcs[self.first[state as usize] as usize..self.first[state as usize + 1] as usize]
    }

    fn count(&self) -> usize {
        self.first.len() - 1
    }

    fn find(&self, arcs: &[Arc]) -> Option<u32> {
        self.by_arcs.find(FxBuildHasher.hash_one(arcs), |&state| self.arcs(state) == arcs).copied()
    }

    /// Returns the state with these arcs, which is created if necessary.
    pub(crate) fn intern(&mut self, arcs: &[Arc]) -> u32 {
        if arcs.is_empty() {
            return EMPTY;
        }
        if let Some(state) = self.find(arcs) {
            return state;
        }
        let state = self.count() as u32;
        self.arcs.extend_from_slice(arcs);
        self.first.push(self.arcs.len() as u32);
        let (all, first) = (&self.arcs, &self.first);
        let hash = |state: &u32| {
            let state = *state as usize;
            FxBuildHasher.hash_one(&all[first[state] as usize..first[state + 1] as usize])
        };
        self.by_arcs.insert_unique(FxBuildHasher.hash_one(arcs), state, hash);
        state
    }

    /// Adds sorted, distinct words and returns the state from which they are spelled. Calls `finished` with every prefix
    /// when its state is complete: the prefix, the state, and whether the prefix is a word. Debug builds check that the
    /// words are sorted and distinct.
    pub(super) fn add_words(
        &mut self,
        words: impl IntoIterator<Item = PackedWord>,
        mut finished: impl FnMut(PackedWord, u32, bool),
    ) -> u32 {
        let mut open = OpenPath::default();
        for word in words {
            open.close_to(word, self, &mut finished);
            open.extend(word, true);
        }
        open.finish(self, &mut finished)
    }

    /// Lays out the states reachable from `roots` as nodes: one node for each root, then the sibling lists.
    ///
    /// # Errors
    /// The number of nodes if it exceeds [`MAX_NODES`].
    pub(crate) fn lay_out(&self, roots: &[u32]) -> Result<Vec<Node>, usize> {
        let hosts = self.hosts();
        let total = roots.len()
            + (1..self.count())
                .filter(|&state| hosts[state].0 == state as u32)
                .map(|state| self.arcs(state as u32).len())
                .sum::<usize>();
        if total > MAX_NODES {
            return Err(total);
        }
        // Breadth first, so that the lists near the roots, which every search reads, share cache lines.
        let mut place = vec![0u32; self.count()];
        let mut next = roots.len() as u32;
        let mut order = Vec::new();
        let mut open: VecDeque<u32> = roots.iter().copied().filter(|&root| root != EMPTY).collect();
        while let Some(state) = open.pop_front() {
            let host = hosts[state as usize].0;
            if place[host as usize] == 0 {
                place[host as usize] = next;
                next += self.arcs(host).len() as u32;
                order.push(host);
                open.extend(self.arcs(host).iter().map(|arc| arc.target).filter(|&target| target != EMPTY));
            }
        }
        let at = |state: u32| match state {
            EMPTY => 0,
            _ => place[hosts[state as usize].0 as usize] + hosts[state as usize].1,
        };
        let mut nodes: Vec<Node> = roots.iter().map(|&root| Node::new(0, false, true, at(root))).collect();
        for state in order {
            let arcs = self.arcs(state);
            for (index, arc) in arcs.iter().enumerate() {
                nodes.push(Node::new(arc.letter, arc.accepts, index + 1 == arcs.len(), at(arc.target)));
            }
        }
        Ok(nodes)
    }

    /// Returns for each state the state in whose list its own list is stored, and the first arc there. A list that is the
    /// tail of a longer list is stored inside it.
    fn hosts(&self) -> Vec<(u32, u32)> {
        let mut by_length: Vec<u32> = (1..self.count() as u32).collect();
        by_length.sort_by_key(|&state| std::cmp::Reverse(self.arcs(state).len()));
        let mut hosts: Vec<(u32, u32)> = (0..self.count() as u32).map(|state| (state, 0)).collect();
        for state in by_length {
            if hosts[state as usize].0 != state {
                continue;
            }
            let arcs = self.arcs(state);
            for from in 1..arcs.len() {
                if let Some(tail) = self.find(&arcs[from..])
                    && hosts[tail as usize].0 == tail
                {
                    hosts[tail as usize] = (state, from as u32);
                }
            }
        }
        hosts
    }
}

/// The states along the last word, which can still gain arcs.
#[derive(Default)]
pub(super) struct OpenPath {
    word: PackedWord,
    /// Whether each prefix of `word` is a word.
    accepts: Vec<bool>,
    arcs: Vec<Vec<Arc>>,
}

impl OpenPath {
    /// Completes the states beyond the prefix that `next` shares with the last word.
    pub(super) fn close_to(
        &mut self,
        next: PackedWord,
        states: &mut States,
        finished: &mut impl FnMut(PackedWord, u32, bool),
    ) {
        let shared = self.word.shared_prefix(next).min(self.accepts.len());
        while self.accepts.len() > shared {
            let depth = self.accepts.len();
            let state = states.intern(&self.arcs[depth]);
            self.arcs[depth].clear();
            let accepts = self.accepts.pop().unwrap_or_default();
            finished(self.word.prefix(depth), state, accepts);
            if let Some(arc) = self.arcs[depth - 1].last_mut() {
                arc.target = state;
            }
        }
    }

    /// Opens the states of the rest of `word`. `accepts` marks `word` itself as a word.
    pub(super) fn extend(&mut self, word: PackedWord, accepts: bool) {
        debug_assert!(self.word < word, "the words of a graph are sorted and distinct");
        let length = word.len();
        self.arcs.resize_with(self.arcs.len().max(length + 1), Vec::new);
        for (depth, letter) in word.letters().enumerate().skip(self.accepts.len()) {
            let ends = accepts && depth + 1 == length;
            self.arcs[depth].push(Arc { target: EMPTY, letter, accepts: ends });
            self.accepts.push(ends);
        }
        self.word = word;
    }

    pub(super) fn add_arc(&mut self, arc: Arc) {
        let depth = self.accepts.len();
        self.arcs[depth].push(arc);
    }

    /// Completes all states and returns the root.
    pub(super) fn finish(mut self, states: &mut States, finished: &mut impl FnMut(PackedWord, u32, bool)) -> u32 {
        self.close_to(PackedWord::default(), states, finished);
        self.arcs.first().map_or(EMPTY, |arcs| states.intern(arcs))
    }
}

/// The number of bits per letter.
const BITS: u32 = 6;

/// A word of at most 21 letters in six bits each, the first letter highest, so that packed words sort like words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedWord(u128);

impl PackedWord {
    /// Packs at most 21 letters, each 1 to 63.
    pub fn new(letters: impl IntoIterator<Item = u8>) -> PackedWord {
        let mut word = PackedWord::default();
        for (place, letter) in (0u32..).zip(letters) {
            debug_assert!(place < MAX_SIDE as u32 && (1..64).contains(&letter));
            word.0 |= u128::from(letter) << (128 - BITS * (place + 1));
        }
        word
    }

    /// Returns the letters in order.
    pub fn letters(self) -> impl DoubleEndedIterator<Item = u8> + Clone {
        (0..self.len() as u32).map(move |place| (self.0 >> (128 - BITS * (place + 1))) as u8 & 63)
    }

    /// Returns the number of letters.
    pub(crate) fn len(self) -> usize {
        // 21 letters take 126 bits. The two lowest bits are never used.
        (128 - self.0.trailing_zeros()).div_ceil(BITS) as usize * usize::from(self.0 != 0)
    }

    /// Returns the length of the shared prefix of two words.
    pub(super) fn shared_prefix(self, other: PackedWord) -> usize {
        ((self.0 ^ other.0).leading_zeros() / BITS).min(MAX_SIDE as u32) as usize
    }

    /// Returns the first `length` letters.
    pub(super) fn prefix(self, length: usize) -> PackedWord {
        if length == 0 { PackedWord(0) } else { PackedWord(self.0 & (u128::MAX << (128 - BITS * length as u32))) }
    }

    pub(super) fn reversed(self) -> PackedWord {
        PackedWord::new(self.letters().rev())
    }
}

pub(super) fn check_length(tiles: usize, longest: usize) -> Result<(), String> {
    if tiles < 2 {
        return Err(format!("{tiles} tile; a word has at least 2"));
    }
    if tiles > longest {
        return Err(format!("{tiles} tiles; the board is {longest} wide"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_words_sort_shorten_and_reverse() {
        let pack = |letters: &[u8]| PackedWord::new(letters.iter().copied());
        assert!(pack(&[1, 2]) < pack(&[1, 2, 1]) && pack(&[1, 2, 63]) < pack(&[1, 3]));
        for length in 0..=21 {
            let letters: Vec<u8> = (1..=length).map(|letter| letter * 3).collect();
            let word = pack(&letters);
            assert_eq!(word.len(), letters.len());
            assert_eq!(word.letters().collect::<Vec<_>>(), letters);
            assert_eq!(word.reversed().reversed(), word);
            assert_eq!(word.prefix(length as usize / 2).len(), length as usize / 2);
        }
        assert_eq!(pack(&[1, 2, 3]).shared_prefix(pack(&[1, 2, 4, 5])), 2);
        assert_eq!(pack(&[1, 2]).shared_prefix(pack(&[1, 2, 4])), 2);
    }
}
