//! The configs that Tilewright embeds: every TOML file below this folder, by its folder and its name without the ending.
//!
//! To add a config, add its name to the list `OWN`. This crate holds only texts. The code that uses a config reads and checks it.

pub use tilewright_engine::configs::Config;

/// The configs of this folder.
const OWN: &[Config] = tilewright_engine::embedded_configs! { ""
    "leaves": "default" "enable2k" "six-generations" "yawl";
    "linear-fit": "default";
    "networks": "small" "enable2k";
    "evolve": "quick" "full" "from-fitted" "network-output" "six-features" "six-features-long" "barbicels";
    "td": "greedy" "exploring" "least-squares" "least-squares-exploring" "features" "win-probability" "network" "network-from-nothing";
    "win-percentage": "default" "enable2k";
    "matches": "pool" "static";
    "studies": "no-leaves" "self-play-games" "unseen-tiles" "late-game" "generations" "win-tables" "search-players" "evolved-weights" "td-exploration" "td-features" "sequential-null" "linear-fit" "small-network" "embedded-network" "endgames" "spanish-table" "polish-table" "ladder";
    "studies/papers": "maven-games" "maven-turns" "maven-tiles-held" "maven-plays" "maven-tile-values" "maven-synergies" "maven-iterations" "maven-simulations" "maven-openings" "maven-endgames" "maven-leaves" "larger-list" "quackle-leaves" "quackle-stages" "heuri-engines" "heuri-spanish" "heuri-french" "barbicels-greedy" "barbicels-evolved" "mathieu-candidates" "mathieu-plies" "mathieu-iterations" "mathieu-no-leaves" "mathieu-game-state";
};

/// Every config. The configs of the engine come last.
pub fn all() -> impl Iterator<Item = &'static Config> {
    OWN.iter().chain(tilewright_engine::configs::CONFIGS)
}

/// The configs of a folder, in the order of [`all`].
pub fn of_folder(folder: &str) -> impl Iterator<Item = &'static Config> {
    all().filter(move |config| config.folder == folder)
}

/// The text of a config of this folder that is known to exist. In a constant, a wrong name is an error of the build.
///
/// # Panics
/// If there is no such config.
pub const fn text(folder: &str, name: &str) -> &'static str {
    let mut at = 0;
    while at < OWN.len() {
        if equal(OWN[at].folder, folder) && equal(OWN[at].name, name) {
            return OWN[at].text;
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
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        for root in [own, &own.join("../engine/configs")] {
            let mut places: Vec<PathBuf> = entries(root).into_iter().filter(|path| path.is_dir()).collect();
            while let Some(place) = places.pop() {
                if place.is_dir() {
                    places.extend(entries(&place));
                } else {
                    files.insert(place.strip_prefix(root).unwrap().with_extension(""));
                }
            }
        }
        let embedded: BTreeSet<_> = all().map(|config| [config.folder, config.name].iter().collect()).collect();
        assert_eq!(files, embedded);
    }

    #[test]
    fn texts_are_found_by_folder_and_name() {
        for config in OWN {
            assert_eq!(text(config.folder, config.name), config.text);
            assert!(of_folder(config.folder).any(|one| one == config));
        }
        assert!(std::panic::catch_unwind(|| text("leaves", "defaul")).is_err());
    }
}
