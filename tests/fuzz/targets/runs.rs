//! Run folders: `report` and `export` read what other commands wrote. One file of a folder is changed at a time, and its checksum is made
//! right again.

use std::collections::BTreeMap;
use std::path::Path;

use tilewright_engine::artefact::{MANIFEST, Manifest};
use tilewright_engine::hash::sha256;
use tilewright_tests::{SMALL_TILESET, files_below};

use super::games_setup::forever;
use super::{commands, journal};
use crate::target::{Outcome, Subject, headed, message, split_head};

pub const WORDS: &str = "AD\nAN\nAND\nANTE\nARE\nAS\nAT\nDATE\nDEAN\nEAR\nEAT\nEN\nEND\nENTER\nES\nNEAR\nNET\nRATE\nREAD\nRED\nSAD\nSEA\nSEAT\nSET\nTEA\nTEN\nTREE\nZED\n";

const TD: &str = "seed = 1\nlexicon = \"small.txt\"\ntileset = \"small.toml\"\ntarget = \"points\"\nlambda = 0.5\nrate = 0.01\nrate_games = 100\ngames = 20\nbatch_games = 10\n";

const EVOLVE: &str = r#"
seed = 1
lexicon = "small.txt"
tileset = "small.toml"
baseline = "greedy"
method = "cma-es"
population = 4
generations = 2
pairs = 2
fitness = "spread"
race = false
sigma = 0.5
restarts = 0
final_pairs = 2
[fixed]
score = 1.0
[weights]
blanks_kept = { start = 0.0, scale = 10.0, min = -60.0, max = 60.0 }
tiles_played = { start = 5.0, scale = 10.0, min = -60.0, max = 60.0 }
[promotion]
against = "greedy"
h0 = 1.0
h1 = 2.0
error_rate = 0.05
pairs = 4
seed = 9
"#;

/// The commands that make the folders; the folder is the last word.
const COMMANDS: [&str; 5] = [
    "match --player-a greedy --player-b no-leaves --pairs 4 --tileset small.toml --lexicon small.txt --quiet --out match",
    "match --players greedy no-leaves greedy+endgame --pairs 3 --tileset small.toml --lexicon small.txt --quiet --out robin",
    "selfplay --games 4 --player greedy --tileset small.toml --lexicon small.txt --quiet --out records",
    "td td.toml --quiet --out td",
    "evolve evolve.toml --quiet --out evolve",
];

fn run(words: &str) -> Outcome {
    commands::run(&words.split(' ').collect::<Vec<_>>())
}

/// Makes the folders in the current one, and returns their files by path.
fn make() -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for (name, text) in [("small.toml", SMALL_TILESET), ("small.txt", WORDS), ("td.toml", TD), ("evolve.toml", EVOLVE)] {
        std::fs::write(name, text).expect("a temporary folder");
    }
    for command in COMMANDS {
        let folder = command.rsplit(' ').next().unwrap_or_default();
        if !Path::new(folder).join("work").exists() {
            run(command).expect("a command that works");
        }
        files.extend(files_below(Path::new(folder)).into_iter().map(|(name, bytes)| (format!("{folder}/{name}"), bytes)));
    }
    // Nothing reads pages and locks.
    files.retain(|name, bytes| !name.contains(".html") && !bytes.is_empty());
    files
}

/// The manifest of the folder with the checksum of a changed payload; `None` if it does not name the file.
fn manifest(files: &BTreeMap<String, Vec<u8>>, name: &str, content: &[u8]) -> Option<(String, Vec<u8>)> {
    let (folder, payload) = name.split_once('/')?;
    let file = format!("{folder}/{MANIFEST}");
    let mut manifest: Manifest = serde_json::from_slice(files.get(&file)?).ok()?;
    *manifest.files.get_mut(payload)? = sha256(content);
    manifest.checksum.clear();
    Some((file, serde_json::to_vec(&manifest).ok()?))
}

/// Runs both commands on a folder.
fn read(folder: &str) -> Outcome {
    let (mut done, mut errors) = (0, String::new());
    for command in [format!("report {folder} --quiet --out page.html"), format!("export {folder} --quiet --out dataset")] {
        let _ = std::fs::remove_file("page.html");
        let _ = std::fs::remove_dir_all("dataset");
        match run(&command) {
            Ok(_) => done += 1,
            Err(reason) => errors += &reason,
        }
    }
    let page = std::fs::metadata("page.html").map_or(0, |file| file.len() as usize);
    if errors.is_empty() { Ok(page / 100 + done) } else { Err(errors) }
}

/// The head is the path of the file.
pub fn runs() -> Subject {
    let files = forever(make());
    let seeds: Vec<Vec<u8>> = files.iter().map(|(name, bytes)| headed(name, bytes)).collect();
    Subject::new(Vec::<Vec<u8>>::new(), move |bytes| {
        let (name, rest) = split_head(bytes)?;
        let folder = name.split('/').next().unwrap_or_default();
        if !files.contains_key(name) {
            return Err("a file".into());
        }
        let manifest = manifest(files, name, rest);
        std::fs::write(name, rest).map_err(message)?;
        if let Some((file, bytes)) = &manifest {
            std::fs::write(file, bytes).map_err(message)?;
        }
        let outcome = read(folder);
        std::fs::write(name, &files[name]).map_err(message)?;
        if let Some((file, _)) = &manifest {
            std::fs::write(file, &files[file]).map_err(message)?;
        }
        outcome
    })
    .with_more(seeds)
    .with_seal(|input| {
        let head = input.split(|&byte| byte == b'\n').next().unwrap_or_default();
        if head.windows(6).any(|window| window == b"/work/") {
            journal::seal(input);
        }
    })
}
