//! `report`: the page of a run. It loads nothing from the network, and the same run gives the same bytes.

pub mod flags;
mod made;
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

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use tilewright_engine::folder::write_atomically;

use crate::report::page::{is_unfinished, live, page_beside, unfinished};
use crate::status::status;
use crate::{Failure, NewFile, Progress, interrupts, output};
use flags::ReportArguments;
use made::Made;

/// How often a stop request is looked for.
const TICK: Duration = Duration::from_millis(50);

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
        until_finished(arguments, path, *seconds)?
    } else {
        let _waiting = Progress::waiting(game.quiet, "reading");
        source::page(arguments)?
    };
    let Made { kind, title, html, is_finished } = made;
    let html = if is_finished { html } else { unfinished(&html) };
    let page = NewFile::new_or_own(path, is_unfinished)?;
    let text = format!("{kind}, {title}");
    let written = page.export(html.into_bytes(), About { kind, title }, text)?;
    written.iter().try_for_each(|written| output::show(written, json))
}

/// The content of a page, in the result of the verb.
#[derive(Serialize)]
struct About {
    kind: String,
    title: String,
}

/// Writes the page of a run that goes on every `seconds`, until the run is finished. Then its page is returned and not written yet.
///
/// # Errors
/// [`Failure::Interrupted`] on Ctrl-C, after the page was written once more as it will stay; those of [`source::page`].
fn until_finished(arguments: &ReportArguments, page: &Path, seconds: u64) -> Result<Made, Failure> {
    interrupts::catch();
    let mut last = String::new();
    loop {
        let made = source::page(arguments)?;
        if made.is_finished {
            return Ok(made);
        }
        if interrupts::is_stopped() {
            write_atomically(page, unfinished(&made.html).as_bytes())?;
            let (run, page) = (arguments.run.display(), page.display());
            return Err(Failure::Interrupted(format!("{page} has the page of {run} as it is now; the run is not finished")));
        }
        let html = live(&unfinished(&made.html), seconds);
        if html != last {
            write_atomically(page, html.as_bytes())?;
            if last.is_empty() && !arguments.game.quiet {
                status!("{}: open it; it is written again every {seconds} s until the run is finished", page.display());
            }
            last = html;
        }
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(seconds) && !interrupts::is_stopped() {
            thread::sleep(TICK);
        }
    }
}
