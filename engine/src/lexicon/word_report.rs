//! What was found in a word list, and what was wrong with the lines that were left out.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Bad lines quoted in a report; the rest are counted.
const QUOTED: usize = 20;

/// A line that is not a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// 1-based; 0 for a word of a graph.
    pub line: usize,
    /// The text of the line, shortened if very long.
    pub word: String,
    /// Why it is not a word.
    pub reason: String,
}

/// What was found in a word list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordReport {
    /// Distinct words that were accepted.
    pub words: usize,
    /// Words beyond the first of their kind.
    pub duplicates: usize,
    /// Lines that are not words.
    pub rejected: usize,
    /// The first of them.
    pub examples: Vec<Rejected>,
}

impl WordReport {
    pub(super) fn reject(&mut self, line: usize, word: &str, reason: String) {
        self.rejected += 1;
        if self.examples.len() < QUOTED {
            let word = word.chars().take(40).collect();
            self.examples.push(Rejected { line, word, reason });
        }
    }

    /// Whether every line was a new word.
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
            write!(formatter, ", {} lines left out:", self.rejected)?;
        }
        for Rejected { line, word, reason } in &self.examples {
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
