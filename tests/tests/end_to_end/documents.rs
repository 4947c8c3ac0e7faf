//! The documents agree with the project.

use std::path::{Path, PathBuf};

use tilewright_engine::tileset::TileSet;

use crate::references::{extension, files};
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
    // The first runs by the build of the tests there, on a small budget, because a release build takes minutes.
    let commands = [("cargo run --release -- ", "leaves train"), ("", "cargo test --workspace")];
    for (release, command) in commands {
        assert!(readme.lines().any(|line| line.trim() == format!("{release}{command}")), "README prints {command:?}");
        assert!(ci.lines().any(|line| line.contains(command)), ".ci/run calls {command:?}");
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
fn the_readme_is_short_and_the_book_has_every_page() {
    assert!(text("README.md").lines().count() <= 150);
    let (summary, pages) = (text("docs/SUMMARY.md"), book());
    assert!(pages.len() > 15, "{pages:?}");
    for page in pages.iter().filter_map(|page| page.strip_prefix("docs/")).filter(|&page| page != "SUMMARY.md") {
        assert!(summary.contains(&format!("]({page})")), "{page} is not in docs/SUMMARY.md");
    }
}

#[test]
fn every_tile_set_is_embedded_and_in_the_help() {
    let help = workplace().succeed(&["moves", "--help"]);
    let files = std::fs::read_dir(root().join("engine/configs/tilesets")).unwrap().flatten();
    let names: Vec<String> = files.map(|file| file.path().file_stem().unwrap().to_string_lossy().into_owned()).collect();
    for name in &names {
        assert!(TileSet::embedded(name).is_ok(), "{name} is embedded");
        assert!(help.split([' ', ',', '\n']).any(|word| word == name), "{name} is in the help");
    }
    assert_eq!(names.len(), TileSet::embedded_names().count());
}

#[test]
fn every_config_begins_with_the_command_that_runs_it() {
    let entries = std::fs::read_dir(root().join("configs")).unwrap().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                // The results of studies hash the texts of their configs, which name a program that is built first.
                let starts = ["# tilewright ", "# cargo run --release -- experiment run "];
                assert!(starts.iter().any(|start| text.starts_with(start)), "{}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen >= 13);
}

/// The pages of the book.
fn book() -> Vec<String> {
    files().into_iter().filter(|name| name.starts_with("docs/") && extension(name) == "md").collect()
}

/// The blocks of README and the book that show a command with its output.
fn printed_blocks() -> Vec<String> {
    let pages = ["README.md".into()].into_iter().chain(book()).filter(|name| name != "docs/architecture.md");
    let blocks = |page: String| {
        let page = text(&page);
        page.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next()).map(str::to_string).collect::<Vec<_>>()
    };
    let blocks: Vec<String> = pages.flat_map(blocks).collect();
    assert!(blocks.len() > 8);
    blocks
}

/// Whether the lines of `part` come in `whole` in this order; a line `…` stands for any lines.
fn holds(whole: &str, part: &str) -> Result<(), String> {
    let mut rest = whole.lines().map(str::trim_end).peekable();
    let mut may_skip = true;
    for line in part.lines().map(str::trim_end) {
        if line == "…" {
            may_skip = true;
            continue;
        }
        let found = if may_skip { rest.any(|own| own == line) } else { rest.next() == Some(line) };
        if !found {
            return Err(line.into());
        }
        may_skip = false;
    }
    Ok(())
}

/// `experiments/readme/make` stores what the commands print; their output in README and the book is part of that.
#[test]
fn the_pages_print_the_output_of_the_commands() {
    let folder = root().join("experiments/readme");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "txt"));
    let stored: Vec<String> = files.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let mut used = vec![false; stored.len()];
    // A block may have several commands, each with its output; the first one of README leaves its command out.
    let shown = printed_blocks().into_iter().filter(|block| !block.starts_with('→')).flat_map(|block| {
        let block = if block.starts_with("$ ") { block } else { format!("$ tilewright leaves train\n…\n{block}") };
        block.split("$ ").skip(1).map(|command| format!("$ {command}")).collect::<Vec<_>>()
    });
    for shown in shown {
        let typed = shown.lines().next();
        let own = stored.iter().position(|output| output.lines().next() == typed);
        let own = own.unwrap_or_else(|| panic!("no file of experiments/readme begins with {typed:?}"));
        used[own] = true;
        if let Err(line) = holds(&stored[own], &shown) {
            panic!("{typed:?}: a page has a line that the command does not print there:\n{line}");
        }
    }
    assert!(used.iter().all(|&used| used), "experiments/readme has a file that no page prints");
}

/// Of the stored outputs, those of seconds whose figures are whole numbers inside are made again. Speeds depend on the machine.
#[test]
fn stored_outputs_are_those_of_today() {
    for name in ["moves.txt", "match.txt"] {
        let stored = text(&format!("experiments/readme/{name}"));
        let command = stored.lines().next().and_then(|line| line.strip_prefix("$ tilewright ")).unwrap();
        let printed = workplace().succeed(&command.split(' ').chain(["--quiet"]).collect::<Vec<_>>());
        let figures =
            |text: &str| -> Vec<String> { text.lines().filter(|line| !line.contains("CPU")).map(str::to_string).collect() };
        assert_eq!(figures(&printed), figures(stored.split_once('\n').unwrap().1), "{name}");
    }
}

#[test]
fn the_protocol_of_the_book_has_the_keys_of_the_messages() {
    let blocks = printed_blocks();
    let block = blocks.iter().find(|block| block.starts_with('→')).unwrap();
    let source = text("engine/src/player/external/message.rs");
    let keys: Vec<&str> = block
        .split('"')
        .skip(1)
        .step_by(2)
        .zip(block.split('"').skip(2).step_by(2))
        .filter(|(_, after)| after.starts_with(':'))
        .map(|(key, _)| key)
        .collect();
    assert!(keys.len() > 25, "{keys:?}");
    for key in keys.iter().filter(|&&key| key != "type") {
        let is_field = [format!("pub {key}:"), format!("{key}:"), format!("rename = \"{key}\"")];
        assert!(is_field.iter().any(|form| source.contains(form.as_str())), "{key} is no key of a message");
    }
}
