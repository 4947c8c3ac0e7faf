//! Errors in hunspell dictionaries.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::lexicon::encoded_text::TextError;

/// The form in which flags are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlagForm {
    /// One character each: `ABC` is three flags. The default, and `FLAG UTF-8`.
    #[default]
    Character,
    /// Two characters each: `A1B2` is two flags. `FLAG long`.
    Long,
    /// Numbers from 1 to 65535 with commas between them. `FLAG num`.
    Number,
}

/// Why a dictionary cannot be expanded.
#[derive(Debug, Error)]
pub enum HunspellError {
    /// A file cannot be read or is not text.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A line is invalid or not supported.
    #[error("{file}, line {line}: {fault}", file = file.display())]
    Line {
        /// The path as given.
        file: PathBuf,
        /// 1-based.
        line: usize,
        /// The fault.
        fault: Fault,
    },
}

/// A fault of a line or a flag, and how to mend it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// A directive that changes words and is not supported.
    #[error("{directive} is not supported; expand the dictionary with its own tools and read the result as a plain list")]
    Unsupported {
        /// The directive.
        directive: String,
    },
    /// An unknown encoding.
    #[error("{0}")]
    Encoding(String),
    /// Missing values.
    #[error("{directive} needs {needed}; found {found:?}")]
    Fields {
        /// The directive.
        directive: String,
        /// The values that it needs.
        needed: &'static str,
        /// The values of the line.
        found: String,
    },
    /// An unknown form of flags.
    #[error("unknown form of flags {name:?}; write FLAG long, num or UTF-8, or remove the line")]
    FlagForm {
        /// The form that the line names.
        name: String,
    },
    /// Flags in another form than that of the dictionary.
    #[error("{text:?} is not a list of flags; {}", match form {
        FlagForm::Character => "each flag is one character",
        FlagForm::Long => "FLAG long means two characters each",
        FlagForm::Number => "FLAG num means numbers from 1 to 65535 with commas between them",
    })]
    Flags {
        /// The text.
        text: String,
        /// The form of flags in the dictionary.
        form: FlagForm,
    },
    /// No flag or several where one is needed.
    #[error("{text:?} is not one flag; name exactly one")]
    NotOneFlag {
        /// The text.
        text: String,
    },
    /// A number without an `AF` line.
    #[error("{text:?} is not the number of a set of flags; the AF lines define 1 to {aliases}")]
    UnknownAlias {
        /// The text.
        text: String,
        /// The number of sets.
        aliases: usize,
    },
    /// A flag without affixes.
    #[error("{text:?} has a flag without prefixes or suffixes in this dictionary; remove it")]
    NoAffixes {
        /// The flags.
        text: String,
    },
    /// More words than are formed.
    #[error("the words up to the stem {stem:?} are more than {most}; leave out affixes with --leave-out-affixes, or stems")]
    TooManyWords {
        /// The stem.
        stem: String,
        /// The most words, counting a word that is formed in several ways several times.
        most: usize,
    },
    /// An open bracket in a condition.
    #[error("the [ of condition {text:?} is not closed; close it with ]")]
    Condition {
        /// The condition.
        text: String,
    },
    /// A table with another number of affixes than its first line states.
    #[error("{table} states {stated} affixes, but {found} follow; correct the number")]
    Count {
        /// The name of the table, such as `SFX A`.
        table: String,
        /// The number that its first line states.
        stated: usize,
        /// The number of affixes that follow.
        found: usize,
    },
    /// A `.dic` file that does not begin with its number of words.
    #[error("a .dic file must begin with its number of words; found {found:?}")]
    WordCount {
        /// The first line.
        found: String,
    },
}

impl Fault {
    /// The fault with its file and its line, which is 1-based.
    pub fn at(self, file: &Path, line: usize) -> HunspellError {
        HunspellError::Line { file: file.into(), line, fault: self }
    }
}
