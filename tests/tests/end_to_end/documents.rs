//! What the documents say is what the project does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

pub fn text(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn the_two_commands_stand_in_the_readme_and_ci_runs_them() {
    let (readme, ci) = (text("README.md"), text(".ci/run"));
    for command in ["cargo run --release -- leaves train", "cargo test --workspace"] {
        assert!(readme.lines().any(|line| line.trim() == command), "README prints {command:?}");
        assert!(ci.contains(command), ".ci/run calls {command:?}");
    }
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

/// The modules that a crate's `lib.rs` declares, in order.
fn modules(library: &str) -> Vec<String> {
    let declared = |line: &str| {
        line.trim_start_matches("pub ").strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';').map(str::to_string))
    };
    library.lines().filter_map(declared).collect()
}

fn sources(folder: &Path, module: &str, found: &mut Vec<PathBuf>) {
    let file = folder.join(format!("{module}.rs"));
    found.push(file);
    let mut folders = vec![folder.join(module)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            // Tests may use everything.
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("tests.rs") {
                found.push(path);
            }
        }
    }
}

#[test]
fn modules_use_only_what_stands_above_them() {
    for name in ["engine", "train"] {
        let folder = root().join(name).join("src");
        let order = modules(&std::fs::read_to_string(folder.join("lib.rs")).unwrap());
        let place: BTreeMap<&str, usize> =
            order.iter().enumerate().map(|(place, module)| (module.as_str(), place)).collect();
        assert!(order.len() >= 3, "{order:?}");
        for (at, module) in order.iter().enumerate() {
            let mut files = Vec::new();
            sources(&folder, module, &mut files);
            for file in files {
                let source = std::fs::read_to_string(&file).unwrap();
                let code = source.split("#[cfg(test)]").next().unwrap_or_default();
                for used in code.split("crate::").skip(1) {
                    let used: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    let below = place.get(used.as_str()).is_some_and(|&place| place > at);
                    assert!(!below, "{} uses {used}, which stands below {module} in lib.rs", file.display());
                }
            }
        }
    }
}
