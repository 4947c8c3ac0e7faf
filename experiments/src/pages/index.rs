//! The index of the runs in a folder, by kind.

use std::collections::BTreeMap;
use std::path::Path;

use super::listed::Listed;
use super::made::{Head, Made, name_of};
use super::source::is_run;
use crate::experiment::summary::SUMMARY;
use crate::flags::{GameFlags, shell_word};
use crate::report::figures::KeyFigure;
use crate::report::html::{Markup, Render, Section, html, repeat, sortable_table};

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
    let of_state = |state: &str| {
        let names: Vec<&str> = runs.iter().filter(|run| run.state == state).map(|run| run.name.as_str()).collect();
        if names.is_empty() { String::new() } else { format!(" {state}: {}.", names.join(", ")) }
    };
    let lead = "All runs in the folder by kind. A name is a link if the page of the run exists.".to_string();
    let lead = lead + &of_state("damaged") + &of_state("unfinished");
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
