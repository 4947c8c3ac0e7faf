//! Made-up words, for tile sets without a committed word list.

use std::collections::BTreeSet;

use rand::RngExt;
use tilewright_engine::rng::Stream;
use tilewright_engine::tileset::TileSet;

/// Returns a word as text with each tile in brackets, so that tiles of several letters are distinct.
pub fn bracketed(word: &[u8], tileset: &TileSet) -> String {
    word.iter().flat_map(|&letter| ["[", &tileset.kinds()[letter as usize].label, "]"]).collect()
}

/// Returns pronounceable words of two to nine tiles. Each letter of the tile set is in at least five of them.
pub fn made_up_words(tileset: &TileSet, stream: &mut Stream) -> Vec<Vec<u8>> {
    let is_of_class = |vowel| move |&letter: &u8| tileset.is_vowel(letter) == vowel;
    let all = [false, true].map(|vowel| (1..=tileset.letters()).filter(is_of_class(vowel)).collect::<Vec<u8>>());
    let common =
        [false, true].map(|vowel| letters_by_count(tileset).into_iter().filter(is_of_class(vowel)).collect::<Vec<u8>>());
    let mut words = BTreeSet::new();
    for (length, wanted) in [(2, 70), (3, 250), (4, 200), (5, 150), (6, 100), (7, 80), (8, 60), (9, 40)] {
        for _ in 0..wanted {
            let mut vowel = stream.random_bool(0.5);
            let word = (0..length).map(|_| {
                vowel ^= stream.random_bool(0.85);
                let class = if stream.random_bool(0.2) { &all } else { &common }[usize::from(vowel)].as_slice();
                class[stream.random_range(0..class.len())]
            });
            words.insert(word.collect::<Vec<u8>>());
        }
    }
    for letter in 1..=tileset.letters() {
        assert!(words.iter().filter(|word| word.contains(&letter)).count() >= 5, "letter {letter}");
    }
    words.into_iter().collect()
}

/// Returns every letter, as often as the tile set has tiles of it.
pub fn letters_by_count(tileset: &TileSet) -> Vec<u8> {
    (0..).zip(tileset.counts()).skip(1).flat_map(|(letter, count)| std::iter::repeat_n(letter, count as usize)).collect()
}
