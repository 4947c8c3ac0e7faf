//! Several runs: the state of each and, unless it is damaged, its data.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::made::Made;
use super::source::Source;
use crate::Failure;
use crate::flags::{GameFlags, shell_word};
use crate::report::PAGE_FILE;
use crate::report::figures::KeyFigure;
use crate::report::html::{Markup, html, page_beside};

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, schemars::JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    Finished,
    Unfinished,
    /// A file does not match its checksum, or is missing.
    Damaged,
    /// Its files are whole, but its page needs more.
    Unreadable,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            State::Finished => "finished",
            State::Unfinished => "unfinished",
            State::Damaged => "damaged",
            State::Unreadable => "unreadable",
        }
    }
}

/// A run of an index or of a comparison, in the result of the verb.
#[derive(schemars::JsonSchema, Serialize)]
pub struct ListedRun {
    path: String,
    state: State,
    /// Its kind, or null if it could not be read.
    kind: Option<String>,
    /// Why it could not be read, or null.
    reason: Option<String>,
    figures: Vec<KeyFigure>,
}

/// A run among several.
pub struct Listed {
    pub path: PathBuf,
    /// Its name among the others.
    pub name: String,
    pub state: State,
    /// The run, or why it cannot be read.
    pub read: Result<Made, String>,
}

impl Listed {
    /// Reads a run and checks all its files. `None` if the folder is no run, or work that runs share.
    pub fn read(path: &Path, name: String, game: &GameFlags) -> Option<Listed> {
        let quiet = GameFlags { quiet: true, ..game.clone() };
        let read = |source: &Source<'_>| {
            source.check().map_err(|failure| (State::Damaged, failure))?;
            source.read(&quiet, None).map_err(|failure| (State::Unreadable, failure))
        };
        let read = match Source::open(path) {
            Ok(source) => read(&source.filter(|source| !source.is_shared_work())?),
            Err(failure) => Err((State::Damaged, failure)),
        };
        let state = match &read {
            Ok(made) if made.is_finished => State::Finished,
            Ok(_) => State::Unfinished,
            Err((state, _)) => *state,
        };
        let read = read.map_err(|(_, failure): (State, Failure)| failure.message());
        Some(Listed { path: path.into(), name, state, read })
    }

    /// The run in the result of the verb.
    pub fn entry(&self) -> ListedRun {
        let made = self.read.as_ref();
        ListedRun {
            path: self.path.display().to_string(),
            state: self.state,
            kind: made.ok().map(|made| made.kind.clone()),
            reason: made.err().cloned(),
            figures: made.map_or(Vec::new(), |made| made.figures.clone()),
        }
    }

    /// The name for the page in a file, as a link if the page of the run exists.
    pub fn cell(&self, from: Option<&Path>) -> Markup {
        let address = self.page().and_then(|page| address(from?, &page));
        html! { @if let Some(address) = address { a href=(address) { (self.name) } } @else { (self.name) } }
    }

    /// The page of the run, beside it or in its folder.
    fn page(&self) -> Option<PathBuf> {
        let pages = page_beside(&self.path).into_iter().chain([self.path.join(PAGE_FILE)]);
        pages.into_iter().find(|page| page.is_file())
    }

    /// The command that writes the page of the run. Empty if the page exists.
    pub fn command(&self) -> String {
        let command = || format!("tilewright report {}", shell_word(&self.path.to_string_lossy()));
        if self.page().is_some() { String::new() } else { command() }
    }
}

/// The address of a file for a page: relative, with escapes for all but plain characters.
fn address(page: &Path, file: &Path) -> Option<String> {
    let folder = page.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let [from, to] = [folder.canonicalize().ok()?, file.canonicalize().ok()?];
    let shared = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(shared).map(|_| Some("..".to_string()));
    let down = to.components().skip(shared).map(|part| part.as_os_str().to_str().map(escaped));
    Some(up.chain(down).collect::<Option<Vec<_>>>()?.join("/"))
}

fn escaped(name: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    name.bytes().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_relative_and_escaped() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("runs/a b")).unwrap();
        for page in ["runs/javascript:x.html", "runs/a b/<é>.html"] {
            std::fs::write(folder.path().join(page), "").unwrap();
        }
        let from = |page: &str, to: &str| address(&folder.path().join(page), &folder.path().join(to)).unwrap();
        assert_eq!(from("runs.html", "runs/javascript:x.html"), "runs/javascript%3Ax.html");
        assert_eq!(from("runs/a b/page.html", "runs/javascript:x.html"), "../javascript%3Ax.html");
        assert_eq!(from("runs/page.html", "runs/a b/<é>.html"), "a%20b/%3C%C3%A9%3E.html");
    }
}
