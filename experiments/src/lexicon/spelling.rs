//! Spells the words of dictionaries with tiles.

use tilewright_engine::lexicon::folding::Folding;
use tilewright_engine::tileset::{Style, TileSet};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Spells words with the letters of a tile set.
#[derive(Debug)]
pub struct Speller<'a> {
    tileset: &'a TileSet,
    longest: usize,
    folding: Folding,
    folds: bool,
    needs_vowel: bool,
}

/// Why a word is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// It has capital letters: a proper noun or an abbreviation.
    Capitals,
    /// It has a hyphen, an apostrophe, a digit, or another character that is not a letter.
    Signs,
    /// It has this letter, which the tile set lacks.
    Letter(char),
    /// It has fewer than two tiles.
    Short,
    /// It has more tiles than a row of the board has squares.
    Long,
    /// It has no vowel of the tile set: an abbreviation, or an interjection such as PST.
    NoVowel,
}

/// The word in small letters without its accents.
pub fn without_accents(word: &str) -> String {
    word.nfd().filter(|&character| !is_combining_mark(character)).flat_map(char::to_lowercase).collect()
}

impl<'a> Speller<'a> {
    /// A speller of words of 2 to `longest` tiles. With `folds` it spells letters that the tile set lacks with letters that
    /// it has; with `needs_vowel` it excludes words without a vowel.
    pub fn new(tileset: &'a TileSet, longest: usize, folds: bool, needs_vowel: bool) -> Speller<'a> {
        Speller { tileset, longest, folding: Folding::new(tileset), folds, needs_vowel }
    }

    /// The word in capitals, as tiles spell it. `word` may have a capital only at its beginning, and only if it is a noun.
    pub fn spell(&self, word: &str, is_noun: bool) -> Result<String, Exclusion> {
        // Separate accents are composed first, so that Ñ is always one letter.
        let word: String = word.nfc().collect();
        if let Some(place) = word.chars().position(char::is_uppercase)
            && !(is_noun && place == 0 && !word.chars().skip(1).any(char::is_uppercase))
        {
            return Err(Exclusion::Capitals);
        }
        // The dot of the Catalan L·L is no letter, but is on a tile.
        if !word.chars().all(|character| character.is_alphabetic() || self.folding.has(character)) {
            return Err(Exclusion::Signs);
        }
        let mut spelled = String::with_capacity(word.len());
        // This turns ß into SS.
        for letter in word.chars().flat_map(char::to_uppercase) {
            if self.folding.has(letter) {
                spelled.push(letter);
            } else {
                let folded = self.folding.letter(letter).filter(|_| self.folds);
                spelled += &folded.ok_or(Exclusion::Letter(letter))?;
            }
        }
        // Every character is in some label, but perhaps never alone, like the U of QU in some tile sets.
        let tiles = self.tileset.parse(&spelled, Style::Greedy);
        let first = |text: &str| text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
        let tiles = tiles.map_err(|bad| Exclusion::Letter(first(&bad.found)))?;
        match tiles.len() {
            0..2 => Err(Exclusion::Short),
            tiles if tiles > self.longest => Err(Exclusion::Long),
            _ if self.needs_vowel && !tiles.iter().any(|tile| self.tileset.is_vowel(tile.kind())) => Err(Exclusion::NoVowel),
            _ => Ok(spelled),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spelled(tileset: &str, folds: bool, words: &[(&str, Result<&str, Exclusion>)]) {
        let tileset = TileSet::embedded(tileset).unwrap();
        let speller = Speller::new(&tileset, 15, folds, false);
        for (word, expected) in words {
            assert_eq!(speller.spell(word, false), expected.map(str::to_string), "{word}");
        }
    }

    #[test]
    fn letters_of_the_tile_set_stay_and_others_are_folded() {
        spelled(
            "spanish",
            true,
            &[
                ("niño", Ok("NIÑO")),
                ("pingüíno", Ok("PINGUINO")),
                ("nin\u{303}o", Ok("NIÑO")),
                ("kilo", Err(Exclusion::Letter('K'))),
            ],
        );
        spelled("german", true, &[("süß", Ok("SÜSS")), ("café", Ok("CAFE")), ("ärger", Ok("ÄRGER"))]);
        spelled("french", true, &[("cœur", Ok("COEUR")), ("ex æquo", Err(Exclusion::Signs)), ("naïf", Ok("NAIF"))]);
        spelled(
            "polish",
            true,
            &[("źdźbło", Ok("ŹDŹBŁO")), ("müsli", Ok("MUSLI")), ("smørrebrød", Err(Exclusion::Letter('Ø')))],
        );
        spelled(
            "catalan",
            false,
            &[("col·legi", Ok("COL·LEGI")), ("l·l", Err(Exclusion::Short)), ("a·b", Err(Exclusion::Letter('·')))],
        );
        spelled("polish", false, &[("żółć", Ok("ŻÓŁĆ")), ("müsli", Err(Exclusion::Letter('Ü')))]);
    }

    #[test]
    fn invalid_words_are_excluded_with_the_reason() {
        use Exclusion::{Capitals, Letter, Long, Short, Signs};
        let words = [
            ("Madrid", Err(Capitals)),
            ("kWh", Err(Capitals)),
            ("vis-à-vis", Err(Signs)),
            ("l'eau", Err(Signs)),
            ("l’eau", Err(Signs)),
            ("1er", Err(Signs)),
            ("etc.", Err(Signs)),
            ("", Err(Short)),
            ("a", Err(Short)),
            ("abcdefghijklmnop", Err(Long)),
            ("abcdefghijklmno", Ok("ABCDEFGHIJKLMNO")),
            ("día", Err(Letter('Í'))),
        ];
        spelled("english", false, &words);
        // Tiles count, not characters.
        spelled(
            "spanish",
            false,
            &[
                ("ll", Err(Short)),
                ("llll", Ok("LLLL")),
                ("chchchchchchchchllllllllllllll", Ok("CHCHCHCHCHCHCHCHLLLLLLLLLLLLLL")),
            ],
        );
    }

    #[test]
    fn nouns_may_begin_with_a_capital() {
        let german = TileSet::embedded("german").unwrap();
        let speller = Speller::new(&german, 15, true, false);
        for (word, expected) in [
            ("Äpfel", Ok("ÄPFEL")),
            ("LehrerIn", Err(Exclusion::Capitals)),
            ("DDR", Err(Exclusion::Capitals)),
            ("rot", Ok("ROT")),
        ] {
            assert_eq!(speller.spell(word, true), expected.map(str::to_string), "{word}");
        }
        assert_eq!(speller.spell("Äpfel", false), Err(Exclusion::Capitals));
    }

    #[test]
    fn words_without_a_vowel_are_excluded_on_request() {
        let polish = TileSet::embedded("polish").unwrap();
        let speller = Speller::new(&polish, 15, false, true);
        assert_eq!(speller.spell("mgr", false), Err(Exclusion::NoVowel));
        assert_eq!(speller.spell("rytm", false).as_deref(), Ok("RYTM"));
    }

    #[test]
    fn accents_are_removed() {
        assert_eq!(without_accents("Dándoselo"), "dandoselo");
        assert_eq!(without_accents("Ñandú"), "nandu");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

        /// A spelled word can be parsed by the tile set, and its spelling stays the same.
        #[test]
        fn any_text_is_spelled_or_excluded(text in "\\PC{0,20}", word in "[a-zñáüœßłǆ\u{301}\u{303}]{0,12}", is_noun: bool) {
            for name in ["spanish", "german", "polish"] {
                let tileset = TileSet::embedded(name).unwrap();
                let speller = Speller::new(&tileset, 15, true, is_noun);
                for text in [&text, &word] {
                    if let Ok(spelled) = speller.spell(text, is_noun) {
                        prop_assert_eq!(speller.spell(&spelled.to_lowercase(), false), Ok(spelled.clone()));
                        prop_assert!((2..=15).contains(&tileset.parse(&spelled, Style::Greedy).unwrap().len()));
                    }
                }
            }
        }
    }
}
