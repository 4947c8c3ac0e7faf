//! The result of reading a word list, with the rejected lines.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The maximum number of rejected lines of a list. Each takes a microsecond, so a list of short lines would take minutes.
pub(super) const MAX_REJECTED: usize = 1_000_000;
/// The maximum number of rejected lines that a report quotes.
const MAX_EXAMPLES: usize = 20;
/// The number of lines that are quoted if most of the rejected ones have the same cure.
const FEW_EXAMPLES: usize = 3;

/// The form in which the lines of a text are read. The default accepts only plain words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LineForm {
    /// The word is the first column of its line, which a space, a comma or a semicolon ends. A tab always ends the word.
    pub first_column: bool,
    /// Letters that the tile set lacks are spelled with letters that it has: `É` as `E`, `Œ` as `OE`.
    pub fold: bool,
}

/// A line that is not a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct RejectedLine {
    /// The 1-based line number, or 0 for a word of a graph.
    pub line: usize,
    /// The text of the line, shortened if very long.
    pub word: String,
    /// Why it is not a word.
    pub reason: String,
}

/// Another form in which rejected lines are words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Cure {
    /// The form.
    pub form: LineForm,
    /// How many of the rejected lines are words in this form.
    pub words: usize,
}

/// The result of reading a word list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WordReport {
    /// The number of distinct words.
    pub words: usize,
    /// The number of repeated words, each repetition counted.
    pub duplicates: usize,
    /// The number of lines that are not words.
    pub rejected: usize,
    /// The first rejected lines.
    pub examples: Vec<RejectedLine>,
    /// The other forms, the simplest first.
    pub cures: [Cure; 3],
}

impl Default for WordReport {
    fn default() -> WordReport {
        let cure = |first_column, fold| Cure { form: LineForm { first_column, fold }, words: 0 };
        let cures = [cure(true, false), cure(false, true), cure(true, true)];
        WordReport { words: 0, duplicates: 0, rejected: 0, examples: Vec::new(), cures }
    }
}

impl WordReport {
    pub(super) fn reject(&mut self, line: usize, word: &str, reason: String) {
        self.rejected += 1;
        if self.examples.len() < MAX_EXAMPLES {
            let word = word.chars().take(40).collect();
            self.examples.push(RejectedLine { line, word, reason });
        }
    }

    /// Returns the simplest form in which most of the rejected lines are words, and at least as many as in any simpler one.
    pub fn cure(&self) -> Option<Cure> {
        let best = self.cures.iter().map(|cure| cure.words).max()?;
        self.cures.iter().copied().find(|cure| cure.words == best && 2 * best > self.rejected)
    }

    /// Returns whether every line was a new word.
    pub fn is_clean(&self) -> bool {
        self.rejected == 0 && self.duplicates == 0
    }
}

impl fmt::Display for WordReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} words", self.words)?;
        if self.duplicates > 0 {
            write!(formatter, ", {} duplicates", self.duplicates)?;
        }
        if self.rejected > 0 {
            let lines = if self.rejected == 1 { "line" } else { "lines" };
            write!(formatter, ", {} {lines} rejected:", self.rejected)?;
        }
        let cure = self.cure();
        let quoted = &self.examples[..self.examples.len().min(if cure.is_some() { FEW_EXAMPLES } else { MAX_EXAMPLES })];
        for RejectedLine { line, word, reason } in quoted {
            // The words of a graph have no lines.
            match line {
                0 => write!(formatter, "\n  {word:?}: {reason}")?,
                _ => write!(formatter, "\n  line {line}: {word:?}: {reason}")?,
            }
        }
        if self.rejected > quoted.len() {
            write!(formatter, "\n  and {} more", self.rejected - quoted.len())?;
        }
        Ok(())
    }
}
