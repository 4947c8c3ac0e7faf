//! `lexicon expand`: makes a word list from a hunspell dictionary and plain lists.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::Path;

use serde::Serialize;

use super::encoded_text;
use super::flags::LexiconExpandArguments;
use super::hunspell::Dictionary;
use super::spelling::{Enclitics, Exclusion, Speller, without_accents};
use crate::output::{self, Written, say};
use crate::{Failure, loading};

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
    /// A word of a plain list. Kinds of a dictionary are more exact, so they win, except the kind above: an apparent verb
    /// with pronouns is a word if a list has it.
    Listed,
    /// A word that the dictionary also has with a full stop, or forbids to write in capitals.
    Abbreviation,
    /// Any other word of the dictionary.
    Word,
    /// A word that may begin with a capital although it is not a name.
    Noun,
}

#[derive(schemars::JsonSchema, Serialize)]
struct Source {
    path: String,
    words: usize,
}

/// The result of `lexicon expand`: the numbers of words. Those that were left out and those that were kept make up the different ones.
#[derive(schemars::JsonSchema, Serialize)]
pub struct Expansion<'a> {
    tileset: &'a str,
    /// The most tiles of a word.
    longest: usize,
    sources: Vec<Source>,
    /// Different words.
    different: usize,
    left_out: Tally,
    kept: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<Written<Words>>,
}

#[derive(schemars::JsonSchema, Serialize)]
struct Words {
    words: usize,
}

/// How many words were left out, by reason.
#[derive(Debug, Default, schemars::JsonSchema, Serialize)]
struct Tally {
    enclitics: usize,
    abbreviations: usize,
    capitals: usize,
    signs: usize,
    /// Words by a letter that the tile set lacks.
    letters: BTreeMap<char, usize>,
    short: usize,
    long: usize,
    no_vowel: usize,
    same: usize,
}

pub fn run(arguments: &LexiconExpandArguments) -> Result<(), Failure> {
    let [out, json] = arguments.json.files(arguments.save.as_deref())?;
    let (tileset, layout) = loading::tileset_and_layout(&arguments.tileset)?;
    let speller = Speller::new(&tileset, layout.side(), arguments.fold, arguments.need_vowel);
    let enclitics = Enclitics::new(&arguments.leave_out_enclitics);
    let (mut forms, mut sources) = (Vec::new(), Vec::new());
    if let Some(path) = &arguments.dictionary {
        sources.push(read_dictionary(path, arguments, &enclitics, &mut forms)?);
    }
    let encoding = encoded_text::encoding(&arguments.encoding)?;
    for path in &arguments.words {
        let before = forms.len();
        let bytes = encoded_text::read(path)?;
        for line in encoded_text::lines(&bytes, encoding, path) {
            let (_, text) = line?;
            let word = text.trim();
            if !word.is_empty() {
                let kind = if enclitics.end_infinitive(word) { Kind::Enclitic } else { Kind::Listed };
                forms.push(Form { word: word.into(), kind });
            }
        }
        sources.push(Source { path: path.display().to_string(), words: forms.len() - before });
    }
    keep_best(&mut forms);
    let different = forms.len();
    let (words, left_out) = spell_all(forms, &speller, arguments.noun_flag.is_some());
    let kept = words.len();
    let mut expansion =
        Expansion { tileset: tileset.name(), longest: layout.side(), sources, different, left_out, kept, written: None };
    if kept == 0 {
        say!("{expansion}");
        let name = tileset.name();
        return Err(Failure::input(format!("no word is left for the {name} tile set; choose another with --tileset")));
    }
    let text = words.join("\n") + "\n";
    expansion.written = out.export(text.into_bytes(), Words { words: kept }, format!("{kept} words"))?;
    output::show(&expansion, json)
}

fn read_dictionary(
    path: &Path,
    arguments: &LexiconExpandArguments,
    enclitics: &Enclitics,
    forms: &mut Vec<Form>,
) -> Result<Source, Failure> {
    let affixes = arguments.affixes.clone().unwrap_or_else(|| path.with_extension("aff"));
    let mut dictionary = Dictionary::read(path, &affixes)?;
    if let Some(flags) = &arguments.leave_out_affixes {
        dictionary.leave_out(flags).map_err(|failure| failure.within("--leave-out-affixes"))?;
    }
    let noun = arguments.noun_flag.as_ref().map(|flag| dictionary.flag(flag)).transpose();
    let noun = noun.map_err(|failure| failure.within("--noun-flag"))?;
    let too_many = |failure: Failure| failure.within(&path.display().to_string());
    let listed = listed_enclitics(&dictionary, enclitics).map_err(too_many)?;
    let expanded = dictionary.for_each_word(|word, stem| {
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
    expanded.map_err(too_many)?;
    keep_best(forms);
    Ok(Source { path: path.display().to_string(), words: forms.len() })
}

/// The verb forms with pronouns that the dictionary lists without affixes, as it does for irregular verbs.
fn listed_enclitics<'a>(dictionary: &'a Dictionary, enclitics: &Enclitics) -> Result<HashSet<&'a str>, Failure> {
    if enclitics.is_empty() {
        return Ok(HashSet::new());
    }
    let mut known = HashSet::new();
    dictionary.for_each_word(|word, _| {
        known.insert(without_accents(word));
    })?;
    let alone = dictionary.stems.iter().filter(|stem| stem.is_alone());
    let listed: Vec<&str> = alone.map(|stem| stem.word.as_str()).collect();
    let mut found = enclitics.among(&listed, &known);
    found.extend(listed.iter().filter(|word| enclitics.end_infinitive(word)));
    Ok(found)
}

/// Keeps every word once, with the best of its kinds.
fn keep_best(forms: &mut Vec<Form>) {
    forms.sort_unstable_by(|a, b| b.cmp(a));
    forms.dedup_by(|worse, better| worse.word == better.word);
}

/// The words of the game from different forms, sorted, and how many others were left out. If nouns have a flag, capitalised words that the
/// dictionary does not have count as nouns too: it has the names, but it cannot have all compounds.
fn spell_all(forms: Vec<Form>, speller: &Speller<'_>, nouns_are_known: bool) -> (Vec<String>, Tally) {
    let mut tally = Tally::default();
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

impl fmt::Display for Expansion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Expansion { tileset, longest, sources, different, left_out: tally, kept, written } = self;
        sources.iter().try_for_each(|Source { path, words }| writeln!(f, "{path}: {words} words"))?;
        writeln!(f, "{different:>9} different words")?;
        let lacking: Vec<String> = tally.letters.iter().map(|(letter, words)| format!("{letter} {words}")).collect();
        for (count, reason) in [
            (tally.enclitics, "verb forms with pronouns"),
            (tally.abbreviations, "units and abbreviations, as the dictionary marks them"),
            (tally.capitals, "capital letters, so proper nouns or abbreviations"),
            (tally.signs, "hyphens, apostrophes, digits or other signs"),
            (tally.letters.values().sum(), &format!("letters that the {tileset} tile set lacks ({})", lacking.join(", "))),
            (tally.short, "fewer than 2 tiles"),
            (tally.long, &format!("more than {longest} tiles")),
            (tally.no_vowel, "no vowel, so abbreviations or interjections"),
            (tally.same, "same spelling as another word"),
        ] {
            if count > 0 {
                writeln!(f, "{count:>9} left out: {reason}")?;
            }
        }
        write!(f, "{kept:>9} kept")?;
        written.iter().try_for_each(|written| write!(f, "\n{written}"))
    }
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
