//! Configs of runs, as TOML: read, checked, and written next to the result. Checks of their numbers, with one wording for all of them.

use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// An invalid config.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum ConfigError {
    /// It is not TOML of the expected form.
    #[error("config {origin}: {source}")]
    Syntax { origin: String, source: Box<toml::de::Error> },
    #[error("config {origin}: {reason}")]
    Invalid { origin: String, reason: String },
}

/// The fields that every config has.
#[derive(Debug)]
pub struct Basics<'a> {
    /// The lexicon, as on the command line. An empty text stands for the default lexicon of the tile set.
    pub lexicon: &'a mut String,
    /// The tile set, as on the command line.
    pub tileset: &'a mut String,
    /// The seed of every random draw.
    pub seed: &'a mut u64,
}

/// The tile set of configs that name none.
pub(crate) fn english() -> String {
    "english".into()
}

/// The default number of best moves that are re-ranked by features of their placement.
pub(crate) fn candidate_moves() -> usize {
    20
}

/// The config of a run: everything that determines its result besides the tile set and the words.
pub trait RunConfig: Serialize + DeserializeOwned {
    /// The folder in `configs` that has configs of this kind.
    const FOLDER: &str;

    /// Checks that the values are valid.
    ///
    /// # Errors
    /// The invalid value and the valid ones.
    fn check(&self) -> Result<(), String>;

    /// The fields that all configs share.
    fn basics(&mut self) -> Basics<'_>;

    /// Reads and checks a config. `origin` names it in errors.
    ///
    /// # Errors
    /// [`ConfigError`].
    fn from_toml(text: &str, origin: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text)
            .map_err(|source| ConfigError::Syntax { origin: origin.into(), source: Box::new(source) })?;
        config.check().map_err(|reason| ConfigError::Invalid { origin: origin.into(), reason })?;
        Ok(config)
    }

    /// The embedded config of this name, which is known to exist.
    fn built_in(name: &str) -> Self {
        // A test proves that the text parses.
        Self::from_toml(tilewright_configs::text(Self::FOLDER, name), name).unwrap_or_else(|error| unreachable!("{error}"))
    }

    /// The config as TOML.
    fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_else(|error| unreachable!("a config is plain data: {error}"))
    }
}

/// Checks that the value of a key is in a range.
///
/// # Errors
/// The key with its value and the range.
pub fn within<T: Copy + Debug + Display + PartialOrd>(key: &str, value: T, range: &RangeInclusive<T>) -> Result<(), String> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(format!("{key} = {}; expected {} to {}", readable(value), range.start(), range.end()))
}

/// Checks that the value of a key is above 0, and at most `most`. `what` names it in the message.
///
/// # Errors
/// The key with its value and its limits.
pub fn above_zero(key: &str, value: f64, what: &str, most: f64) -> Result<(), String> {
    if value > 0.0 && value <= most {
        return Ok(());
    }
    Err(format!("{key} = {}; expected {what} above 0, and {most} at most", readable(value)))
}

/// A number, as a power of ten if it would have more digits than anybody reads.
fn readable<T: Debug + Display>(value: T) -> String {
    let shown = value.to_string();
    if shown.len() > 25 { format!("{value:?}") } else { shown }
}
