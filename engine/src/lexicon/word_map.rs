//! The word map: words by their letters in any order.

use std::iter;

use rayon::slice::ParallelSliceMut;

use super::dawg::PackedWord;
use super::graph::WordGraph;
use crate::hash::mix;
use crate::layout::MAX_SIDE;
use crate::tileset::MAX_KINDS;

/// A map from a multiset of letters to the words that it spells, with fast filters in front of it.
///
/// The *key* of a multiset is the sum of fixed random numbers, one per letter. So the key of some tiles and the tiles that
/// they play through is one addition. Three Bloom filters answer nearly all queries: whether a key spells a word, whether it
/// does with one more letter (a blank), and whether it spells a word with a certain letter at a certain place. A filter may
/// answer yes wrongly, a few times in a hundred, but its no is certain. After a yes, [`WordMap::words`] is looked up. Two
/// multisets that spell words never share an entry. A multiset that spells no word finds the entry of another about once in
/// a billion look-ups, so the caller must compare the length and the letters of the words.
#[derive(Clone, Debug)]
pub struct WordMap {
    letter_keys: [u64; MAX_KINDS],
    spells: Filter,
    spells_with_blank: Filter,
    spells_placed: Filter,
    /// The place key of each letter, by place in the word.
    place_keys: Vec<[u64; MAX_KINDS]>,
    table: Table,
}

/// An iterator over the words of a key.
#[derive(Clone, Debug)]
pub struct Anagrams<'a> {
    letters: &'a [u8],
    /// The number of letters of each word, or 0 if there are no words.
    pub(crate) length: usize,
}

impl<'a> Iterator for Anagrams<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let (word, rest) = self.letters.split_at_checked(self.length)?;
        self.letters = rest;
        if word.first().is_none_or(|&letter| letter == 0) { None } else { Some(word) }
    }
}

impl WordMap {
    /// Builds the map of the words of a graph.
    ///
    /// # Cost
    /// On two cores 40 ms for 169,000 English words and 1.5 s for 3.3 million Polish words, so it is built at every start
    /// and not stored in a file.
    pub fn new(graph: &WordGraph) -> WordMap {
        let mut words = Vec::new();
        graph.for_each_word(|word| words.push((0, PackedWord::new(word.iter().copied()))));
        let mut salts = 0..;
        loop {
            // The first salt nearly always works.
            if let Some(map) = salts.next().and_then(|salt| WordMap::with_salt(salt, &mut words)) {
                return map;
            }
        }
    }

    /// Builds the map with the random numbers of a salt, or returns `None` if two multisets would share an entry. Sorts the
    /// words.
    fn with_salt(salt: u64, words: &mut [(u64, PackedWord)]) -> Option<WordMap> {
        let mut numbers = random_numbers(salt);
        let letter_keys = numbers();
        for (key, word) in &mut *words {
            *key = word.letters().fold(0, |key, letter| key.wrapping_add(letter_keys[letter as usize]));
        }
        words.par_sort_unstable();
        let words = &*words;
        let keys = words.chunk_by(|a, b| a.0 == b.0).count();
        let place_keys: Vec<_> = (0..MAX_SIDE).map(|_| numbers()).collect();
        let anagrams = || words.chunk_by(|a, b| a.0 == b.0);
        let spells = || Filter::new(keys, words.iter().map(|&(key, _)| key));
        let spells_with_blank = || {
            let keys_without = |&(key, word): &(u64, PackedWord)| {
                word.letters().map(move |letter| key.wrapping_sub(letter_keys[letter as usize]))
            };
            Filter::new(keys * LETTERS_PER_WORD, anagrams().flat_map(|anagrams| keys_without(&anagrams[0])))
        };
        let spells_placed = || {
            let placed = |&(key, word): &(u64, PackedWord)| {
                let places = word.letters().zip(&place_keys);
                places.map(move |(letter, numbers)| key.wrapping_add(numbers[letter as usize]))
            };
            Filter::new(words.len() * LETTERS_PER_WORD, words.iter().flat_map(placed))
        };
        let (table, (spells, (spells_with_blank, spells_placed))) = rayon::join(
            || Table::new(words, keys),
            || rayon::join(spells, || rayon::join(spells_with_blank, spells_placed)),
        );
        Some(WordMap { letter_keys, place_keys, spells, spells_with_blank, spells_placed, table: table? })
    }

    /// Returns the key of a letter.
    #[inline]
    pub fn letter_key(&self, letter: u8) -> u64 {
        // Letters are below MAX_KINDS. The mask spares a bounds check.
        self.letter_keys[letter as usize & (MAX_KINDS - 1)]
    }

    /// Returns the place key of a letter at a place of a word, counted from 0, for tests of placed letters.
    #[inline]
    pub(crate) fn place_key(&self, place: usize, letter: u8) -> u64 {
        self.place_keys[place][letter as usize & (MAX_KINDS - 1)]
    }

    /// Returns whether a multiset may spell a word with a certain letter at a certain place. `false` is certain. `key` is
    /// the key of the multiset, which includes that letter, plus its [`WordMap::place_key`].
    #[inline]
    pub(crate) fn may_spell_placed(&self, key: u64) -> bool {
        self.spells_placed.may_hold(key)
    }

    /// Returns whether a multiset may spell a word. `false` is certain.
    #[inline]
    pub(crate) fn may_spell(&self, key: u64) -> bool {
        self.spells.may_hold(key)
    }

    /// Returns whether a multiset and one more letter may spell a word. `false` is certain.
    #[inline]
    pub(crate) fn may_spell_with_blank(&self, key: u64) -> bool {
        self.spells_with_blank.may_hold(key)
    }

    /// Returns the words of a key. The caller must compare their letters with the multiset (see [`WordMap`]).
    #[inline]
    pub fn words(&self, key: u64) -> Anagrams<'_> {
        match self.table.find(key) {
            [length, letters @ ..] => Anagrams { letters, length: *length as usize },
            [] => Anagrams { letters: &[], length: 0 },
        }
    }

    /// Returns the memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let filters = [&self.spells, &self.spells_with_blank, &self.spells_placed];
        let filters: usize = filters.iter().map(|filter| size_of_val(&filter.words[..])).sum();
        filters + size_of_val(&self.table.slots[..]) + self.table.letters.len()
    }
}

/// The words of each key.
#[derive(Clone, Debug)]
struct Table {
    /// The high 32 bits are the low half of a key, the low 32 bits the start of its words in `letters`. 0 is an empty slot.
    /// A key is in the slot that its highest bits name, or in the first free slot after it.
    slots: Vec<u64>,
    shift: u32,
    /// For each key: the length of its words, their letters one after the other, and a 0. The array begins with another 0.
    letters: Vec<u8>,
}

impl Table {
    /// Builds the table of sorted words with `keys` distinct keys, or returns `None` if a key has words of different letters
    /// or two keys cannot be distinguished.
    fn new(words: &[(u64, PackedWord)], keys: usize) -> Option<Table> {
        let bits = (2 * keys).next_power_of_two().ilog2().max(1);
        let size = words.iter().map(|(_, word)| word.len()).sum::<usize>() + 2 * keys + 1;
        let mut table = Table { slots: vec![0; 1 << bits], shift: u64::BITS - bits, letters: Vec::with_capacity(size) };
        table.letters.push(0);
        words.chunk_by(|a, b| a.0 == b.0).all(|anagrams| table.add(anagrams)).then_some(table)
    }

    fn add(&mut self, anagrams: &[(u64, PackedWord)]) -> bool {
        let (key, word) = anagrams[0];
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
        self.letters.push(word.len() as u8);
        self.letters.extend(anagrams.iter().flat_map(|(_, word)| word.letters()));
        self.letters.push(0);
        true
    }

    /// Returns the length and the letters of the words of a key, and everything after them. It is empty if there are none.
    #[inline]
    fn find(&self, key: u64) -> &[u8] {
        let mut slot = (key >> self.shift) as usize;
        loop {
            let found = self.slots[slot];
            if found == 0 {
                return &[];
            }
            if (found >> 32) as u32 == key as u32 {
                return &self.letters[found as u32 as usize..];
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }
}

/// Returns the letters of a word, sorted.
fn sorted(word: PackedWord) -> [u8; MAX_SIDE] {
    let mut letters = [0; MAX_SIDE];
    letters.iter_mut().zip(word.letters()).for_each(|(place, letter)| *place = letter);
    letters.sort_unstable();
    letters
}

/// The average length of a word, for the size of the filters that hold a key per letter of each word.
const LETTERS_PER_WORD: usize = 8;

/// Returns random numbers for the letters: `SplitMix64` with a fixed seed, so that every run has the same map.
fn random_numbers(salt: u64) -> impl FnMut() -> [u64; MAX_KINDS] {
    let mut states = iter::successors(Some(salt), |state| Some(state.wrapping_add(0x9e37_79b9_7f4a_7c15)));
    move || std::array::from_fn(|_| states.next().map_or(0, mix))
}

/// A Bloom filter with two bits per key, both in one machine word.
#[derive(Clone, Debug)]
struct Filter {
    words: Vec<u64>,
    shift: u32,
}

/// The approximate number of bits of a filter per key. Twice as many bits give fewer wrong answers, but the filter no longer
/// fits the caches, and games are no faster.
const BITS_PER_KEY: usize = 8;

impl Filter {
    /// Builds a filter of about `count` keys.
    fn new(count: usize, keys: impl Iterator<Item = u64>) -> Filter {
        let bits = (count.max(64) * BITS_PER_KEY).next_power_of_two().ilog2() - u64::BITS.ilog2();
        let mut filter = Filter { words: vec![0; 1 << bits], shift: u64::BITS - bits };
        for key in keys {
            let (word, bits) = filter.place(key);
            filter.words[word] |= bits;
        }
        filter
    }

    /// Returns the machine word of a key, from its highest bits, and its two bits, from the bits below.
    #[inline]
    fn place(&self, key: u64) -> (usize, u64) {
        let bit = |shift: u32| 1u64 << (key >> shift & 63);
        ((key >> self.shift) as usize, bit(self.shift - 6) | bit(self.shift - 12))
    }

    #[inline]
    fn may_hold(&self, key: u64) -> bool {
        let (word, bits) = self.place(key);
        self.words[word] & bits == bits
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use rand::RngExt;

    use super::*;
    use crate::lexicon::{Lexicon, LineForm};
    use crate::rng::stream;
    use crate::tileset::TileSet;

    fn key(map: &WordMap, letters: &[u8]) -> u64 {
        letters.iter().fold(0, |key, &letter| key.wrapping_add(map.letter_key(letter)))
    }

    /// Returns the words by their sorted letters, computed the slow way.
    fn anagrams(graph: &WordGraph) -> HashMap<Vec<u8>, Vec<Vec<u8>>> {
        let mut anagrams: HashMap<Vec<u8>, Vec<Vec<u8>>> = HashMap::new();
        graph.for_each_word(|word| {
            let mut letters = word.to_vec();
            letters.sort_unstable();
            anagrams.entry(letters).or_default().push(word.to_vec());
        });
        anagrams
    }

    fn polish_like() -> Lexicon {
        let polish = TileSet::embedded("polish").unwrap();
        let mut stream = stream(1, "words", 0);
        let letter = |stream: &mut crate::rng::Stream| polish.kinds()[stream.random_range(1..=32)].label.clone();
        let words: Vec<String> = (0..3000)
            .map(|_| (0..stream.random_range(2..7)).map(|_| letter(&mut stream)).collect::<String>() + "\n")
            .collect();
        Lexicon::from_text(&words.concat(), &polish).unwrap()
    }

    #[test]
    fn a_multiset_finds_exactly_its_words() {
        let english = TileSet::embedded("english").unwrap();
        let enable = Lexicon::load("enable2k", LineForm::default(), &english, 15, None).unwrap();
        for (lexicon, letters) in [(enable, 26), (polish_like(), 32)] {
            let map = WordMap::new(&lexicon.graph);
            let anagrams = anagrams(&lexicon.graph);
            for (letters, words) in &anagrams {
                let found: Vec<&[u8]> = map.words(key(&map, letters)).collect();
                assert_eq!(found, *words);
            }
            let mut stream = stream(2, "multisets", letters);
            let (mut wrong, mut none) = (0, 0);
            for _ in 0..100_000 {
                let mut multiset: Vec<u8> =
                    (0..stream.random_range(2..9)).map(|_| stream.random_range(1..=letters as u8)).collect();
                multiset.sort_unstable();
                let key = key(&map, &multiset);
                let words = anagrams.get(&multiset);
                assert_eq!(map.words(key).count(), words.map_or(0, Vec::len));
                none += u32::from(words.is_none());
                wrong += u32::from(words.is_none() && map.may_spell(key));
                assert!(words.is_none() || map.may_spell(key));
            }
            assert!(none > 50_000 && wrong < none / 16, "{wrong} of {none}");
        }
    }

    #[test]
    fn the_filters_never_miss_a_word_and_reject_most_other_keys() {
        let english = TileSet::embedded("english").unwrap();
        let lexicon = Lexicon::load("enable2k", LineForm::default(), &english, 15, None).unwrap();
        let map = WordMap::new(&lexicon.graph);
        let (mut with_blank, mut placed) = (HashSet::new(), HashSet::new());
        lexicon.graph.for_each_word(|word| {
            let key = key(&map, word);
            assert!(map.may_spell(key));
            for (place, &letter) in word.iter().enumerate() {
                with_blank.insert(key.wrapping_sub(map.letter_key(letter)));
                placed.insert(key.wrapping_add(map.place_key(place, letter)));
            }
        });
        assert!(with_blank.iter().all(|&key| map.may_spell_with_blank(key)));
        assert!(placed.iter().all(|&key| map.may_spell_placed(key)));
        // Keys of no word that are close to one: a word with one more letter, and a word with a letter at a wrong place.
        let (mut queries, mut wrong) = ([0, 0], [0, 0]);
        lexicon.graph.for_each_word(|word| {
            let key = key(&map, word);
            for letter in 1..=26 {
                let more = key.wrapping_add(map.letter_key(letter));
                let wrong_place = key.wrapping_add(map.place_key(word.len() / 2, letter));
                for (filter, is_there, answer) in [
                    (0, with_blank.contains(&more), map.may_spell_with_blank(more)),
                    (1, placed.contains(&wrong_place), map.may_spell_placed(wrong_place)),
                ] {
                    queries[filter] += u32::from(!is_there);
                    wrong[filter] += u32::from(!is_there && answer);
                }
            }
        });
        assert!(
            queries.iter().zip(wrong).all(|(&queries, wrong)| queries > 1_000_000 && wrong < queries / 16),
            "{queries:?} {wrong:?}"
        );
    }

    #[test]
    fn keys_that_cannot_be_distinguished_are_refused() {
        let word = |letters: &[u8]| PackedWord::new(letters.iter().copied());
        let far = [(1, word(&[1, 2])), (1 << 63 | 2, word(&[3, 4]))];
        assert!(Table::new(&far, 2).is_some());
        let same_key = [(1, word(&[1, 2])), (1, word(&[3, 4]))];
        assert!(Table::new(&same_key, 1).is_none());
        assert!(Table::new(&[(1, word(&[1, 2])), (1, word(&[2, 1]))], 1).is_some());
        let same_mark = [(1, word(&[1, 2])), (1 << 32 | 1, word(&[3, 4]))];
        assert!(Table::new(&same_mark, 2).is_none());
    }
}
