//! The words by their letters in any order.

use rayon::slice::ParallelSliceMut;

use super::graph::WordGraph;
use super::word_list::PackedWord;
use crate::layout::MAX_SIDE;
use crate::tileset::MAX_KINDS;

/// From a multiset of letters to the words that it spells, and quick answers whether there are any.
///
/// A multiset is named by its *key*, the sum of fixed random numbers of its letters: the key of a rack and the tiles it plays
/// through is one addition. Two filters of bits answer most questions from the caches near the core: whether a key spells a
/// word, and whether it does with one letter more, that is, with a blank. They may say yes wrongly (about one time in a
/// hundred), never no; [`WordMap::words`] is asked then. No two multisets that spell words are ever taken for one, but one that
/// spells none is taken for one that does about once in a billion times: whoever lays the words compares their letters.
#[derive(Clone, Debug)]
pub struct WordMap {
    letter_keys: [u64; MAX_KINDS],
    spells: Filter,
    spells_with_blank: Filter,
    spells_placed: Filter,
    /// What a letter at each place of a word adds to a key, place by place.
    place_keys: Vec<[u64; MAX_KINDS]>,
    /// Bits 32 and up: the low half of a key; below: where its words begin in `letters`. 0 where there is none. A key lies in the
    /// slot that its high bits name or in the first free one after it.
    slots: Vec<u64>,
    shift: u32,
    /// The letters of all words, those of one key side by side with a 0 behind the last; another 0 begins it all.
    letters: Vec<u8>,
}

/// The words of one key.
#[derive(Clone, Copy, Debug)]
pub struct Anagrams<'a> {
    letters: &'a [u8],
    length: usize,
}

impl<'a> Iterator for Anagrams<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let (word, rest) = self.letters.split_at_checked(self.length)?;
        self.letters = rest;
        if word.first() == Some(&0) { None } else { Some(word) }
    }
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
            if let Some(map) = salts.next().and_then(|salt| WordMap::with_salt(salt, &mut words)) {
                return map;
            }
        }
    }

    /// The map under the numbers that a salt gives; `None` if two multisets would be taken for one. Sorts the words.
    fn with_salt(salt: u64, words: &mut [(u64, PackedWord)]) -> Option<WordMap> {
        let mut numbers = random_numbers(salt);
        let letter_keys = numbers();
        for (key, word) in &mut *words {
            *key = word.letters().fold(0, |key, letter| key.wrapping_add(letter_keys[letter as usize]));
        }
        words.par_sort_unstable();
        let keys = words.chunk_by(|a, b| a.0 == b.0).count();
        let slot_bits = (2 * keys).next_power_of_two().ilog2().max(1);
        let mut map = WordMap {
            letter_keys,
            spells: Filter::for_keys(keys),
            spells_with_blank: Filter::for_keys(keys * LETTERS_A_WORD),
            spells_placed: Filter::for_keys(words.len() * LETTERS_A_WORD),
            place_keys: (0..MAX_SIDE).map(|_| numbers()).collect(),
            slots: vec![0; 1 << slot_bits],
            shift: u64::BITS - slot_bits,
            letters: Vec::with_capacity(1 + keys + words.iter().map(|(_, word)| word.len()).sum::<usize>()),
        };
        map.letters.push(0);
        words.chunk_by(|a, b| a.0 == b.0).all(|anagrams| map.add(anagrams)).then_some(map)
    }

    /// Takes in the words of a key; `false` if they are not of the same letters or the key could be taken for another.
    fn add(&mut self, anagrams: &[(u64, PackedWord)]) -> bool {
        let (key, word) = anagrams[0];
        let sorted = |word: PackedWord| {
            let mut letters = [0; MAX_SIDE];
            letters.iter_mut().zip(word.letters()).for_each(|(place, letter)| *place = letter);
            letters.sort_unstable();
            letters
        };
        if anagrams[1..].iter().any(|&(_, other)| sorted(other) != sorted(word)) {
            return false;
        }
        let mut slot = (key >> self.shift) as usize;
        while self.slots[slot] != 0 {
            if (self.slots[slot] >> 32) as u32 == key as u32 {
                return false;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = key << 32 | self.letters.len() as u64;
        self.letters.extend(anagrams.iter().flat_map(|(_, word)| word.letters()));
        self.letters.push(0);
        self.spells.insert(key);
        let mut seen = 0u64;
        for letter in word.letters() {
            if seen >> letter & 1 == 0 {
                seen |= 1 << letter;
                self.spells_with_blank.insert(key.wrapping_sub(self.letter_keys[letter as usize]));
            }
        }
        for (_, word) in anagrams {
            for (place, letter) in word.letters().enumerate() {
                self.spells_placed.insert(key.wrapping_add(self.place_key(place, letter)));
            }
        }
        true
    }

    /// What a letter adds to a key.
    #[inline]
    pub fn letter_key(&self, letter: u8) -> u64 {
        self.letter_keys[letter as usize & (MAX_KINDS - 1)]
    }

    /// What a letter at a place of the word, the first being 0, adds to a key for [`WordMap::may_spell_placed`]; its own key
    /// not included.
    #[inline]
    pub fn place_key(&self, place: usize, letter: u8) -> u64 {
        self.place_keys[place][letter as usize & (MAX_KINDS - 1)]
    }

    /// Whether the multiset may spell a word that has a certain letter at a certain place: `key` is that of the multiset plus
    /// [`WordMap::place_key`]. A no is certain.
    #[inline]
    pub fn may_spell_placed(&self, key: u64) -> bool {
        self.spells_placed.may_hold(key)
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

    /// The words of `length` letters that a multiset spells.
    #[inline]
    pub fn words(&self, key: u64, length: usize) -> Anagrams<'_> {
        let mut slot = (key >> self.shift) as usize;
        loop {
            let found = self.slots[slot];
            if found == 0 {
                return Anagrams { letters: &[], length };
            }
            if (found >> 32) as u32 == key as u32 {
                return Anagrams { letters: &self.letters[found as u32 as usize..], length };
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Memory, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.slots[..])
            + self.letters.len()
            + self.spells.bytes()
            + self.spells_with_blank.bytes()
            + self.spells_placed.bytes()
    }
}

/// Letters of an average word, for the size of the filters that have a key for each.
const LETTERS_A_WORD: usize = 8;

/// Numbers for the letters, and more at every call; by SplitMix64, so that every run has the same map.
fn random_numbers(salt: u64) -> impl FnMut() -> [u64; MAX_KINDS] {
    let mut state = salt;
    let mut next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    move || std::array::from_fn(|_| next())
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
