//! `lexicon expand`: makes a word list from a hunspell dictionary and plain lists.

use std::collections::{BTreeMap, HashSet};

use tilewright_engine::tileset::TileSet;

use super::enclitics::Enclitics;
use super::encoded_text;
use super::flags::LexiconExpandArguments;
use super::hunspell::Dictionary;
use super::spelling::{Exclusion, Speller, without_accents};
use crate::failure::{Failure, Input};
use crate::loading;
use crate::output::{NewFile, say};

/// A word as a source spells it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    word: String,
    kind: Kind,
}

/// The kind of a word. If a word occurs in several kinds, the last of them in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A verb form with attached pronouns.
    Enclitic,
    /// A word of a plain list. The dictionary knows more about a word, so its kinds win, except the one above: an apparent
    /// verb with pronouns is a word if a list has it.
    Listed,
    /// A word that the dictionary also has with a full stop, or forbids to write in capitals.
    Abbreviation,
    /// Any other word of the dictionary.
    Word,
    /// A word that may begin with a capital although it is not a name.
    Noun,
}

/// How many words were left out, by reason.
#[derive(Debug, Default)]
struct Tally {
    different: usize,
    enclitics: usize,
    abbreviations: usize,
    capitals: usize,
    signs: usize,
    letters: BTreeMap<char, usize>,
    short: usize,
    long: usize,
    no_vowel: usize,
    same: usize,
}

/// `lexicon expand`.
pub fn run(arguments: &LexiconExpandArguments) -> Result<(), Failure> {
    let out = NewFile::new(arguments.out.as_deref())?;
    let (tileset, layout) = loading::tileset_and_layout(&arguments.tileset)?;
    let speller = Speller::new(&tileset, layout.side(), arguments.fold_letters, arguments.need_vowel);
    let enclitics = Enclitics::new(&arguments.leave_out_enclitics);
    let mut forms = Vec::new();
    read_dictionary(arguments, &enclitics, &mut forms)?;
    read_lists(arguments, &enclitics, &mut forms)?;
    let (words, tally) = spell_all(forms, &speller, arguments.noun_flag.is_some());
    print_tally(&words, &tally, &tileset, layout.side());
    if words.is_empty() {
        let name = tileset.name();
        return Err(Failure::input(format!("no word is left for the {name} tile set; choose another with --tileset")));
    }
    out.export((words.join("\n") + "\n").into_bytes(), format_args!("{} words", words.len()))
}

/// Adds the words of the hunspell dictionary, if there is one.
fn read_dictionary(arguments: &LexiconExpandArguments, enclitics: &Enclitics, forms: &mut Vec<Form>) -> Result<(), Failure> {
    let Some(path) = &arguments.dictionary else { return Ok(()) };
    let affixes = arguments.affixes.clone().unwrap_or_else(|| path.with_extension("aff"));
    let mut dictionary = Dictionary::read(path, &affixes).input()?;
    if let Some(flags) = &arguments.leave_out_affixes {
        dictionary.leave_out(flags).map_err(|fault| Failure::input(format!("--leave-out-affixes: {fault}")))?;
    }
    let noun = arguments.noun_flag.as_ref().map(|flag| dictionary.flag(flag)).transpose();
    let noun = noun.map_err(|fault| Failure::input(format!("--noun-flag: {fault}")))?;
    let listed = listed_enclitics(&dictionary, enclitics);
    dictionary.for_each_word(|word, stem| {
        let is_enclitic = if stem.is_alone() { listed.contains(word) } else { enclitics.are_in(word, &stem.word) };
        let kind = if is_enclitic {
            Kind::Enclitic
        } else if dictionary.keeps_case(word, stem) {
            Kind::Abbreviation
        } else if noun.is_some_and(|flag| stem.has(flag)) {
            Kind::Noun
        } else {
            Kind::Word
        };
        forms.push(Form { word: word.into(), kind });
        if let Some(abbreviation) = word.strip_suffix('.') {
            forms.push(Form { word: abbreviation.into(), kind: Kind::Abbreviation });
        }
    });
    keep_best(forms);
    say!("{}: {} words", path.display(), forms.len());
    Ok(())
}

/// The verb forms with pronouns that the dictionary lists without affixes, as it does for irregular verbs.
fn listed_enclitics<'a>(dictionary: &'a Dictionary, enclitics: &Enclitics) -> HashSet<&'a str> {
    if enclitics.is_empty() {
        return HashSet::new();
    }
    let mut known = HashSet::new();
    dictionary.for_each_word(|word, _| {
        known.insert(without_accents(word));
    });
    let alone = dictionary.stems().iter().filter(|stem| stem.is_alone());
    let listed: Vec<&str> = alone.map(|stem| stem.word.as_str()).collect();
    let mut found = enclitics.among(&listed, &known);
    found.extend(listed.iter().filter(|word| enclitics.end_infinitive(word)));
    found
}

/// Adds the words of the plain lists.
fn read_lists(arguments: &LexiconExpandArguments, enclitics: &Enclitics, forms: &mut Vec<Form>) -> Result<(), Failure> {
    let encoding = encoded_text::encoding(&arguments.encoding).input()?;
    for path in &arguments.words {
        let before = forms.len();
        let bytes = encoded_text::read(path).input()?;
        for line in encoded_text::lines(&bytes, encoding, path) {
            let (_, text) = line.input()?;
            let word = text.trim();
            if !word.is_empty() {
                let kind = if enclitics.end_infinitive(word) { Kind::Enclitic } else { Kind::Listed };
                forms.push(Form { word: word.into(), kind });
            }
        }
        say!("{}: {} words", path.display(), forms.len() - before);
    }
    Ok(())
}

/// Keeps every word once, with the best of its kinds.
fn keep_best(forms: &mut Vec<Form>) {
    forms.sort_unstable_by(|a, b| b.cmp(a));
    forms.dedup_by(|worse, better| worse.word == better.word);
}

/// The words of the game, sorted, and how many others were left out. If nouns have a flag, capitalised words that the
/// dictionary does not have count as nouns too: it has the names, but it cannot have all compounds.
fn spell_all(mut forms: Vec<Form>, speller: &Speller<'_>, nouns_are_known: bool) -> (Vec<String>, Tally) {
    keep_best(&mut forms);
    let mut tally = Tally { different: forms.len(), ..Tally::default() };
    let mut words = Vec::with_capacity(forms.len());
    for Form { word, kind } in forms {
        let is_noun = kind == Kind::Noun || (kind == Kind::Listed && nouns_are_known);
        match (kind, speller.spell(&word, is_noun)) {
            (Kind::Enclitic, _) => tally.enclitics += 1,
            (Kind::Abbreviation, _) => tally.abbreviations += 1,
            (_, Ok(spelled)) => words.push(spelled),
            (_, Err(Exclusion::Capitals)) => tally.capitals += 1,
            (_, Err(Exclusion::Signs)) => tally.signs += 1,
            (_, Err(Exclusion::Letter(letter))) => *tally.letters.entry(letter).or_default() += 1,
            (_, Err(Exclusion::Short)) => tally.short += 1,
            (_, Err(Exclusion::Long)) => tally.long += 1,
            (_, Err(Exclusion::NoVowel)) => tally.no_vowel += 1,
        }
    }
    let spelled = words.len();
    words.sort_unstable();
    words.dedup();
    tally.same = spelled - words.len();
    (words, tally)
}

/// Prints the number of words, the numbers left out by reason, and the number kept. They add up.
fn print_tally(words: &[String], tally: &Tally, tileset: &TileSet, longest: usize) {
    say!("{:>9} different words", tally.different);
    let print = |count: usize, reason: &str| {
        if count > 0 {
            say!("{count:>9} left out: {reason}");
        }
    };
    let lacking: Vec<String> = tally.letters.iter().map(|(letter, words)| format!("{letter} {words}")).collect();
    print(tally.enclitics, "verb forms with pronouns");
    print(tally.abbreviations, "units and abbreviations, as the dictionary marks them");
    print(tally.capitals, "capital letters, so proper nouns or abbreviations");
    print(tally.signs, "hyphens, apostrophes, digits or other signs");
    print(
        tally.letters.values().sum(),
        &format!("letters that the {} tile set lacks ({})", tileset.name(), lacking.join(", ")),
    );
    print(tally.short, "fewer than 2 tiles");
    print(tally.long, &format!("more than {longest} tiles"));
    print(tally.no_vowel, "no vowel, so abbreviations or interjections");
    print(tally.same, "same spelling as another word");
    say!("{:>9} kept", words.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_known_kind_of_a_word_wins() {
        // Each kind wins over the kinds before it.
        let order = [Kind::Enclitic, Kind::Listed, Kind::Abbreviation, Kind::Word, Kind::Noun];
        for (place, &best) in order.iter().enumerate() {
            for &other in &order[..=place] {
                let form = |kind| Form { word: "darlo".into(), kind };
                let mut forms = vec![form(other), form(best), form(other)];
                keep_best(&mut forms);
                assert_eq!(forms, [form(best)], "with {other:?}");
            }
        }
    }
}
