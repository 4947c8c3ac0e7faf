//! The result of reading a word list, with the rejected lines.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The maximum number of rejected lines that a report quotes.
const MAX_EXAMPLES: usize = 20;

/// A line that is not a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedLine {
    /// The 1-based line number; 0 for a word of a graph.
    pub line: usize,
    /// The text of the line, shortened if very long.
    pub word: String,
    /// Why it is not a word.
    pub reason: String,
}

/// The result of reading a word list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordReport {
    /// The number of distinct words.
    pub words: usize,
    /// The number of repeated words, each repetition counted.
    pub duplicates: usize,
    /// The number of lines that are not words.
    pub rejected: usize,
    /// The first rejected lines.
    pub examples: Vec<RejectedLine>,
}

impl WordReport {
    pub(super) fn reject(&mut self, line: usize, word: &str, reason: String) {
        self.rejected += 1;
        if self.examples.len() < MAX_EXAMPLES {
            let word = word.chars().take(40).collect();
            self.examples.push(RejectedLine { line, word, reason });
        }
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
            write!(formatter, ", {} lines rejected:", self.rejected)?;
        }
        for RejectedLine { line, word, reason } in &self.examples {
            // The words of a graph have no lines.
            match line {
                0 => write!(formatter, "\n  {word:?}: {reason}")?,
                _ => write!(formatter, "\n  line {line}: {word:?}: {reason}")?,
            }
        }
        if self.rejected > self.examples.len() {
            write!(formatter, "\n  and {} more", self.rejected - self.examples.len())?;
        }
        Ok(())
    }
}
