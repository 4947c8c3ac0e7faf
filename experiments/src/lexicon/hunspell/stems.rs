//! The `.dic` file: stems with their flags.

use std::path::Path;

use super::affixes::Affixes;
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

/// Reads a `.dic` file, whose first line is the number of words; `file` names it in errors.
pub fn read(bytes: &[u8], file: &Path, affixes: &Affixes) -> Result<Vec<Stem>, Failure> {
    let mut stems = Vec::new();
    for line in encoded_text::lines(bytes, affixes.encoding, file) {
        let (number, text) = line?;
        if number == 1 {
            // Hunspell only reserves memory by this number; it may be wrong.
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
