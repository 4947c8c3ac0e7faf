//! The documents agree with the project.

use std::path::{Path, PathBuf};

use tilewright_engine::tileset::TileSet;

use crate::workplace;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

pub fn text(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn the_two_commands_are_in_the_readme_and_ci_runs_them() {
    let (readme, ci) = (text("README.md"), text(".ci/run"));
    for command in ["cargo run --release -- leaves train", "cargo test --workspace"] {
        assert!(readme.lines().any(|line| line.trim() == command), "README prints {command:?}");
        assert!(ci.contains(command), ".ci/run calls {command:?}");
    }
}

#[test]
fn ci_runs_every_example_of_the_engine() {
    let ci = text(".ci/run");
    for entry in std::fs::read_dir(root().join("engine/examples")).unwrap().flatten() {
        let path = entry.path();
        let name = path.file_stem().unwrap().to_string_lossy();
        assert!(ci.split_whitespace().any(|word| word.trim_end_matches(';') == name), "{name}");
    }
}

#[test]
fn every_verb_is_in_the_readme() {
    let (readme, help) = (text("README.md"), workplace().succeed(&["--help"]));
    let commands = help.split("Commands:").nth(1).and_then(|rest| rest.split("Options:").next()).unwrap();
    let rows = commands.lines().filter_map(|line| line.strip_prefix("  ").filter(|row| !row.starts_with(' ')));
    let verbs: Vec<&str> = rows.filter_map(|row| row.split_whitespace().next()).collect();
    assert!(verbs.len() > 10, "{help}");
    for verb in verbs.into_iter().filter(|&verb| verb != "help") {
        assert!(readme.contains(&format!("tilewright {verb}")), "{verb}");
    }
}

#[test]
fn every_tile_set_is_embedded_and_in_the_help() {
    let help = workplace().succeed(&["moves", "--help"]);
    let files = std::fs::read_dir(root().join("configs/tilesets")).unwrap().flatten();
    let names: Vec<String> = files.map(|file| file.path().file_stem().unwrap().to_string_lossy().into_owned()).collect();
    for name in &names {
        assert!(TileSet::embedded(name).is_ok(), "{name} is embedded");
        assert!(help.split([' ', ',', '\n']).any(|word| word == name), "{name} is in the help");
    }
    assert_eq!(names.len(), TileSet::embedded_names().count());
}

#[test]
fn every_config_begins_with_the_command_that_runs_it() {
    let mut folders = vec![root().join("configs")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(text.starts_with("# cargo run --release -- "), "{}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen >= 13);
}
