//! The page of a run that goes on or was stopped, of a kind whose results come at its end: its config and the work that is stored.

use std::collections::BTreeMap;
use std::path::Path;

use tilewright_train::journal::{RUN, StoredRun, WORK};

use super::made::{Made, footer_of, name_of};
use crate::Failure;
use crate::report::html::{Section, grouped, key_figure, sortable_table};
use crate::report::page::{Page, page_header};

pub fn page(run: &Path, stored: &StoredRun) -> Result<Made, Failure> {
    let steps = steps(run, stored)?;
    let title = name_of(run);
    let input = |name: &str| stored.key.inputs.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
    let facts: Vec<String> =
        ["lexicon", "tile set"].into_iter().filter_map(|name| Some(format!("{name} {}", first(&input(name)?)))).collect();
    let lead = "This run is not finished. Its results come at its end; the same command resumes it.";
    let count = key_figure("shards of work stored", grouped(steps.values().map(|step| step.files).sum()), "");
    let header = page_header("Unfinished run", &title, &facts, lead, count);
    let page = Page::new(&title, header, vec![work(&steps)], footer_of(None, &stored.key));
    Ok(Made::new("unfinished run", page, false))
}

fn first(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// The work files of one step of a run.
#[derive(Default)]
struct Step {
    files: u64,
    bytes: u64,
}

/// The steps by name: the name of a work file without the numbers at its end.
fn steps(run: &Path, stored: &StoredRun) -> Result<BTreeMap<String, Step>, Failure> {
    let mut steps: BTreeMap<String, Step> = BTreeMap::new();
    for name in stored.names("")?.into_iter().filter(|name| name != RUN) {
        // A file may be replaced while this looks.
        let Ok(about) = run.join(WORK).join(&name).metadata() else { continue };
        let step = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '-').replace('-', " ");
        let step = steps.entry(step).or_default();
        *step = Step { files: step.files + 1, bytes: step.bytes + about.len() };
    }
    Ok(steps)
}

fn work(steps: &BTreeMap<String, Step>) -> Section {
    let row =
        |(name, step): (&String, &Step)| [name.clone(), grouped(step.files), format!("{:.1}", step.bytes as f64 / 1000.0)];
    let lead = "What a resumed run does not do again, by the step that made it.";
    let body = sortable_table("by-step", &["step", "#files", "#kilobytes"], steps.iter().map(row));
    Section::new("work", "Work", "Finished work", lead, body)
}
