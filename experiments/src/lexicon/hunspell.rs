//! Expands hunspell dictionaries: every word that a `.dic` file and its `.aff` file accept, without compounds.
//!
//! A line of the `.dic` file is a stem with flags. A flag names a table of prefixes or suffixes in the `.aff` file. A word
//! is a stem with at most one prefix and at most two suffixes. The flags of the first suffix allow the second. `man 5
//! hunspell` describes the format. Supported are:
//!
//! | in the `.aff` file | meaning here |
//! | --- | --- |
//! | `SET` | the encoding of both files, by default ISO8859-1 |
//! | `FLAG`, `AF` | the form of flags, and numbered sets of flags |
//! | `PFX`, `SFX` | affixes: the strip, the addition and the condition |
//! | `NEEDAFFIX` | stems and affixes that form no word alone |
//! | `CIRCUMFIX` | prefixes and suffixes that only occur together |
//! | `ONLYINCOMPOUND` | stems and affixes for compounds: left out |
//! | `KEEPCASE` | stems whose small letters may not become capitals ([`Dictionary::keeps_case`]) |
//! | `CHECKSHARPS` | words with ß may become capitals despite `KEEPCASE`, with SS for ß |
//! | `FORBIDDENWORD` | stems that are excluded with all their forms |
//! | `FULLSTRIP` | affixes may replace a whole stem |
//! | `OCONV` | replacements in the resulting words |
//! | `COMPLEXPREFIXES`, `IGNORE` | refused: the words would be wrong |
//! | everything else | ignored: suggestions, compounds and input do not change these words |
//!
//! Compounds are not formed, because their number is unlimited: a German list has the compounds that the dictionary lists.

use std::collections::HashSet;
use std::path::Path;

use super::encoded_text;
use crate::Failure;

mod flags;
mod affixes;
mod expansion;

use affixes::{Affixes, Rules};
use expansion::Expander;
pub use expansion::Stem;
pub use flags::Flag;

/// A dictionary: stems and affixes.
#[derive(Debug)]
pub struct Dictionary {
    affixes: Affixes,
    /// In the order of the file.
    pub stems: Vec<Stem>,
}

impl Dictionary {
    /// Reads both files.
    pub fn read(dictionary: &Path, affixes: &Path) -> Result<Dictionary, Failure> {
        let affix_bytes = encoded_text::read(affixes)?;
        Dictionary::from_bytes(&encoded_text::read(dictionary)?, dictionary, &affix_bytes, affixes)
    }

    /// Reads the contents of both files. The paths name the files in errors.
    pub fn from_bytes(
        dictionary: &[u8],
        dictionary_path: &Path,
        affixes: &[u8],
        affixes_path: &Path,
    ) -> Result<Dictionary, Failure> {
        let affixes = Affixes::read(affixes, affixes_path)?;
        let stems = expansion::read(dictionary, dictionary_path, &affixes)?;
        Ok(Dictionary { affixes, stems })
    }

    /// Reads a flag in the form of the dictionary.
    pub fn flag(&self, text: &str) -> Result<Flag, Failure> {
        self.affixes.flags.one(text)
    }

    /// Whether a word of this stem may not be written in capitals. Most such words are units and abbreviations.
    pub fn keeps_case(&self, word: &str, stem: &Stem) -> bool {
        let is_sharp = self.affixes.rules.check_sharps && word.contains('ß');
        !is_sharp && self.affixes.rules.keep_case.is_some_and(|flag| stem.has(flag))
    }

    /// Removes the affixes of these flags.
    pub fn leave_out(&mut self, flags: &str) -> Result<(), Failure> {
        let Affixes { flags: reader, rules: Rules { prefixes, suffixes, .. }, .. } = &mut self.affixes;
        for flag in reader.spelled_out(flags)? {
            let removed = [prefixes.remove(&flag), suffixes.remove(&flag)];
            if removed.iter().all(Option::is_none) {
                return Err(Failure::input(format!(
                    "{flags:?} has a flag without prefixes or suffixes in this dictionary; remove it"
                )));
            }
        }
        Ok(())
    }

    /// Calls `take` with every word and its stem. If a word is formed in several ways, it comes several times.
    ///
    /// # Cost
    /// Including sorting and spelling, `lexicon expand` takes 5 s for the 3.2 million words of a French dictionary.
    pub fn for_each_word<'a>(&'a self, mut take: impl FnMut(&str, &'a Stem)) -> Result<(), Failure> {
        let Rules { forbidden: flag, output, .. } = &self.affixes.rules;
        let expander = Expander::new(&self.affixes.rules);
        let is_forbidden = |stem: &Stem| flag.is_some_and(|flag| stem.has(flag));
        let mut forbidden = HashSet::new();
        for stem in self.stems.iter().filter(|stem| is_forbidden(stem)) {
            expander.expand(stem, &mut |word| {
                forbidden.insert(word.to_string());
            })?;
        }
        for stem in self.stems.iter().filter(|stem| !is_forbidden(stem)) {
            expander.expand(stem, &mut |word| {
                if !forbidden.contains(word) {
                    take(&output.apply(word), stem);
                }
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
