//! What can be wrong with a dictionary.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::lexicon::encoded_text::TextError;

/// How flags are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlagForm {
    /// One character each: `ABC` are three. Without a `FLAG` line, and with `FLAG UTF-8`.
    #[default]
    Character,
    /// Two characters each: `A1B2` are two. `FLAG long`.
    Long,
    /// Numbers from 1 to 65535 with commas between them. `FLAG num`.
    Number,
}

/// Why a dictionary cannot be expanded.
#[derive(Debug, Error)]
pub enum HunspellError {
    /// A file is not there, or no text.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A line that cannot be worked with.
    #[error("{file}, line {line}: {fault}", file = file.display())]
    Line {
        /// As given.
        file: PathBuf,
        /// 1-based.
        line: usize,
        /// What is wrong with it.
        fault: Fault,
    },
}

/// What is wrong with a line of a dictionary, and how to mend it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// A rule that changes words in a way that is not known here.
    #[error("{directive} is not supported; expand the dictionary with its own tools and read the result as a plain list")]
    Unsupported {
        /// Its name.
        directive: String,
    },
    /// An encoding that is not known.
    #[error("{0}")]
    Encoding(String),
    /// Fewer values than needed.
    #[error("{directive} needs {needed}; found {found:?}")]
    Fields {
        /// Its name.
        directive: String,
        /// What should stand there.
        needed: &'static str,
        /// What stands there.
        found: String,
    },
    /// A form of flags that does not exist.
    #[error("no form of flags is named {name:?}; write FLAG long, num or UTF-8, or leave the line out")]
    FlagForm {
        /// What was asked for.
        name: String,
    },
    /// Flags that are not of the dictionary's form.
    #[error("{text:?} are no flags; {}", match form {
        FlagForm::Character => "each is one character",
        FlagForm::Long => "FLAG long means two characters each",
        FlagForm::Number => "FLAG num means numbers from 1 to 65535 with commas between them",
    })]
    Flags {
        /// What stands there.
        text: String,
        /// What should.
        form: FlagForm,
    },
    /// One flag was wanted.
    #[error("{text:?} is not one flag")]
    NotOneFlag {
        /// What stands there.
        text: String,
    },
    /// A number that no `AF` line has.
    #[error("{text:?} is no numbered set of flags; the AF lines number 1 to {aliases}")]
    UnknownAlias {
        /// What stands there.
        text: String,
        /// How many there are.
        aliases: usize,
    },
    /// A flag that names no affixes.
    #[error("{text:?} holds a flag that names no prefixes and no suffixes of this dictionary; leave it out")]
    NoAffixes {
        /// What was asked for.
        text: String,
    },
    /// A condition that does not end.
    #[error("the condition {text:?} opens a [ that is not closed; close it with ]")]
    Condition {
        /// What stands there.
        text: String,
    },
    /// A table with another number of affixes than it says.
    #[error("{table} says {stated} affixes and {found} follow; mend the number")]
    Count {
        /// `SFX A`.
        table: String,
        /// What its first line says.
        stated: usize,
        /// What follows.
        found: usize,
    },
    /// A `.dic` file without its number of words.
    #[error("a .dic file begins with its number of words; found {found:?}")]
    WordCount {
        /// What stands there.
        found: String,
    },
}

impl Fault {
    /// The fault with its file and its line, which is 1-based.
    pub fn at(self, file: &Path, line: usize) -> HunspellError {
        HunspellError::Line { file: file.into(), line, fault: self }
    }
}
