//! Files, folders and studies to which documents, configs and comments refer exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::documents::{root, text};

/// Folders that are written by commands and ignored by git.
const GENERATED: [&str; 2] = ["lexicons/built", "runs"];

/// The paths of all files of the project, from the root.
pub fn files() -> BTreeSet<String> {
    let root = root();
    let mut files = BTreeSet::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
            if !path.is_dir() {
                files.insert(name);
            } else if !GENERATED.contains(&name.as_str()) && name != "target" && name != ".git" {
                folders.push(path);
            }
        }
    }
    files
}

/// The extension of a file name.
pub fn extension(name: &str) -> &str {
    Path::new(name).extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// The prose of a file: the whole text of a document, and the comments of sources and configs. The changelog has none,
/// because it names files that are gone.
pub fn prose(name: &str) -> Option<String> {
    let comment = match extension(name) {
        _ if name == "CHANGELOG.md" => return None,
        "md" => "",
        "rs" => "//",
        "toml" => "#",
        _ => return None,
    };
    Some(text(name).lines().filter(|line| line.trim_start().starts_with(comment)).collect::<Vec<_>>().join("\n"))
}

/// The words of a text that may be paths, without the punctuation around them.
fn words(prose: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._-/*{}:".contains(c);
    prose
        .split(move |c| !is_part(c))
        .map(|word| word.trim_matches(':').trim_end_matches(['.', '/']).trim_start_matches("../"))
}

/// Whether a word is a pattern with a placeholder: `configs/td/NAME.toml`, `games-*.parquet`.
fn is_pattern(word: &str) -> bool {
    let capitals = |part: &str| part.chars().all(|c| c.is_ascii_uppercase()) && part != "README";
    word.contains(['*', '{', '}', ':']) || word.split(['/', '.', '-']).any(|part| !part.is_empty() && capitals(part))
}

#[test]
fn every_path_in_prose_exists() {
    let files = files();
    let top: BTreeSet<&str> = files.iter().filter_map(|file| file.split_once('/').map(|(folder, _)| folder)).collect();
    let mut missing = Vec::new();
    let mut checked = 0;
    for (name, prose) in files.iter().filter_map(|name| prose(name).map(|prose| (name, prose))) {
        for word in words(&prose).filter(|word| !is_pattern(word)) {
            let below_top = word.split_once('/').is_some_and(|(folder, _)| top.contains(folder));
            let known = if below_top {
                GENERATED.iter().any(|folder| word.starts_with(folder)) || root().join(word).exists()
            } else if extension(word) == "rs" {
                files.iter().any(|file| file.strip_suffix(word).is_some_and(|rest| rest.ends_with('/')))
            } else {
                continue;
            };
            checked += 1;
            if !known {
                missing.push(format!("{name} names {word}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(checked > 50, "{checked} paths found");
}

/// The anchor of a heading, as renderers of Markdown name it.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    text.chars().filter(|&c| c.is_alphanumeric() || "-_".contains(c)).collect()
}

#[test]
fn every_link_of_a_document_has_a_target() {
    for name in files().iter().filter(|name| extension(name) == "md") {
        let document = text(name);
        let folder = root().join(name).parent().map(PathBuf::from).unwrap();
        for target in document.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path =
                folder.join(if file.is_empty() { Path::new(name).file_name().unwrap().to_str().unwrap() } else { file });
            assert!(target.contains("://") || path.exists(), "{name} links to {target}");
            if !heading.is_empty() && !target.contains("://") {
                let page = std::fs::read_to_string(path).unwrap();
                let mut headings = page.lines().filter(|line| line.starts_with('#')).map(anchor);
                assert!(headings.any(|own| own == heading), "{name} links to {target}");
            }
        }
    }
}

/// A package holds the files of its own folder alone, so a crate that embeds others cannot be packaged.
#[test]
fn every_embedded_file_lies_in_its_crate() {
    let mut checked = 0;
    for name in files().iter().filter(|name| extension(name) == "rs" && !name.starts_with("tests/")) {
        let (code, above) = (text(name), name.split('/').count() - 2);
        for embedded in code.split("include_").skip(1) {
            let call = embedded.split_once("!(\"").filter(|(kind, _)| ["str", "bytes"].contains(kind));
            let Some(file) = call.and_then(|(_, rest)| rest.split('"').next()) else { continue };
            assert!(file.matches("../").count() <= above, "{name} embeds {file}");
            checked += 1;
        }
    }
    assert!(checked > 10, "{checked} files are embedded");
}

/// The numbers that follow `before` in a text.
fn numbers_after(text: &str, before: &str) -> Vec<usize> {
    let number = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok();
    text.split(before).skip(1).filter_map(number).collect()
}

#[test]
fn every_study_has_its_parts_and_a_row_in_the_index() {
    let folder = "experiments/studies";
    let index = text(&format!("{folder}/README.md"));
    let files = files();
    let studies: Vec<&str> = files
        .iter()
        .filter_map(|file| file.strip_prefix(folder)?.strip_prefix('/'))
        .filter(|file| extension(file) == "md" && *file != "README.md")
        .collect();
    for (file, number) in studies.iter().zip(1..) {
        assert!(file.starts_with(&format!("{number:02}-")), "{file} is study {number}");
        let study = text(&format!("{folder}/{file}"));
        assert!(study.starts_with(&format!("# Study {number}: ")), "{file} begins with its number");
        for part in ["Question", "Method", "Result", "Verdict"] {
            assert_eq!(study.matches(&format!("\n## {part}\n")).count(), 1, "{file}: {part}");
        }
        let row = format!("| [{number}]({file}) | ");
        let rows: Vec<&str> = index.lines().filter(|line| line.starts_with(&row)).collect();
        assert_eq!(rows.len(), 1, "the index has one row for {file}");
        let cells: Vec<&str> = rows[0].trim_matches('|').split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), 6, "question, outcome, figure, pairs and successor of {file}");
        assert!(["gain", "none", "loss", "answer"].contains(&cells[2]), "the outcome of {file} is {}", cells[2]);
    }
    assert_eq!(index.matches("\n| [").count(), studies.len());
    for (name, prose) in files.iter().filter_map(|name| prose(name).map(|prose| (name, prose))) {
        for number in ["study ", "Study ", "studies "].iter().flat_map(|before| numbers_after(&prose, before)) {
            assert!((1..=studies.len()).contains(&number), "{name} names study {number}");
        }
    }
}

#[test]
fn each_line_of_what_a_stranger_can_do_has_a_test() {
    let security = text("SECURITY.md");
    let table = security.split("## ").find(|section| section.starts_with("What a stranger can do")).unwrap();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
    let sources: Vec<String> = files().iter().filter(|name| extension(name) == "rs").map(|name| text(name)).collect();
    assert!(rows.len() > 20, "{}", rows.len());
    for row in rows {
        let named = row.rsplit('|').nth(1).unwrap().trim().trim_matches('`');
        let test = format!("#[test]\nfn {named}() {{");
        let is_there = |source: &String| source.replace("    ", "").replace("#[cfg(unix)]\n", "").contains(&test);
        assert!(sources.iter().any(is_there), "{named} is no test: {row}");
    }
}

#[test]
fn workflows_name_the_commits_of_what_they_use() {
    for name in files().iter().filter(|name| name.starts_with(".github/workflows/")) {
        for line in text(name).lines().filter(|line| line.contains("uses:")) {
            let commit = line.split('@').nth(1).unwrap_or_default().split_whitespace().next().unwrap_or_default();
            assert!(commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}: {line}");
        }
    }
}
