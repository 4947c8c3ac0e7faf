//! `report`: the page of a run. It loads nothing from the network, and the same run gives the same bytes.

pub mod flags;
mod made;
mod matches;
mod round_robin;
mod evolution;
mod td;
mod network;

use std::fmt;
use std::path::Path;

use serde::Serialize;
use tilewright_engine::artefact::{Artefact, MANIFEST};
use tilewright_train::evolve::artefact::LOG_FILE;
use tilewright_train::network::artefact::read_report;
use tilewright_train::stored_match::StoredConfig;
use tilewright_train::td::course::Course;

use crate::failure::{Failure, Input};
use crate::output::{self, NewFile, Written};
use crate::progress::Progress;
use crate::report::PAGE_FILE;
use crate::report::page::page_beside;
use flags::ReportArguments;
use made::{CONFIG_FILE, Made};

/// `report`.
///
/// # Errors
/// [`Failure::Input`] if the folder is no run that has a page, or damaged.
pub fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    let ReportArguments { run, out, quiet, .. } = arguments;
    let default = out.is_none().then(|| page_beside(run)).transpose()?;
    let path = out.as_deref().or(default.as_deref());
    let [page, json] = arguments.json.files(path)?;
    let waiting = Progress::waiting(*quiet, "reading");
    let made = if !run.is_dir() {
        return Err(unknown(run));
    } else if run.join(MANIFEST).is_file() {
        of_artefact(run)?
    } else if run.join(LOG_FILE).is_file() {
        let text = |name: &str| {
            let file = run.join(name);
            std::fs::read_to_string(&file).map_err(|error| Failure::input(format!("{}: {error}", file.display())))
        };
        evolution::page(run, &text(LOG_FILE)?, &text(CONFIG_FILE)?, None)?
    } else if run.join("work").is_dir() {
        let progress = Progress::new(*quiet);
        match StoredConfig::of_folder(run).filter(|config| config.players.len() > 2) {
            Some(_) => round_robin::page(run, &progress)?,
            None => matches::page(run, arguments.sequential, &progress)?,
        }
    } else {
        return Err(unknown(run));
    };
    drop(waiting);
    write(page, made, json)
}

/// The content of a page, in the result of the verb.
#[derive(Serialize)]
struct About {
    kind: String,
    title: String,
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.kind, self.title)
    }
}

fn write(page: NewFile<'_>, Made { kind, title, html }: Made, json: NewFile<'_>) -> Result<(), Failure> {
    let written: Option<Written<About>> = page.export(html.into_bytes(), About { kind, title })?;
    written.iter().try_for_each(|written| output::show(written, json))
}

/// The page of an artefact: the one that it keeps, or that of its evolution.
fn of_artefact(run: &Path) -> Result<Made, Failure> {
    let artefact = Artefact::read_any(run).input()?;
    let manifest = artefact.manifest();
    let text = |name: &str| {
        let text = String::from_utf8(artefact.payload(name).input()?);
        text.map_err(|error| Failure::input(format!("{}: {error}", run.join(name).display())))
    };
    if artefact.has(LOG_FILE) {
        return evolution::page(run, &text(LOG_FILE)?, &manifest.config, Some(manifest));
    }
    if let Some(course) = Course::read(&artefact).input()? {
        return Ok(td::page(run, &course, manifest));
    }
    if let Some(report) = read_report(&artefact).input()? {
        return Ok(network::page(run, &report, manifest));
    }
    if artefact.has(PAGE_FILE) {
        let (kind, title) = (manifest.kind.clone(), manifest.lexicon.name.clone());
        return Ok(Made { kind, title, html: text(PAGE_FILE)? });
    }
    let run = run.display();
    Err(Failure::input(format!("{run} is a {} artefact, which has no page", manifest.kind)))
}

fn unknown(run: &Path) -> Failure {
    let run = run.display();
    Failure::input(format!(
        "{run} is no run with a page; name a folder of match --out, evolve, td, network train, leaves train or win-percentage train. For recorded games \
         see tilewright game show --html, for leave tables without a run tilewright leaves report"
    ))
}
