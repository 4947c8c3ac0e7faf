//! The files that a job names, and their hashes: a process reads no other file for a job that somebody else may have written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use tilewright_engine::artefact::MANIFEST;
use tilewright_engine::folder::Folder;
use tilewright_engine::hash::sha256;
use tilewright_engine::input_file::{self, limits};

use crate::Failure;
use crate::requests::Request;

/// Hashes by paths. The hash of an artefact is that of its manifest, which has checksums of its files.
pub type Inputs = BTreeMap<String, String>;

/// A file that may name others, such as a player or a tile set, has no more bytes.
const LARGEST_TEXT: usize = 1 << 20;

/// The files and artefacts on this machine that a run names, also by way of files that it names.
///
/// Every text of the run counts that is a path, or has one among its words or after a colon. A word that happens to be a path costs a hash
/// and no more.
pub fn of(run: &Request) -> Result<Inputs, Failure> {
    let mut search = Search::default();
    search.look_at(&serde_json::to_value(run)?, Path::new(""));
    Ok(search.found)
}

/// Refuses files that are not those with which the job was planned. Nothing has parsed them yet.
pub fn check(place: &Path, run: &Request, planned: &Inputs) -> Result<(), Failure> {
    let here = of(run)?;
    let Some((path, _)) = here.iter().find(|(path, hash)| planned.get(*path) != Some(hash)) else { return Ok(()) };
    Err(Failure::input(format!(
        "{} names {path}, which on this machine is not what the job was planned with; put the same there, or plan the job again",
        place.display()
    )))
}

#[derive(Default)]
struct Search {
    seen: BTreeSet<PathBuf>,
    found: Inputs,
}

impl Search {
    /// Looks at the texts of a value that stands in a file of this folder.
    fn look_at(&mut self, value: &Value, folder: &Path) {
        match value {
            Value::String(text) => self.look_at_text(text, folder),
            Value::Array(values) => values.iter().for_each(|value| self.look_at(value, folder)),
            Value::Object(values) => values.values().for_each(|value| self.look_at(value, folder)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn look_at_text(&mut self, text: &str, folder: &Path) {
        for name in text.split_whitespace().chain([text]) {
            let after = name.match_indices([':', '=']).map(|(at, _)| &name[at + 1..]);
            for name in after.chain([name]) {
                // Boards stand beside their tile sets; other paths begin where the program was started.
                self.look_at_path(Path::new(name));
                self.look_at_path(&folder.join(name));
            }
        }
        self.look_at_toml(text, folder);
    }

    /// Looks at the names in the TOML of a file or a study.
    fn look_at_toml(&mut self, text: &str, folder: &Path) {
        if text.contains('=')
            && let Ok(table) = toml::from_str::<toml::Table>(text)
            && let Ok(value) = serde_json::to_value(table)
        {
            self.look_at(&value, folder);
        }
    }

    fn look_at_path(&mut self, path: &Path) {
        if !path.exists() || !self.seen.insert(path.into()) {
            return;
        }
        let manifest = || Folder::open(path).ok()?.read(MANIFEST, limits::JSON).ok()?;
        // The system refuses to read folders.
        let Some(bytes) = input_file::read(path).ok().or_else(manifest) else { return };
        self.found.insert(path.display().to_string(), sha256(&bytes));
        if bytes.len() <= LARGEST_TEXT {
            self.look_at_toml(&String::from_utf8_lossy(&bytes), path.parent().unwrap_or(Path::new("")));
        }
    }
}
