//! Files that only commands read. The commands run in this process, whose standard output nobody sees.

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use tempfile::TempDir;

use super::rules::configs;
use crate::process::ERRORS;
use crate::target::{Outcome, Subject, joined, message, split_files, text};

/// Runs a command. It works, or it refuses its input with a message; another exit code is a fault of the program.
pub fn run(words: &[&str]) -> Outcome {
    let code = tilewright::run(["tilewright"].iter().chain(words).copied());
    let errors = std::fs::read(ERRORS).unwrap_or_default();
    let _ = File::options().write(true).open(ERRORS).and_then(|file| file.set_len(0));
    let errors = text(&errors);
    assert!([0, 2].map(ExitCode::from).contains(&code), "{words:?} ended with {code:?}: {errors}");
    if code == ExitCode::SUCCESS { Ok(1) } else { Err(errors) }
}

fn folder() -> (TempDir, impl Fn(&str, &[u8]) -> Result<String, String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place: PathBuf = folder.path().into();
    let write = move |name: &str, bytes: &[u8]| {
        let file = place.join(name);
        std::fs::write(&file, bytes).map_err(message)?;
        Ok(file.display().to_string())
    };
    (folder, write)
}

const AFFIXES: &str = "SET UTF-8\nFLAG long\nNEEDAFFIX NA\nKEEPCASE KC\nOCONV 1\nOCONV œ oe\nSFX SS Y 2\nSFX SS 0 s/PP [^sx]\nSFX SS y ies [^aeiou]y\n\
    PFX PP Y 1\nPFX PP 0 re .\nREP 1\nREP a e\nCOMPOUNDMIN 1\n";
const STEMS: &str = "4\ncat/SSPP\nparty/SS po:noun\nœuvre/KC\nno/NA\n";

/// A dictionary and its affixes.
pub fn hunspell() -> Subject {
    let (kept, write) = folder();
    let plain = "SET ISO8859-1\nFLAG num\nAF 1\nAF 1,2\nSFX 1 N 1\nSFX 1 0 er e\nPFX 2 N 1\nPFX 2 a e [ab]\n";
    let seeds = [joined(STEMS, AFFIXES), joined(b"2\nab/1\ne\xe9e/1\n", plain), joined("1\nae/1\n", plain)];
    Subject::new(seeds, move |bytes| {
        let _kept = &kept;
        let (stems, affixes) = split_files(bytes);
        let (stems, affixes) = (write("x.dic", stems)?, write("x.aff", affixes)?);
        let json = format!("{stems}.json");
        let _ = std::fs::remove_file(&json);
        run(&["lexicon", "expand", "--tileset", "french", "--dictionary", &stems, "--affixes", &affixes, "--json", &json])?;
        std::fs::metadata(&json).map_err(message).map(|file| file.len() as usize)
    })
    .with_fragments(&[
        "SFX SS ",
        "PFX PP ",
        "FLAG num\n",
        "FLAG UTF-8\n",
        "AF 1\n",
        "AF SS\n",
        "SET KOI8-R\n",
        "ICONV 1\n",
        "CIRCUMFIX C\n",
        "/SS",
        "\\/",
        "[^",
        "0 0 .",
    ])
}

/// Runs a command that is made to fail behind its input, with a message that has `words_of_failure`: then it accepted the input.
fn read_only(words: &[&str], words_of_failure: &str) -> Outcome {
    run(words).or_else(|message| if message.contains(words_of_failure) { Ok(1) } else { Err(message) })
}

/// A study whose folder cannot be made, so that nothing is played.
pub fn studies() -> Subject {
    let (kept, write) = folder();
    let not_a_folder = write("file", b"").expect("a temporary folder");
    // Some need a word list or a feature that is not here.
    let studies = [configs("studies"), configs("studies/papers")].concat();
    Subject::new(Vec::<&str>::new(), move |bytes| {
        let _kept = &kept;
        let file = write("study.toml", bytes)?;
        read_only(&["experiment", "run", &file, "--quick", "--quiet", "--out", &not_a_folder], "--out names a folder")
    })
    .with_more(studies)
    .with_fragments(&[
        "[[arms]]\n",
        "[[measures]]\n",
        "[quick]\n",
        "[full]\n",
        "{pairs}",
        "{seed}",
        "pairs = ",
        "published = ",
        "command = ",
    ])
}

/// The config of a match whose players cannot be loaded, so that nothing is played.
pub fn match_configs() -> Subject {
    let (kept, write) = folder();
    Subject::new(configs("matches"), move |bytes| {
        let _kept = &kept;
        let file = write("match.toml", bytes)?;
        let players = ["--player-a", "sim:nowhere", "--player-b", "sim:nowhere"];
        let words = ["match", &file, "--tileset", "english", "--lexicon", "enable2k", "--quiet"];
        read_only(&[&words[..], &players].concat(), "player sim:nowhere: ")
    })
    .with_fragments(&[
        "players = [",
        "pairs = ",
        "sequential = \"50:51\"\n",
        "alpha = ",
        "beta = ",
        "unpaired = true\n",
        "lexicon = ",
    ])
}
