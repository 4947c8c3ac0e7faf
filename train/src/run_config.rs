//! Configs of runs, as TOML: read, checked, and written as they were run.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// A config that cannot be run.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// Not TOML of the expected form.
    #[error("config {origin}: {source}")]
    Syntax {
        /// The file.
        origin: String,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// A value that makes no sense.
    #[error("config {origin}: {reason}")]
    Invalid {
        /// The file.
        origin: String,
        /// What is wrong and what would be right.
        reason: String,
    },
}

/// What every run is asked for.
#[derive(Debug)]
pub struct Basics<'a> {
    /// The lexicon, as on the command line; empty for the one that comes with the tile set.
    pub lexicon: &'a mut String,
    /// The tile set, as on the command line.
    pub tileset: &'a mut String,
    /// Every random draw comes from it.
    pub seed: &'a mut u64,
}

/// What a run does; everything that its result depends on beside the tile set and the words.
pub trait RunConfig: Serialize + DeserializeOwned {
    /// Whether it can be run, and what is wrong if not.
    ///
    /// # Errors
    /// What is wrong, and what would be right.
    fn check(&self) -> Result<(), String>;

    /// What it shares with others.
    fn basics(&mut self) -> Basics<'_>;

    /// Reads and checks a config; `origin` names it in errors.
    ///
    /// # Errors
    /// [`ConfigError`].
    fn from_toml(text: &str, origin: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text)
            .map_err(|source| ConfigError::Syntax { origin: origin.into(), source: Box::new(source) })?;
        config.check().map_err(|reason| ConfigError::Invalid { origin: origin.into(), reason })?;
        Ok(config)
    }

    /// The config as TOML.
    fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_else(|error| unreachable!("a config is plain data: {error}"))
    }
}
