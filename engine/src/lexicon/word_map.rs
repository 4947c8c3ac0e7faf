//! The words by their letters in any order.

use rayon::slice::ParallelSliceMut;

use super::graph::WordGraph;
use super::word_list::PackedWord;
use crate::tileset::MAX_KINDS;

/// From a multiset of letters to the words that it spells, and quick answers whether there are any.
///
/// A multiset is named by its *key*, the sum of fixed random numbers of its letters: the key of a rack and the tiles it plays
/// through is one addition. Two filters of bits answer most questions from the caches near the core: whether a key spells a
/// word, and whether it does with one letter more, that is, with a blank. They may say yes wrongly (about one time in a
/// hundred), never no; [`WordMap::words`] is asked then. No two multisets that spell words are ever taken for one, but a
/// multiset that spells none may in theory have the key of one that does: whoever lays the words compares their letters.
#[derive(Clone, Debug)]
pub struct WordMap {
    letter_keys: [u64; MAX_KINDS],
    spells: Filter,
    spells_with_blank: Filter,
    /// Where the entries begin whose keys share their highest bits.
    directory: Vec<u32>,
    directory_bits: u32,
    /// By rising key.
    entries: Vec<Entry>,
    /// The letters of all words, those of one key side by side.
    letters: Vec<u8>,
}

/// One key that spells words.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Bits of the key below those that the directory goes by.
    mark: u32,
    /// Where its words begin.
    first: u32,
}

impl WordMap {
    /// The map of a graph's words.
    ///
    /// # Cost
    /// About 50 ms for 169,000 English words.
    pub fn new(graph: &WordGraph) -> WordMap {
        let mut words = Vec::new();
        graph.for_each_word(|word| words.push((0, PackedWord::new(word.iter().copied()))));
        let mut salts = 0..;
        loop {
            // Hardly ever do two multisets share a mark under the first salt.
            if let Some(map) = salts.next().and_then(|salt| WordMap::with_keys(letter_keys(salt), &mut words)) {
                return map;
            }
        }
    }

    /// The map under some numbers of the letters; `None` if two multisets would be taken for one. Sorts the words.
    fn with_keys(letter_keys: [u64; MAX_KINDS], words: &mut [(u64, PackedWord)]) -> Option<WordMap> {
        for (key, word) in &mut *words {
            *key = word.letters().fold(0, |key, letter| key.wrapping_add(letter_keys[letter as usize]));
        }
        words.par_sort_unstable();
        let keys = words.chunk_by(|a, b| a.0 == b.0).count();
        let directory_bits = keys.max(2).ilog2();
        let mut map = WordMap {
            letter_keys,
            spells: Filter::for_keys(keys),
            spells_with_blank: Filter::for_keys(keys * LETTERS_A_WORD),
            directory: vec![0; (1 << directory_bits) + 1],
            directory_bits,
            entries: Vec::with_capacity(keys + 1),
            letters: Vec::with_capacity(words.iter().map(|(_, word)| word.len()).sum()),
        };
        for anagrams in words.chunk_by(|a, b| map.bucket(a.0) == map.bucket(b.0) && map.mark(a.0) == map.mark(b.0)) {
            let sorted = |word: PackedWord| {
                let mut letters: Vec<u8> = word.letters().collect();
                letters.sort_unstable();
                letters
            };
            if anagrams.len() > 1 && anagrams.iter().any(|&(_, word)| sorted(word) != sorted(anagrams[0].1)) {
                return None;
            }
        }
        for anagrams in words.chunk_by(|a, b| a.0 == b.0) {
            map.add(anagrams);
        }
        map.entries.push(Entry { mark: 0, first: map.letters.len() as u32 });
        // Counts become places.
        let mut sum = 0;
        for first in &mut map.directory {
            sum += std::mem::replace(first, sum);
        }
        Some(map)
    }

    fn add(&mut self, anagrams: &[(u64, PackedWord)]) {
        let (key, word) = anagrams[0];
        self.spells.insert(key);
        let mut seen = 0u64;
        for letter in word.letters() {
            if seen >> letter & 1 == 0 {
                seen |= 1 << letter;
                self.spells_with_blank.insert(key.wrapping_sub(self.letter_keys[letter as usize]));
            }
        }
        let bucket = self.bucket(key);
        self.directory[bucket] += 1;
        self.entries.push(Entry { mark: self.mark(key), first: self.letters.len() as u32 });
        self.letters.extend(anagrams.iter().flat_map(|(_, word)| word.letters()));
    }

    /// The highest bits of a key.
    #[inline]
    fn bucket(&self, key: u64) -> usize {
        (key >> (u64::BITS - self.directory_bits)) as usize
    }

    /// The 32 bits below those.
    #[inline]
    fn mark(&self, key: u64) -> u32 {
        (key << self.directory_bits >> u32::BITS) as u32
    }

    /// What a letter adds to a key.
    #[inline]
    pub fn letter_key(&self, letter: u8) -> u64 {
        self.letter_keys[letter as usize & (MAX_KINDS - 1)]
    }

    /// Whether the multiset may spell a word; a no is certain.
    #[inline]
    pub fn may_spell(&self, key: u64) -> bool {
        self.spells.may_hold(key)
    }

    /// Whether the multiset and one letter more may spell a word; a no is certain.
    #[inline]
    pub fn may_spell_with_blank(&self, key: u64) -> bool {
        self.spells_with_blank.may_hold(key)
    }

    /// The words of `length` letters that a multiset spells, each as its letters.
    #[inline]
    pub fn words(&self, key: u64, length: usize) -> std::slice::ChunksExact<'_, u8> {
        let (bucket, mark) = (self.bucket(key), self.mark(key));
        let (from, to) = (self.directory[bucket] as usize, self.directory[bucket + 1] as usize);
        let found = self.entries[from..to].iter().position(|entry| entry.mark == mark);
        let letters = found.map_or(&[] as &[u8], |place| {
            let pair = &self.entries[from + place..from + place + 2];
            &self.letters[pair[0].first as usize..pair[1].first as usize]
        });
        letters.chunks_exact(length)
    }

    /// Memory, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.directory[..])
            + size_of_val(&self.entries[..])
            + self.letters.len()
            + self.spells.bytes()
            + self.spells_with_blank.bytes()
    }
}

/// Different letters in an average word, for the size of the second filter.
const LETTERS_A_WORD: usize = 8;

/// The numbers of the letters, by SplitMix64: fixed, so that every run has the same map.
fn letter_keys(salt: u64) -> [u64; MAX_KINDS] {
    let mut state = salt;
    std::array::from_fn(|_| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    })
}

/// A set of keys that errs towards yes: two bits a key, both in one machine word.
#[derive(Clone, Debug)]
struct Filter {
    words: Vec<u64>,
    shift: u32,
}

/// Bits of a filter for each of its keys, at least.
const BITS_A_KEY: usize = 16;

impl Filter {
    fn for_keys(keys: usize) -> Filter {
        let bits = (keys.max(64) * BITS_A_KEY).next_power_of_two().ilog2() - u64::BITS.ilog2();
        Filter { words: vec![0; 1 << bits], shift: u64::BITS - bits }
    }

    /// Where a key's bits are: the word by its highest bits, the two bits by those below.
    #[inline]
    fn place(&self, key: u64) -> (usize, u64) {
        let bit = |shift: u32| 1u64 << (key >> shift & 63);
        ((key >> self.shift) as usize, bit(self.shift - 6) | bit(self.shift - 12))
    }

    fn insert(&mut self, key: u64) {
        let (word, bits) = self.place(key);
        self.words[word] |= bits;
    }

    #[inline]
    fn may_hold(&self, key: u64) -> bool {
        let (word, bits) = self.place(key);
        self.words[word] & bits == bits
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }
}
