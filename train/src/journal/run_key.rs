//! The key of a run.

use serde::{Deserialize, Serialize};
use tilewright_engine::artefact::{Origin, stated_code_version};
use tilewright_engine::hash::sha256;
use tilewright_engine::setup::Setup;

/// The number of digits of a short hash.
const SHORT: usize = 6;

/// Everything that the result of a run depends on: its kind, its config, the hashes of its inputs, and the build of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunKey {
    /// The kind of the run.
    pub kind: String,
    /// The config, as TOML.
    pub config: String,
    /// Names and identities of the inputs.
    pub inputs: Vec<(String, String)>,
    /// The builds that worked on the run, the latest last.
    pub builds: Vec<String>,
}

impl RunKey {
    /// The key of a run of this kind with a config, in TOML, by this build of the program.
    pub fn new(kind: &str, config: impl Into<String>) -> RunKey {
        RunKey { kind: kind.into(), config: config.into(), inputs: Vec::new(), builds: vec![stated_code_version()] }
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

    /// The key of the same run by another build.
    #[cfg(test)]
    pub(super) fn by(self, build: &str) -> RunKey {
        RunKey { builds: vec![build.into()], ..self }
    }

    /// The latest build.
    pub(super) fn build(&self) -> &str {
        self.builds.last().map_or("", String::as_str)
    }

    /// The same key for a run that earlier builds began.
    pub(super) fn after(&self, earlier: &RunKey) -> RunKey {
        let before = earlier.builds.iter().filter(|build| !self.builds.contains(build));
        RunKey { builds: before.chain(&self.builds).cloned().collect(), ..self.clone() }
    }

    /// The origin of an artefact that the run makes.
    pub fn origin(&self, feature_set: impl Into<String>, seed: u64) -> Origin {
        let (run, builds, config) = (self.kind.clone(), self.builds.clone(), self.config.clone());
        Origin { feature_set: feature_set.into(), seed, run, builds, config }
    }

    /// The first digits of the hash, which tell the default folders of different runs apart.
    pub fn short_hash(&self) -> String {
        self.hash()[..SHORT].into()
    }

    /// The hash of kind, config and inputs (SHA-256 in hexadecimal), which names the run for every build.
    pub fn hash(&self) -> String {
        let inputs = self.inputs.iter().map(|(name, identity)| format!("{name}\n{identity}\n")).collect::<String>();
        sha256(format!("{}\n{inputs}{}", self.kind, self.config).as_bytes())
    }

    /// The hashes of the run as each of its builds makes it, the latest last. Work files have the hash of their build.
    pub(super) fn hashes(&self) -> Vec<String> {
        let hash = self.hash();
        self.builds.iter().map(|build| sha256(format!("{hash} {build}").as_bytes())).collect()
    }

    /// The first difference from another key, by name and in words, whatever the builds, or `None` if the keys are equal.
    pub fn difference(&self, other: &RunKey) -> Option<(String, String)> {
        if self.kind != other.kind {
            return Some(("kind".into(), format!("there {}, here {}", self.kind, other.kind)));
        }
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
        first.or_else(|| (self.inputs != other.inputs).then(order))
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
            RunKey::new("test", config).with_input("games", games).with_input("table", table)
        };
        let own = key("seed = 1", "a", "b");
        assert_eq!(own.hash(), key("seed = 1", "a", "b").hash());
        for other in [key("seed = 2", "a", "b"), key("seed = 1", "c", "b"), key("seed = 1", "a", "c")] {
            assert_ne!(own.hash(), other.hash(), "{other:?}");
            assert!(own.difference(&other).is_some(), "{other:?}");
        }
    }
}
