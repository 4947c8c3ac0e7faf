//! Word lists for tests, in any tile set.

use rand::RngExt;
use tilewright_engine::rng::stream;
use tilewright_engine::tileset::TileSet;

/// Made-up words of two to eight tiles, in which vowels and consonants mostly take turns.
pub fn made_up_words(tileset: &TileSet) -> String {
    let mut draws = stream(3, tileset.name(), 0);
    let tiles: Vec<u8> = (0..).zip(tileset.counts()).skip(1).flat_map(|(kind, count)| vec![kind; count.into()]).collect();
    let [consonants, vowels] = [false, true]
        .map(|vowel| tiles.iter().copied().filter(|&kind| tileset.is_vowel(kind) == vowel).collect::<Vec<u8>>());
    let mut word = |length| {
        let mut is_vowel = draws.random_bool(0.5);
        let letter = |_| {
            is_vowel ^= draws.random_bool(0.85);
            let letters = if is_vowel { &vowels } else { &consonants };
            format!("[{}]", tileset.kinds()[usize::from(letters[draws.random_range(0..letters.len())])].label)
        };
        (0..length).map(letter).collect::<String>() + "\n"
    };
    (0..20_000).map(|number| word(2 + number % 7)).collect()
}
