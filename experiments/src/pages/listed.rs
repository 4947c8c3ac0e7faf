//! Several runs: the state of each and, unless it is damaged, its data. The index of the runs in a folder, by kind.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::made::{Head, Made, name_of};
use super::source::{Source, is_run};
use crate::Failure;
use crate::experiment::summary::SUMMARY;
use crate::flags::{GameFlags, shell_word};
use crate::report::PAGE_FILE;
use crate::report::figures::KeyFigure;
use crate::report::html::{Markup, Render, Section, html, page_beside, repeat, sortable_table};

/// A run of an index or of a comparison.
#[derive(schemars::JsonSchema, Serialize)]
pub struct Listed {
    pub path: PathBuf,
    /// Its name among the others.
    #[serde(skip)]
    pub name: String,
    /// `finished`, `unfinished` or `damaged`. A run whose page needs more flags is `unreadable`.
    pub state: &'static str,
    /// Why it cannot be read, or null.
    pub reason: Option<String>,
    /// Its kind, or null if it cannot be read.
    kind: Option<String>,
    figures: Vec<KeyFigure>,
    #[serde(skip)]
    pub made: Option<Made>,
}

impl Listed {
    /// Reads a run and checks all its files. `None` if the folder is no run, or work that runs share.
    pub fn read(path: &Path, name: String, game: &GameFlags) -> Option<Listed> {
        let quiet = GameFlags { quiet: true, ..game.clone() };
        let damaged = |failure: Failure| ("damaged", failure.message());
        let read = match Source::open(path).map_err(damaged) {
            Ok(None) => return None,
            Ok(Some(source)) if source.is_shared_work() => return None,
            Ok(Some(source)) => source
                .check()
                .map_err(damaged)
                .and_then(|()| source.read(&quiet, None).map_err(|failure| ("unreadable", failure.message()))),
            Err(damaged) => Err(damaged),
        };
        let (state, reason, made) = match read {
            Ok(made) => (if made.is_finished { "finished" } else { "unfinished" }, None, Some(made)),
            Err((state, reason)) => (state, Some(reason), None),
        };
        let head = made.as_ref().map(|made| &made.head);
        let (kind, figures) = (head.map(|head| head.kind.clone()), head.map_or(Vec::new(), |head| head.figures.clone()));
        Some(Listed { path: path.into(), name, state, reason, kind, figures, made })
    }

    /// The run, if it is finished and whole.
    pub fn finished(&self) -> Option<&Made> {
        self.made.as_ref().filter(|made| made.is_finished)
    }

    /// The page of the run, beside it or in its folder. `None` for a run that cannot be read.
    pub fn page(&self) -> Option<PathBuf> {
        self.made.as_ref()?;
        let pages = page_beside(&self.path).into_iter().chain([self.path.join(PAGE_FILE)]);
        pages.into_iter().find(|page| page.is_file())
    }

    /// The name for the page in a file, as a link if the page of the run exists.
    pub fn cell(&self, from: Option<&Path>) -> Markup {
        let address = self.page().and_then(|page| address(from?, &page));
        html! { @if let Some(address) = address { a href=(address) { (self.name) } } @else { (self.name) } }
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

/// How deep runs may lie below the folder: studies keep matches two folders below their own.
const DEEPEST: usize = 3;

/// The index of the runs in a folder for the file of its page, or `None` if it holds no run. It is never finished, so it is replaced.
pub fn of_folder(folder: &Path, page: Option<&Path>, game: &GameFlags) -> Option<(Made, Vec<Listed>)> {
    let mut runs = Vec::new();
    collect(folder, "", DEEPEST, game, &mut runs);
    let mut states: BTreeMap<&str, u64> = BTreeMap::new();
    for run in &runs {
        *states.entry(run.state).or_default() += 1;
    }
    let states = [("runs", runs.len() as u64)].into_iter().chain(states);
    let figures = states.map(|(state, count)| KeyFigure::count(state, count)).collect();
    let of_state = |called: &str, state: &str| {
        let names: Vec<&str> = runs.iter().filter(|run| run.state == state).map(|run| run.name.as_str()).collect();
        if names.is_empty() { String::new() } else { format!(" {called}: {}.", names.join(", ")) }
    };
    let lead = "All runs in the folder by kind. A name is a link if the page of the run exists.".to_string();
    let lead = lead + &of_state("Damaged", "damaged") + &of_state("Unfinished", "unfinished");
    let head = Head { kind: "index".into(), title: name_of(folder), facts: Vec::new(), lead, figures };
    let mut sections = by_kind(&runs, page);
    sections.push(repeat(&command(folder), "Type it again to bring the page up to date.", None));
    let made = Made { is_finished: false, ..Made::new(head, sections, Markup::default()) };
    (!runs.is_empty()).then_some((made, runs))
}

/// Reads the runs in a folder and, up to a depth, below it, in order of their names. A study holds runs of its own.
fn collect(folder: &Path, above: &str, depth: usize, game: &GameFlags, runs: &mut Vec<Listed>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    for path in folders {
        let name = format!("{above}{}", name_of(&path));
        let is_run = is_run(&path);
        if is_run {
            runs.extend(Listed::read(&path, name.clone(), game));
        }
        if depth > 1 && (!is_run || path.join(SUMMARY).is_file()) {
            collect(&path, &format!("{name}/"), depth - 1, game, runs);
        }
    }
}

fn command(run: &Path) -> String {
    format!("tilewright report {}", shell_word(&run.to_string_lossy()))
}

/// A table of the runs of each kind. Runs that cannot be read come first, with the reasons.
fn by_kind(runs: &[Listed], page: Option<&Path>) -> Vec<Section> {
    let mut kinds: BTreeMap<(bool, &str), Vec<[Markup; 6]>> = BTreeMap::new();
    for run in runs {
        let head = run.made.as_ref().map(|made| &made.head);
        let figure = head.and_then(|head| head.figures.first());
        let made_for = head.map(|head| format!("{} · {}", head.title, head.facts.join(" · ")));
        kinds.entry((head.is_some(), head.map_or("damaged", |head| &head.kind))).or_default().push([
            run.cell(page),
            run.state.render(),
            figure.map_or(String::new(), KeyFigure::shown_with_interval).render(),
            figure.map_or("", |figure| &figure.name).render(),
            html! { span.meaning { (made_for.or(run.reason.clone()).unwrap_or_default()) } },
            html! { @if head.is_some() && run.page().is_none() { code { (command(&run.path)) } } },
        ]);
    }
    let mut sections = Vec::new();
    for ((is_read, kind), rows) in kinds {
        let number = sections.len();
        let head = ["run", "state", "#value", "key figure", if is_read { "made for" } else { "reason" }, "its page"];
        let lead = format!("{} {}", rows.len(), if rows.len() == 1 { "run" } else { "runs" });
        let body = sortable_table(&format!("by-run-{number}"), &head, rows);
        sections.push(Section::new(format!("kind-{number}"), kind, kind, lead, body));
    }
    sections
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
