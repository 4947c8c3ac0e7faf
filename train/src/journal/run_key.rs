//! The key of a run.

use serde::{Deserialize, Serialize};
use tilewright_engine::hash::sha256;
use tilewright_engine::setup::Setup;

/// The number of digits of a short hash.
const SHORT: usize = 6;

/// Everything that the result of a run depends on: its config, and the hashes of its inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunKey {
    config: String,
    /// Names and identities of the inputs.
    inputs: Vec<(String, String)>,
}

impl RunKey {
    /// The key of a run with a config, in TOML, by this version of the program.
    pub fn new(config: impl Into<String>) -> RunKey {
        RunKey { config: config.into(), inputs: Vec::new() }.with_input("program version", env!("CARGO_PKG_VERSION"))
    }

    /// Adds an input: its name, such as `player A`, and the identity of its content, usually a hash.
    #[must_use]
    pub fn with_input(mut self, name: &str, identity: impl Into<String>) -> RunKey {
        self.inputs.push((name.into(), identity.into()));
        self
    }

    /// Adds the tile set, the board and the words of a setup.
    #[must_use]
    pub fn with_setup(self, setup: &Setup) -> RunKey {
        let tileset = format!("{} {}", setup.tileset.name(), setup.rules_hash());
        self.with_input("tile set", tileset).with_input("lexicon", format!("{} {}", setup.lexicon.name, setup.lexicon.hash))
    }

    /// The config, as TOML.
    pub fn config(&self) -> &str {
        &self.config
    }

    /// The names and identities of the inputs.
    pub fn inputs(&self) -> &[(String, String)] {
        &self.inputs
    }

    /// The first digits of the hash, which tell the default folders of different runs apart.
    pub fn short_hash(&self) -> String {
        self.hash()[..SHORT].into()
    }

    /// The hash of all of it (SHA-256 in hexadecimal), which names the run.
    pub fn hash(&self) -> String {
        let inputs = self.inputs.iter().map(|(name, identity)| format!("{name}\n{identity}\n")).collect::<String>();
        sha256(format!("{inputs}{}", self.config).as_bytes())
    }

    /// The first thing that differs in another key, and how; `None` if the keys are equal.
    pub fn difference(&self, other: &RunKey) -> Option<(String, String)> {
        if self.config != other.config {
            return Some(("config".into(), difference_of_configs(&self.config, &other.config)));
        }
        let names = self.inputs.iter().chain(&other.inputs).map(|(name, _)| name);
        let input = |key: &RunKey, name: &str| {
            let found = key.inputs.iter().find(|(own, _)| own == name);
            found.map_or("none", |(_, identity)| identity.as_str()).to_string()
        };
        let differs = |name: &&String| input(self, name) != input(other, name);
        let order = || ("order of inputs".to_string(), "the inputs are the same".to_string());
        let first = names
            .clone()
            .find(differs)
            .map(|name| (name.clone(), format!("there {}, here {}", input(self, name), input(other, name))));
        first.or_else(|| (self != other).then(order))
    }
}

/// The first line that differs between two configs.
pub(super) fn difference_of_configs(own: &str, wanted: &str) -> String {
    let lines = own.lines().count().max(wanted.lines().count());
    let line = |text: &str, number: usize| text.lines().nth(number).unwrap_or("nothing").to_string();
    let pairs = (0..lines).map(|number| (line(own, number), line(wanted, number)));
    let first = pairs.into_iter().find(|(own, wanted)| own != wanted);
    first.map_or_else(|| "only the line endings differ".into(), |(own, wanted)| format!("there {own}, here {wanted}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_depends_on_the_config_and_on_every_input() {
        let key = |config: &str, games: &str, table: &str| {
            RunKey::new(config).with_input("games", games).with_input("table", table)
        };
        let own = key("seed = 1", "a", "b");
        assert_eq!(own.hash(), key("seed = 1", "a", "b").hash());
        for other in [key("seed = 2", "a", "b"), key("seed = 1", "c", "b"), key("seed = 1", "a", "c")] {
            assert_ne!(own.hash(), other.hash(), "{other:?}");
            assert!(own.difference(&other).is_some(), "{other:?}");
        }
    }
}
