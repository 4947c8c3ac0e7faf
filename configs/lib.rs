//! The configs that Tilewright embeds: every TOML file below this folder, by its folder and its name without the ending.
//!
//! To add a config, add its name to [`CONFIGS`]. This crate holds only texts. The code that uses a config reads and checks it.

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

/// Lists configs by folder and name.
macro_rules! configs {
    ($($folder:literal: $($name:literal)+;)+) => {
        &[$($(Config {
            folder: $folder,
            name: $name,
            text: include_str!(concat!($folder, "/", $name, ".toml")),
        }),+),+]
    };
}

/// Every config.
pub const CONFIGS: &[Config] = configs! {
    "leaves": "default" "enable2k" "six-generations" "yawl";
    "linear-fit": "default";
    "networks": "small" "enable2k";
    "evolve": "full" "from-fitted" "network-output" "six-features" "six-features-long" "barbicels";
    "td": "greedy" "exploring" "least-squares" "least-squares-exploring" "features" "win-probability" "network" "network-from-nothing";
    "win-percentage": "default" "enable2k";
    "matches": "pool" "static";
    "studies": "no-leaves" "self-play-games" "unseen-tiles" "late-game" "generations" "win-tables" "search-players" "evolved-weights" "td-exploration" "td-features" "sequential-null" "linear-fit" "small-network" "embedded-network" "endgames" "spanish-table" "polish-table" "ladder";
    "studies/papers": "maven-games" "maven-turns" "maven-tiles-held" "maven-plays" "maven-tile-values" "maven-synergies" "maven-iterations" "maven-simulations" "maven-openings" "maven-endgames" "quackle-leaves" "quackle-stages" "heuri-engines" "heuri-spanish" "heuri-french" "barbicels-greedy" "barbicels-evolved" "mathieu-candidates" "mathieu-plies" "mathieu-iterations" "mathieu-no-leaves" "mathieu-game-state";
    "linear": "evolved" "fitted" "heuri1" "heuri2" "heuri3";
    "players": "static" "sim" "full";
    "tilesets": "english" "french" "german" "spanish" "polish" "dutch" "norwegian" "swedish" "catalan" "english_super";
    "boards": "standard" "super";
};

/// The configs of a folder, in the order of [`CONFIGS`].
pub fn of_folder(folder: &str) -> impl Iterator<Item = &'static Config> {
    CONFIGS.iter().filter(move |config| config.folder == folder)
}

/// The text of a config that is known to exist. In a constant, a wrong name is an error of the build.
///
/// # Panics
/// If there is no such config.
pub const fn text(folder: &str, name: &str) -> &'static str {
    let mut at = 0;
    while at < CONFIGS.len() {
        if equal(CONFIGS[at].folder, folder) && equal(CONFIGS[at].name, name) {
            return CONFIGS[at].text;
        }
        at += 1;
    }
    panic!("there is no config of this folder and name");
}

const fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::*;

    #[test]
    fn every_file_is_embedded() {
        let mut files = BTreeSet::new();
        let entries =
            |folder: &Path| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut places: Vec<PathBuf> = entries(root).into_iter().filter(|path| path.is_dir()).collect();
        while let Some(place) = places.pop() {
            if place.is_dir() {
                places.extend(entries(&place));
            } else {
                files.insert(place.strip_prefix(root).unwrap().with_extension(""));
            }
        }
        let embedded: BTreeSet<_> = CONFIGS.iter().map(|config| [config.folder, config.name].iter().collect()).collect();
        assert_eq!(files, embedded);
    }

    #[test]
    fn texts_are_found_by_folder_and_name() {
        for config in CONFIGS {
            assert_eq!(text(config.folder, config.name), config.text);
            assert!(of_folder(config.folder).any(|one| one == config));
        }
        assert!(std::panic::catch_unwind(|| text("leaves", "defaul")).is_err());
    }
}
