//! The `.dic` file: stems with their flags, and the expansion of a stem to its words.

use std::cell::Cell;
use std::path::Path;

use super::affixes::{Affix, Affixes, Rules};
use super::flags::Flag;
use crate::Failure;
use crate::lexicon::encoded_text::{self, in_line};

/// A line of the `.dic` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stem {
    /// The word as the file spells it, with its capitals.
    pub word: String,
    pub(super) flags: Vec<Flag>,
}

impl Stem {
    pub fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }

    /// Whether it has no flags and so forms only its own word.
    pub fn is_alone(&self) -> bool {
        self.flags.is_empty()
    }
}

/// Reads a `.dic` file, whose first line is the number of words. `file` names it in errors.
pub fn read(bytes: &[u8], file: &Path, affixes: &Affixes) -> Result<Vec<Stem>, Failure> {
    let mut stems = Vec::new();
    for line in encoded_text::lines(bytes, affixes.encoding, file) {
        let (number, text) = line?;
        if number == 1 {
            // Hunspell only reserves memory by this number, so it may be wrong.
            if text.split_whitespace().next().is_none_or(|count| count.parse::<u64>().is_err()) {
                let found: String = text.chars().take(40).collect();
                let failure = Failure::input(format!("a .dic file must begin with its number of words; found {found:?}"));
                return Err(in_line(file, number)(failure));
            }
            continue;
        }
        let text = without_description(&text);
        if !text.is_empty() {
            let (word, flags) = affixes.split_flags(text).map_err(in_line(file, number))?;
            stems.push(Stem { word, flags });
        }
    }
    Ok(stems)
}

/// Removes the description, which begins with a tab or with a field such as ` po:noun`. Words may contain spaces.
fn without_description(text: &str) -> &str {
    let text = text.split('\t').next().unwrap_or_default();
    let field = text.match_indices(' ').find(|&(place, _)| {
        let field = &text.as_bytes()[place + 1..];
        field.len() > 2 && field[2] == b':' && field[..2].iter().all(u8::is_ascii_lowercase)
    });
    text[..field.map_or(text.len(), |(place, _)| place)].trim()
}

/// The most words that are formed from a dictionary. A French one has a third of them.
const MAX_WORDS: usize = 10_000_000;

pub struct Expander<'a> {
    rules: &'a Rules,
    /// How many more words may be formed.
    left: Cell<usize>,
}

/// More words than may be formed.
struct TooMany;

/// A stem with up to two suffixes.
struct SuffixedWord<'w> {
    text: &'w str,
    /// In the order of their addition.
    suffixes: &'w [&'w Affix],
}

impl<'a> Expander<'a> {
    pub fn new(rules: &'a Rules) -> Expander<'a> {
        Expander { rules, left: Cell::new(MAX_WORDS) }
    }

    /// Calls `take` with every word of the stem. A word may come more than once.
    ///
    /// # Errors
    /// [`Failure::Input`] once this stem and those before have formed too many.
    pub fn expand(&self, stem: &Stem, take: &mut impl FnMut(&str)) -> Result<(), Failure> {
        self.try_expand(stem, take).map_err(|TooMany| {
            Failure::input(format!(
                "the words up to the stem {:?} are more than {MAX_WORDS}; leave out affixes with --leave-out-affixes, or stems",
                stem.word
            ))
        })
    }

    fn try_expand(&self, stem: &Stem, take: &mut impl FnMut(&str)) -> Result<(), TooMany> {
        if self.rules.only_in_compound.is_some_and(|flag| stem.has(flag)) {
            return Ok(());
        }
        self.each_suffixed(&stem.word, &stem.flags, &mut |word| {
            // A stem that needs an affix is not a word by itself.
            if !word.suffixes.is_empty() || self.rules.needs_affix.is_none_or(|flag| !stem.has(flag)) {
                self.finish(None, word, take)?;
            }
            for prefix in self.prefixes(&stem.flags).filter(|prefix| goes_with_all(prefix, word.suffixes)) {
                self.finish(Some(prefix), word, take)?;
            }
            // The flags of a suffix allow prefixes that the stem does not allow itself.
            for (place, suffix) in word.suffixes.iter().enumerate() {
                for prefix in self.prefixes(suffix.flags.iter().filter(|&&flag| !stem.has(flag))) {
                    // The prefix is added after this suffix, so only this suffix and later ones must combine with it.
                    if goes_with_all(prefix, &word.suffixes[place..]) {
                        self.finish(Some(prefix), word, take)?;
                    }
                }
            }
            Ok(())
        })?;
        // The flags of a prefix allow suffixes that the stem does not allow itself.
        for prefix in self.prefixes(&stem.flags) {
            let brought: Vec<Flag> = prefix.flags.iter().copied().filter(|&flag| !stem.has(flag)).collect();
            self.each_suffixed(&stem.word, &brought, &mut |word| {
                let goes = !word.suffixes.is_empty() && goes_with_all(prefix, word.suffixes);
                if goes { self.finish(Some(prefix), word, take) } else { Ok(()) }
            })?;
        }
        Ok(())
    }

    /// Counts a word that is formed.
    fn count(&self) -> Result<(), TooMany> {
        self.left.set(self.left.get().checked_sub(1).ok_or(TooMany)?);
        Ok(())
    }

    /// Calls `visit` with the stem alone, with one suffix, and with two.
    fn each_suffixed(
        &self,
        stem: &str,
        flags: &[Flag],
        visit: &mut impl FnMut(&SuffixedWord<'_>) -> Result<(), TooMany>,
    ) -> Result<(), TooMany> {
        let mut visit = |text: &str, suffixes: &[&Affix]| {
            self.count()?;
            visit(&SuffixedWord { text, suffixes })
        };
        visit(stem, &[])?;
        for first in self.suffixes(flags) {
            let Some(once) = self.with_suffix(stem, first) else { continue };
            for second in self.suffixes(&first.flags) {
                if let Some(twice) = self.with_suffix(&once, second) {
                    visit(&twice, &[first, second])?;
                }
            }
            visit(&once, &[first])?;
        }
        Ok(())
    }

    /// Calls `take` with the word and its prefix if all requirements of the affixes are met.
    fn finish(&self, prefix: Option<&Affix>, word: &SuffixedWord<'_>, take: &mut impl FnMut(&str)) -> Result<(), TooMany> {
        let has = |affix: &Affix, flag: Option<Flag>| flag.is_some_and(|flag| affix.flags.contains(&flag));
        let rules = self.rules;
        if prefix.iter().chain(word.suffixes).any(|affix| has(affix, rules.only_in_compound)) {
            return Ok(());
        }
        // An outermost affix that needs an affix needs one on the other side that has no such need.
        let outer = [prefix, word.suffixes.last().copied()];
        let has_independent = outer.iter().flatten().any(|affix| !has(affix, rules.needs_affix));
        if !has_independent && outer.iter().any(Option::is_some) {
            return Ok(());
        }
        let prefix_is_half = prefix.is_some_and(|prefix| has(prefix, rules.circumfix));
        if prefix_is_half != word.suffixes.iter().any(|suffix| has(suffix, rules.circumfix)) {
            return Ok(());
        }
        match prefix {
            None => take(word.text),
            Some(prefix) => {
                if let Some(text) = self.with_prefix(word.text, prefix) {
                    self.count()?;
                    take(&text);
                }
            }
        }
        Ok(())
    }

    fn with_suffix(&self, word: &str, suffix: &Affix) -> Option<String> {
        let rest = self.allowed_rest(word.strip_suffix(&suffix.strip)?)?;
        suffix.condition.fits_end(word).then(|| format!("{rest}{}", suffix.add))
    }

    fn with_prefix(&self, word: &str, prefix: &Affix) -> Option<String> {
        let rest = self.allowed_rest(word.strip_prefix(&prefix.strip)?)?;
        prefix.condition.fits_start(word).then(|| format!("{}{rest}", prefix.add))
    }

    /// The rest of a word after a strip, or `None` if the rest is empty and `FULLSTRIP` is not set.
    fn allowed_rest<'b>(&self, rest: &'b str) -> Option<&'b str> {
        (self.rules.full_strip || !rest.is_empty()).then_some(rest)
    }

    fn suffixes(&self, flags: &[Flag]) -> impl Iterator<Item = &'a Affix> {
        let tables = &self.rules.suffixes;
        flags.iter().filter_map(|flag| tables.get(flag)).flatten()
    }

    fn prefixes<'b>(&self, flags: impl IntoIterator<Item = &'b Flag>) -> impl Iterator<Item = &'a Affix> {
        let tables = &self.rules.prefixes;
        flags.into_iter().filter_map(|flag| tables.get(flag)).flatten()
    }
}

/// Whether a prefix combines with all of these suffixes.
fn goes_with_all(prefix: &Affix, suffixes: &[&Affix]) -> bool {
    suffixes.iter().all(|suffix| suffix.is_cross_product && prefix.is_cross_product)
}
