//! The TOML files of the engine, embedded: tile sets, boards, players and weights of linear evaluators.
//!
//! ```
//! use tilewright_engine::configs;
//!
//! let names: Vec<&str> = configs::of_folder("boards").map(|config| config.name).collect();
//! assert_eq!(names, ["standard", "super"]);
//! ```

use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why a tile set or a board cannot be used.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file is not TOML, or a key is missing, unknown or of the wrong type.
    #[error("{what} {origin}: {source}")]
    Syntax { what: &'static str, origin: String, source: Box<toml::de::Error> },
    /// A value is out of range, or two values contradict each other.
    #[error("{what} {origin}: {reason}")]
    Invalid { what: &'static str, origin: String, reason: String },
    #[error("unknown {what} {name:?}; use {known}")]
    Unknown { what: &'static str, name: String, known: String },
}

/// An embedded config.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The folder.
    pub folder: &'static str,
    /// The name of the file without its ending.
    pub name: &'static str,
    /// The content, TOML.
    pub text: &'static str,
}

/// Embeds configs by folder and name. The folders lie beside the calling file, or at the given place from there.
#[doc(hidden)]
#[macro_export]
macro_rules! embedded_configs {
    ($place:literal $($folder:literal: $($name:literal)+;)+) => {
        &[$($($crate::configs::Config {
            folder: $folder,
            name: $name,
            text: include_str!(concat!($place, $folder, "/", $name, ".toml")),
        }),+),+]
    };
}

/// Every config of the engine.
pub const CONFIGS: &[Config] = embedded_configs! { "../configs/"
    "linear": "evolved" "fitted" "heuri1" "heuri2" "heuri3";
    "players": "static" "sim" "full";
    "tilesets": "english" "french" "german" "spanish" "polish" "dutch" "norwegian" "swedish" "catalan" "english_super"
        "slovene" "portuguese" "italian" "danish" "romanian" "hungarian" "czech" "slovak" "greek";
    "boards": "standard" "super";
};

/// The configs of a folder, in the order of [`CONFIGS`].
pub fn of_folder(folder: &str) -> impl Iterator<Item = &'static Config> {
    CONFIGS.iter().filter(move |config| config.folder == folder)
}

/// Makes a tile set or a board (`what`) from its TOML file. Errors name it `origin`.
pub(crate) fn read<F: DeserializeOwned, T>(
    what: &'static str,
    text: &str,
    origin: &str,
    make: impl FnOnce(F) -> Result<T, String>,
) -> Result<T, ConfigError> {
    let syntax = |source| ConfigError::Syntax { what, origin: origin.into(), source: Box::new(source) };
    let invalid = |reason| ConfigError::Invalid { what, origin: origin.into(), reason };
    make(toml::from_str(text).map_err(syntax)?).map_err(invalid)
}

/// The text of the config of a folder and a name.
pub fn text(folder: &str, name: &str) -> Option<&'static str> {
    of_folder(folder).find(|config| config.name == name).map(|config| config.text)
}
