//! Hunspell dictionaries, expanded: every word that a `.dic` file and its `.aff` file accept without making compounds.
//!
//! A line of the `.dic` file is a stem with flags; a flag names a table of prefixes or suffixes in the `.aff` file. A word is
//! a stem with at most one prefix and at most two suffixes, the second of which the first one's flags allow. See `man 5
//! hunspell` for the format. What is understood:
//!
//! | in the `.aff` file | meaning here |
//! | --- | --- |
//! | `SET` | the encoding of both files; ISO8859-1 without it |
//! | `FLAG`, `AF` | how flags are written, and numbered sets of them |
//! | `PFX`, `SFX` | affixes: what is stripped, what is added, and under which condition |
//! | `NEEDAFFIX` | a stem or affix that makes no word alone |
//! | `CIRCUMFIX` | prefixes and suffixes that come together or not at all |
//! | `ONLYINCOMPOUND` | stems and affixes for compounds: left out |
//! | `KEEPCASE` | stems whose small letters may not become capitals: told by [`Dictionary::keeps_case`] |
//! | `CHECKSHARPS` | words with ß may become capitals, `KEEPCASE` or not: ß is written SS there |
//! | `FORBIDDENWORD` | stems that are taken away again, with all their forms |
//! | `FULLSTRIP` | affixes may replace a whole stem |
//! | `OCONV` | replaced in the words that come out |
//! | `COMPLEXPREFIXES`, `IGNORE` | refused: words would be wrong |
//! | everything else | suggestions, compounds, input: makes no difference to these words |
//!
//! Compounds are not made, since there is no end of them: a list of German has the compounds that the dictionary lists.

use std::collections::HashSet;
use std::path::Path;

use super::encoded_text;

mod fault;
mod condition;
mod conversion;
mod flags;
mod affixes;
mod stems;
mod expansion;

use affixes::Affixes;
use expansion::Expander;
pub use fault::{Fault, HunspellError};
pub use flags::Flag;
pub use stems::Stem;

/// A dictionary: stems and affixes.
#[derive(Debug)]
pub struct Dictionary {
    affixes: Affixes,
    stems: Vec<Stem>,
}

impl Dictionary {
    /// Reads both files.
    ///
    /// # Errors
    /// [`HunspellError`], with the file and the line.
    pub fn read(dictionary: &Path, affixes: &Path) -> Result<Dictionary, HunspellError> {
        let affix_bytes = encoded_text::read(affixes)?;
        Dictionary::from_bytes(&encoded_text::read(dictionary)?, dictionary, &affix_bytes, affixes)
    }

    /// The same from what the files hold; the paths name them in errors.
    ///
    /// # Errors
    /// [`HunspellError`], with the file and the line.
    pub fn from_bytes(
        dictionary: &[u8],
        dictionary_path: &Path,
        affixes: &[u8],
        affixes_path: &Path,
    ) -> Result<Dictionary, HunspellError> {
        let affixes = Affixes::read(affixes, affixes_path)?;
        let stems = stems::read(dictionary, dictionary_path, &affixes)?;
        Ok(Dictionary { affixes, stems })
    }

    /// Its stems, in the order of the file.
    pub fn stems(&self) -> &[Stem] {
        &self.stems
    }

    /// A flag, as the dictionary writes it.
    ///
    /// # Errors
    /// [`Fault`] if it is none, or several.
    pub fn flag(&self, text: &str) -> Result<Flag, Fault> {
        self.affixes.flags.one(text)
    }

    /// Whether a word of this stem may not be written in capitals: units and abbreviations, mostly.
    pub fn keeps_case(&self, word: &str, stem: &Stem) -> bool {
        let is_sharp = self.affixes.check_sharps && word.contains('ß');
        !is_sharp && self.affixes.keep_case.is_some_and(|flag| stem.has(flag))
    }

    /// Takes the affixes of these flags away, so that no word is made with them.
    ///
    /// # Errors
    /// [`Fault`] if they are no flags, or name no affixes.
    pub fn leave_out(&mut self, flags: &str) -> Result<(), Fault> {
        for flag in self.affixes.flags.spelled_out(flags)? {
            if !self.affixes.remove(flag) {
                return Err(Fault::NoAffixes { text: flags.into() });
            }
        }
        Ok(())
    }

    /// Calls `take` with every word and the stem that it is made from; words that are made in several ways come as often.
    ///
    /// # Cost
    /// With sorting and spelling `lexicon expand` takes 5 s for the 3.2 million words of a French dictionary.
    pub fn for_each_word<'a>(&'a self, mut take: impl FnMut(&str, &'a Stem)) {
        let expander = Expander::new(&self.affixes);
        let is_forbidden = |stem: &Stem| self.affixes.forbidden.is_some_and(|flag| stem.has(flag));
        let mut forbidden = HashSet::new();
        for stem in self.stems.iter().filter(|stem| is_forbidden(stem)) {
            expander.expand(stem, &mut |word| {
                forbidden.insert(word.to_string());
            });
        }
        for stem in self.stems.iter().filter(|stem| !is_forbidden(stem)) {
            expander.expand(stem, &mut |word| {
                if forbidden.contains(word) {
                    return;
                }
                if self.affixes.output.is_empty() {
                    take(word, stem);
                } else {
                    take(&self.affixes.output.apply(word), stem);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests;
