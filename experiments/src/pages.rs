//! `report`: the page of a run. It loads nothing from the network, and the same run gives the same bytes.

pub mod flags;
mod made;
mod sequential;
mod matches;
mod round_robin;
mod evolution;
mod td;
mod network;
mod linear;
mod study;
mod records;
mod unfinished;
mod source;
mod watch;

use std::fmt;

use serde::Serialize;

use crate::failure::Failure;
use crate::output::{self, NewFile, Written};
use crate::progress::Progress;
use crate::report::page::{is_unfinished, page_beside, unfinished};
use flags::ReportArguments;
use made::Made;

/// `report`.
///
/// # Errors
/// [`Failure::Input`] if the folder is no run that has a page, or damaged; [`Failure::Interrupted`] if a run was watched and is not finished.
pub fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    let ReportArguments { run, out, watch, game, .. } = arguments;
    let default = out.is_none().then(|| page_beside(run)).transpose()?;
    let path = out.as_deref().or(default.as_deref());
    let [_, json] = arguments.json.files(path.filter(|path| !is_unfinished(path)))?;
    // The page of a run that was not finished is replaced.
    let page = NewFile::new_or_own(path, is_unfinished)?;
    let made = if let (Some(seconds), Some(path)) = (watch, page.path()) {
        watch::until_finished(arguments, path, *seconds)?
    } else {
        let _waiting = Progress::waiting(game.quiet, "reading");
        source::page(arguments)?
    };
    write(NewFile::new_or_own(path, is_unfinished)?, made, json)
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

fn write(page: NewFile<'_>, made: Made, json: NewFile<'_>) -> Result<(), Failure> {
    let Made { kind, title, html, is_finished } = made;
    let html = if is_finished { html } else { unfinished(&html) };
    let written: Option<Written<About>> = page.export(html.into_bytes(), About { kind, title })?;
    written.iter().try_for_each(|written| output::show(written, json))
}
