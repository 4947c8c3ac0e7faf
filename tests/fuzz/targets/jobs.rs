//! Jobs and queues: `work status`, `work merge` and the table of a queue read what others may have handed over. One file is changed at a
//! time. Nothing is played.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tilewright_tests::{SMALL_TILESET, files_below};

use super::commands;
use super::games_setup::forever;
use super::runs::WORDS;
use crate::process::{ERRORS, INPUT, REPORT};
use crate::target::{Outcome, Subject, headed, message, split_head};

const GAME: &str = "--tileset small.toml --lexicon small.txt --pairs 256 --quiet";
/// The tile set and the words.
const GAME_FILES: [(&str, &str); 2] = [("small.toml", SMALL_TILESET), ("small.txt", WORDS)];

fn run(words: &str) -> Outcome {
    commands::run(&words.split_whitespace().collect::<Vec<_>>())
}

/// Makes a job with one of two shards and a queue with one candidate, and returns their files by path.
fn make() -> BTreeMap<String, Vec<u8>> {
    let work = |words: String| run(&words).expect("a command that works");
    for (name, text) in GAME_FILES {
        std::fs::write(name, text).expect("a temporary folder");
    }
    if !Path::new("queue").exists() {
        work(format!("work plan --out job -- match --player-a greedy --player-b no-leaves {GAME}"));
        work("work run job --shard 0 --quiet".into());
        work(format!("work match --queue queue --player-b greedy no-leaves {GAME}"));
    }
    let mut files = BTreeMap::new();
    for folder in ["job", "queue"] {
        files.extend(files_below(Path::new(folder)).into_iter().map(|(name, bytes)| (format!("{folder}/{name}"), bytes)));
    }
    files
}

/// Puts all files in their places, and removes all others.
fn restore(files: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    for folder in ["job", "queue"] {
        let found = files_below(Path::new(folder));
        for name in found.keys().map(|name| format!("{folder}/{name}")).filter(|name| !files.contains_key(name)) {
            std::fs::remove_file(name).map_err(message)?;
        }
    }
    files.iter().try_for_each(|(name, bytes)| std::fs::write(name, bytes).map_err(message))
}

/// The head is the path of the file.
pub fn jobs() -> Subject {
    let files = forever(make());
    let names = || std::fs::read_dir(".").expect("a temporary folder").map(|entry| entry.expect("an entry").file_name());
    // The process itself writes reports and errors later.
    let beside: BTreeSet<_> = names().chain([REPORT, ERRORS, INPUT].map(Into::into)).collect();
    let texts = files.iter().filter(|(name, _)| [".json", ".toml"].iter().any(|ending| name.ends_with(ending)));
    let seeds: Vec<Vec<u8>> = texts.map(|(name, bytes)| headed(name, bytes)).collect();
    Subject::new(Vec::<Vec<u8>>::new(), move |bytes| {
        let (name, rest) = split_head(bytes)?;
        if !files.contains_key(name) {
            return Err("a file".into());
        }
        restore(files)?;
        std::fs::write(name, rest).map_err(message)?;
        let verbs: &[&str] = if name.starts_with("job/") {
            &["work status job", "work merge job --quiet"]
        } else {
            &["work match --queue queue --quiet", "work match --queue queue --quiet --work --for 0s"]
        };
        let (mut done, mut errors) = (0, String::new());
        for verb in verbs {
            match run(verb) {
                Ok(_) => done += 1,
                Err(reason) => errors += &reason,
            }
        }
        assert!(names().all(|name| beside.contains(&name)), "a file was written beside the folders");
        if errors.is_empty() { Ok(done) } else { Err(errors) }
    })
    .with_more(seeds)
    .with_fragments(&[
        "\"folder\": \"../",
        "\"file\": \"/",
        "\"shards\": [",
        "\"is_finished\": true",
        "stdio:",
        "tcp:",
        "\"run\": {\"",
    ])
}
