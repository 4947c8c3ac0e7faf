//! The index of the runs in a folder, by kind.

use std::collections::BTreeMap;
use std::path::Path;

use super::listed::{Listed, ListedRun, State};
use super::made::{Made, name_of};
use super::source::is_run;
use crate::experiment::summary::SUMMARY;
use crate::flags::{GameFlags, shell_word};
use crate::report::figures::KeyFigure;
use crate::report::html::{Markup, Page, Render, Section, html, page_header, repeat, sortable_table};

/// How deep runs may lie below the folder: studies keep matches two folders below their own.
const DEEPEST: usize = 3;

/// The index of the runs in a folder for the file of its page, or `None` if it holds no run. An index is never finished: it is replaced.
pub fn of_folder(folder: &Path, page: Option<&Path>, game: &GameFlags) -> Option<(Made, Vec<ListedRun>)> {
    let mut runs = Vec::new();
    collect(folder, "", DEEPEST, game, &mut runs);
    if runs.is_empty() {
        return None;
    }
    let entries = runs.iter().map(Listed::entry).collect();
    let count = |state: State| runs.iter().filter(|run| run.state == state).count() as u64;
    let mut figures = vec![KeyFigure::count("runs", runs.len() as u64)];
    let states = [State::Finished, State::Unfinished, State::Damaged, State::Unreadable];
    figures.extend(states.map(|state| KeyFigure::count(state.name(), count(state))));
    let title = name_of(folder);
    let lead = "All runs in the folder by kind. A name is a link if the page of the run exists.";
    let header = page_header("Runs", &title, &[], lead, &figures);
    let command = format!("tilewright report {}", shell_word(&folder.to_string_lossy()));
    let mut sections = Vec::from_iter(not_read(&runs));
    sections.extend(by_kind(&runs, page));
    sections.push(repeat(&command, "Run it again to bring the page up to date.", None));
    let html = Page::new(&title, header, sections, Markup::default()).write();
    let made = Made::new("index", title, [], figures, move || Ok(html));
    Some((Made { is_finished: false, ..made }, entries))
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

/// The runs that could not be read, with the reasons.
fn not_read(runs: &[Listed]) -> Option<Section> {
    let row = |run: &Listed| Some([run.name.clone(), run.state.name().into(), run.read.as_ref().err()?.clone()]);
    let rows: Vec<_> = runs.iter().filter_map(row).collect();
    let body = || sortable_table("not-read", &["run", "state", "reason"], &rows);
    let title = "Runs that could not be read";
    (!rows.is_empty()).then(|| Section::new("not-read-runs", "Not read", title, "Their figures are not shown.", body()))
}

/// A table of the runs of each kind.
fn by_kind(runs: &[Listed], page: Option<&Path>) -> Vec<Section> {
    let mut kinds: BTreeMap<(String, &str), Vec<[Markup; 6]>> = BTreeMap::new();
    for run in runs {
        let Ok(Made { kind, title, facts, figures, .. }) = &run.read else { continue };
        let made_for = [title.as_str()].into_iter().chain(facts.iter().map(String::as_str)).collect::<Vec<_>>().join(" · ");
        let figure = figures.first();
        kinds.entry((kind.to_lowercase(), kind)).or_default().push([
            run.cell(page),
            run.state.name().render(),
            figure.map_or(String::new(), KeyFigure::shown_with_interval).render(),
            figure.map_or("", |figure| &figure.name).render(),
            html! { span.meaning { (made_for) } },
            html! { code { (run.command()) } },
        ]);
    }
    let section = |(number, ((_, kind), rows)): (usize, ((String, &str), Vec<[Markup; 6]>))| {
        let head = ["run", "state", "#value", "key figure", "made for", "page"];
        let count = format!("{} {}", rows.len(), if rows.len() == 1 { "run" } else { "runs" });
        let body = html! { (sortable_table(&format!("by-run-{number}"), &head, rows)) };
        Section::new(format!("kind-{number}"), kind, kind, count, body)
    };
    kinds.into_iter().enumerate().map(section).collect()
}
