//! `report --watch`: the page of a run that goes on, written again as the run stores more.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use tilewright_engine::artefact::write_atomically;

use super::flags::ReportArguments;
use super::made::Made;
use super::source;
use crate::failure::Failure;
use crate::interrupts;
use crate::report::page::{live, unfinished};
use crate::status::status;

/// How often a stop request is looked for.
const TICK: Duration = Duration::from_millis(50);

/// Writes the page every `seconds` until the run is finished; then the page of the finished run is returned and not written yet.
///
/// # Errors
/// [`Failure::Interrupted`] on Ctrl-C, after the page was written once more as it will stay; those of [`source::page`].
pub fn until_finished(arguments: &ReportArguments, page: &Path, seconds: u64) -> Result<Made, Failure> {
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
