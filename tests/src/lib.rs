//! Tools for end-to-end tests, which run the binary, make small games and compare folders.
//!
//! The tests are in `tests/tests/end_to_end`, with one module per topic. A test makes a [`Workplace`], runs the binary in it,
//! and checks the output and the files:
//!
//! ```
//! # #[cfg(unix)] {
//! use tilewright_tests::{Workplace, files_below};
//!
//! let place = Workplace::new("sh"); // the tests pass the tilewright binary
//! assert_eq!(place.succeed(&["-c", "echo 1 > one.txt; echo done"]), "done\n");
//! assert_eq!(files_below(&place.path(""))["one.txt"], b"1\n");
//! place.refuse(&["-c", "echo no such word >&2; exit 2"], &["no such word"]);
//! # }
//! ```
//!
//! Games with [`SMALL_TILESET`] and [`small_words`] take milliseconds.

pub mod mutants;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;
use tilewright_engine::setup::Setup;

/// A temporary folder in which the binary runs. It also holds the cache of the binary, so that tests do not affect each
/// other.
#[derive(Debug)]
pub struct Workplace {
    folder: TempDir,
    binary: PathBuf,
}

/// The result of a run of the binary.
#[derive(Debug)]
pub struct Exit {
    /// The exit code; -1 if a signal ended the process.
    pub code: i32,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub errors: String,
}

impl Workplace {
    /// A new workplace for the binary at this path.
    ///
    /// # Panics
    /// If the temporary folder cannot be created.
    pub fn new(binary: &str) -> Workplace {
        Workplace { folder: TempDir::new().expect("a temporary folder"), binary: binary.into() }
    }

    /// The path of a file in the workplace.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file and returns its path.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a writable workplace");
        path
    }

    /// Changes a JSON file. A manifest is then one of an older version, which had no checksum of itself.
    ///
    /// # Panics
    /// If it cannot be read or written.
    pub fn edit(&self, name: &str, change: impl FnOnce(&mut Value)) {
        let bytes = std::fs::read(self.path(name)).expect("a file");
        let mut value: Value = serde_json::from_slice(&bytes).expect("JSON");
        change(&mut value);
        if let Some(object) = value.as_object_mut() {
            object.remove("checksum");
        }
        self.write(name, value.to_string());
    }

    /// A command that runs the binary in the workplace.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(arguments).current_dir(self.folder.path()).env("XDG_CACHE_HOME", self.path("cache"));
        command
    }

    /// Runs the binary.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn run(&self, arguments: &[&str]) -> Exit {
        Exit::new(&self.command(arguments).output().expect("the binary starts"))
    }

    /// Runs the binary, expects exit code 0, and returns standard output.
    ///
    /// # Panics
    /// With standard error if the exit code is another one.
    pub fn succeed(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {}", ended.errors);
        ended.output
    }

    /// Runs the binary, and expects exit code 2 and an error message that contains every part.
    ///
    /// # Panics
    /// If the exit code is another one, a part is missing, or the binary panicked.
    pub fn refuse(&self, arguments: &[&str], parts: &[&str]) {
        let ended = self.run(arguments);
        assert_eq!(ended.code, 2, "{arguments:?}: {} {}", ended.output, ended.errors);
        for part in parts {
            assert!(ended.errors.contains(part), "{arguments:?}: no {part:?} in {}", ended.errors);
        }
        assert!(!ended.errors.contains("panicked"), "{}", ended.errors);
    }
}

impl Exit {
    fn new(output: &Output) -> Exit {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Exit { code: output.status.code().unwrap_or(-1), output: text(&output.stdout), errors: text(&output.stderr) }
    }
}

/// Sends a process what Ctrl-C sends.
///
/// # Panics
/// If it cannot be sent.
#[cfg(unix)]
pub fn interrupt(child: &Child) {
    send("INT", child);
}

/// Sends a process a signal, such as `TERM`.
///
/// # Panics
/// If it cannot be sent.
#[cfg(unix)]
pub fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "the process is not there");
}

/// The bytes of every file in a folder and its subfolders, by relative path.
///
/// # Panics
/// If a file cannot be read.
pub fn files_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a readable folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
                files.insert(name, std::fs::read(&path).expect("a readable file"));
            }
        }
    }
    files
}

/// Skips a test for which this machine lacks something, and says so.
///
/// # Panics
/// If the environment variable `TILEWRIGHT_TESTS` is `all`, as on GitHub, where nothing may be missing.
#[allow(clippy::print_stdout)]
pub fn skip(reason: &str) {
    assert!(std::env::var_os("TILEWRIGHT_TESTS").is_none_or(|which| which != "all"), "not skipped: {reason}");
    println!("skipped: {reason}");
}

/// A tile set of 8 letters and 60 tiles with racks of 5: games and fits take milliseconds.
pub const SMALL_TILESET: &str = r#"
name = "small"
board = "standard"
total_tiles = 60
total_points = 98
blanks = 2
letters = [
    { letter = "A", count = 10, value = 1, vowel = true },
    { letter = "D", count = 5, value = 2 },
    { letter = "E", count = 12, value = 1, vowel = true },
    { letter = "N", count = 8, value = 1 },
    { letter = "R", count = 8, value = 1 },
    { letter = "S", count = 5, value = 2 },
    { letter = "T", count = 8, value = 2 },
    { letter = "Z", count = 2, value = 12 },
]

[rules]
rack_size = 5
bingo_bonus = 30
exchange_minimum = 5
"#;

/// The words of the embedded lexicon that the small tile set can spell.
///
/// # Panics
/// If the embedded lexicon does not load.
pub fn small_words() -> &'static str {
    static WORDS: LazyLock<String> = LazyLock::new(|| {
        let lexicon = Setup::embedded("english").expect("the embedded lexicon").lexicon;
        let mut words = String::new();
        lexicon.graph.for_each_word(|word| {
            let text: String = word.iter().map(|&letter| char::from(b'A' + letter - 1)).collect();
            if text.chars().all(|letter| "ADENRSTZ".contains(letter)) {
                words += &text;
                words.push('\n');
            }
        });
        words
    });
    &WORDS
}
