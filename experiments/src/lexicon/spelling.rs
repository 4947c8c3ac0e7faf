//! Spells the words of dictionaries with tiles, and recognises Spanish verb forms with attached pronouns, such as `darlo`, `dándoselo`
//! and `hazme`.
//!
//! Dictionaries contain these verb forms as words of their own, but word lists of the game do not. The ending is one pronoun
//! or two, and the host is the rest of the word. Accents are ignored: the host of `dándolo` is `dando`.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use tilewright_engine::lexicon::word_list::Folding;
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
    /// A speller of words of 2 to `longest` tiles. With `folds` it spells letters outside the tile set with letters of the
    /// tile set. With `needs_vowel` it excludes words without a vowel.
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

/// Recognises verb forms with pronouns.
#[derive(Debug)]
pub struct Enclitics {
    endings: BTreeSet<String>,
}

impl Enclitics {
    /// Takes the pronouns. Endings are single pronouns, and pairs such as `selo` in which only the second begins with `l`.
    pub fn new(pronouns: &[String]) -> Enclitics {
        let (objects, others): (Vec<&String>, Vec<&String>) = pronouns.iter().partition(|pronoun| pronoun.starts_with('l'));
        let pairs = others.iter().flat_map(|first| objects.iter().map(move |second| format!("{first}{second}")));
        Enclitics { endings: pronouns.iter().cloned().chain(pairs).filter(|ending| !ending.is_empty()).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.endings.is_empty()
    }

    /// Whether affixes formed `word` by attaching pronouns to the infinitive or to its gerund. `curse` from `cursar` is not
    /// such a word.
    pub fn are_in(&self, word: &str, infinitive: &str) -> bool {
        let infinitive = without_accents(infinitive);
        if self.is_empty() || !infinitive.ends_with('r') {
            return false;
        }
        // A gerund is longer than its infinitive. `despendo`, from `despendola`, is not.
        let is_host = |host: &str| host.ends_with(&infinitive) || (host.ends_with("ndo") && host.len() > infinitive.len());
        self.parts(&without_accents(word)).any(|(host, _)| is_host(host))
    }

    /// Whether a listed word is a pronominal infinitive such as `antojarse`.
    pub fn end_infinitive(&self, word: &str) -> bool {
        let word = without_accents(word);
        self.endings.contains("se") && ["arse", "erse", "irse"].iter().any(|ending| word.ends_with(ending))
    }

    /// The listed words whose host is a known word (without accents) and is listed with another ending too: of `dala`,
    /// `dalo`, `duran`, `durante` the first two. A host with one ending only is mostly part of a noun or an adjective.
    pub fn among<'a>(&self, listed: &[&'a str], known: &HashSet<String>) -> HashSet<&'a str> {
        let bare: Vec<String> = listed.iter().map(|word| without_accents(word)).collect();
        let all: HashSet<&str> = bare.iter().map(String::as_str).collect();
        let mut by_host: BTreeMap<&str, BTreeMap<&str, Vec<&'a str>>> = BTreeMap::new();
        for (word, &listed) in bare.iter().zip(listed) {
            for (host, ending) in self.parts(word).filter(|(host, _)| host.len() > 1 && known.contains(*host)) {
                // `jugase` is a subjunctive because `jugases` exists.
                if ending != "se" || !all.contains(format!("{word}s").as_str()) {
                    by_host.entry(host).or_default().entry(ending).or_default().push(listed);
                }
            }
        }
        by_host.into_values().filter(|endings| endings.len() > 1).flat_map(BTreeMap::into_values).flatten().collect()
    }

    /// All splits of a word into a host and an ending.
    fn parts<'w>(&self, word: &'w str) -> impl Iterator<Item = (&'w str, &'w str)> {
        let split = |ending: &String| Some(word.split_at(word.strip_suffix(ending.as_str())?.len()));
        self.endings.iter().filter_map(split)
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
        // The capital of ΐ has two accents of its own.
        spelled("greek", true, &[("ταΐζω", Ok("ΤΑΙΖΩ")), ("μαϊμού", Ok("ΜΑΙΜΟΥ")), ("ταὒ", Ok("ΤΑΥ"))]);
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

    fn enclitics() -> Enclitics {
        Enclitics::new(&["me", "te", "se", "lo", "la"].map(str::to_string))
    }

    #[test]
    fn affixes_attach_pronouns_to_infinitives_and_gerunds() {
        let made = [
            ("comprarlo", "comprar", true),
            ("comprárselo", "comprar", true),
            ("oírse", "oír", true),
            ("comprándola", "comprar", true),
            ("comprase", "comprar", false),
            ("curse", "cursar", false),
            ("verse", "versar", false),
            ("verse", "ver", true),
            ("compro", "comprar", false),
            ("comprar", "comprar", false),
            ("burla", "burlar", false),
            ("despendola", "despendolar", false),
            ("reactivarse", "activar", true),
            ("yéndose", "ir", true),
            ("góndola", "góndola", false),
        ];
        for (word, stem, is_enclitic) in made {
            assert_eq!(enclitics().are_in(word, stem), is_enclitic, "{word} of {stem}");
        }
    }

    #[test]
    fn listed_forms_are_recognised_by_their_host() {
        let known = ["da", "dando", "haz", "duran", "per", "juga", "a", "jugar"].map(str::to_string).into();
        let listed = [
            "dala", "dámelo", "durante", "dándose", "dándolo", "hazme", "hazte", "perla", "ala", "ale", "hueme", "huelo",
            "jugase", "jugases", "jugala", "jugame",
        ];
        let found = enclitics().among(&listed, &known);
        let expected = ["dala", "dámelo", "dándose", "dándolo", "hazme", "hazte", "jugala", "jugame"];
        assert_eq!(found, expected.into());
        assert!(enclitics().end_infinitive("antojarse") && !enclitics().end_infinitive("morse"));
    }

    #[test]
    fn without_pronouns_nothing_is_recognised() {
        let none = Enclitics::new(&[]);
        assert!(!none.are_in("comprarlo", "comprar") && !none.end_infinitive("antojarse"));
        assert!(none.is_empty() && none.among(&["dala", "dale"], &["da".to_string()].into()).is_empty());
    }
}
