//! `report`: the page of a run, by the kind that its key or its manifest states. It loads nothing from the network, and the same run gives the same bytes.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use tilewright_engine::artefact::{Artefact, MANIFEST};
use tilewright_engine::evaluator::linear::load::WEIGHTS_FILE;
use tilewright_engine::folder::write_atomically;
use tilewright_engine::input_file;
use tilewright_train::evolve::artefact::LOG_FILE;
use tilewright_train::journal::StoredRun;
use tilewright_train::linear::artefact::REPORT_FILE;
use tilewright_train::network::artefact::read_report;
use tilewright_train::records::RECORDS_KIND;
use tilewright_train::run::kind;
use tilewright_train::stored_match::spec::Hypotheses;
use tilewright_train::td::course::Course;

use crate::flags::{GameFlags, JsonFlag};
use crate::leaves::page::{Drawn, draw};
use crate::leaves::table::Place;
use crate::report::html::{is_unfinished, live, page_beside, unfinished};
use crate::status::status;
use crate::{Failure, InFile, Input, NewFile, Progress, interrupts, output, win_percentage};

mod made;
mod matches;
mod round_robin;
mod evolution;
mod fits;
mod study;
mod records;

use made::Made;

#[derive(Debug, Args)]
pub struct ReportArguments {
    /// The run: a folder of match --out, match --games-out, selfplay, evolve, td, linear fit, network train, leaves train, win-percentage train or experiment run
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// File for the page. Only the page of an unfinished run is overwritten [default: RUN.html]
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Matches: draw a sequential test of these win rates of player A in percent (50:51 without a value), error rates 5 %
    #[arg(long, visible_alias = "sprt", value_name = "H0:H1", num_args = 0..=1, default_missing_value = "50:51")]
    pub sequential: Option<Hypotheses>,
    /// Write the page again after each interval, 5 seconds without a value, until the run is finished. The page loads itself again
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "5", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub watch: Option<u64>,
    /// The game of records whose tile set is not in the program.
    #[command(flatten)]
    pub game: GameFlags,
    #[command(flatten)]
    pub json: JsonFlag,
}

/// How often a stop request is looked for.
const TICK: Duration = Duration::from_millis(50);

/// `report`.
///
/// # Errors
/// [`Failure::Input`] if the folder is damaged or has no page. [`Failure::Interrupted`] if a watched run is not finished.
pub fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    let ReportArguments { run, save, watch, game, .. } = arguments;
    let default = save.is_none().then(|| page_beside(run)).transpose()?;
    let path = save.as_deref().or(default.as_deref());
    let [_, json] = arguments.json.files(path.filter(|path| !is_unfinished(path)))?;
    // The page of a run that was not finished is replaced.
    let page = NewFile::new_or_own(path, is_unfinished)?;
    let made = if let (Some(seconds), Some(path)) = (watch, page.path()) {
        until_finished(arguments, path, *seconds)?
    } else {
        let _waiting = Progress::waiting(game.quiet, "reading");
        made_of(arguments)?
    };
    let Made { kind, title, html, is_finished } = made;
    let html = if is_finished { html } else { unfinished(&html) };
    let page = NewFile::new_or_own(path, is_unfinished)?;
    let text = format!("{kind}, {title}");
    let written = page.export(html.into_bytes(), About { kind, title }, text)?;
    written.iter().try_for_each(|written| output::show(written, json))
}

/// The content of a page, in the result of the verb.
#[derive(schemars::JsonSchema, Serialize)]
pub struct About {
    kind: String,
    title: String,
}

/// Writes the page of a run every `seconds` until the run is finished. Returns the last page without writing it.
///
/// # Errors
/// [`Failure::Interrupted`] on Ctrl-C, after the page was written once more as it will stay. The errors of [`made_of`].
fn until_finished(arguments: &ReportArguments, page: &Path, seconds: u64) -> Result<Made, Failure> {
    interrupts::catch();
    let mut last = String::new();
    loop {
        let made = made_of(arguments)?;
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

/// A run in its folder.
struct Source<'a> {
    run: &'a Path,
    /// Its work files, unless they were removed.
    stored: Option<StoredRun>,
    /// Its artefact, if it has ended in one.
    artefact: Option<Artefact>,
    arguments: &'a ReportArguments,
}

/// The page of the run that the arguments name, as its folder holds it now.
///
/// # Errors
/// [`Failure::Input`] if the folder is no run, or damaged.
fn made_of(arguments: &ReportArguments) -> Result<Made, Failure> {
    let run = arguments.run.as_path();
    let stored = StoredRun::open(run)?;
    let artefact = run.join(MANIFEST).is_file().then(|| Artefact::read_any(run).input()).transpose()?;
    let of_run = stored.as_ref().map(|stored| stored.key.kind.as_str());
    let of_artefact = artefact.as_ref().map(Artefact::manifest);
    let of_artefact = of_artefact.map(|manifest| if manifest.run.is_empty() { &manifest.kind } else { &manifest.run });
    let own = of_run.or(of_artefact.map(String::as_str)).ok_or_else(|| unknown(run))?.to_string();
    let source = Source { run, stored, artefact, arguments };
    if let Some(made) = source.page(&own)? {
        return Ok(made);
    }
    match &source.stored {
        Some(stored) if source.artefact.is_none() => made::of_unfinished(run, stored),
        // A file that is missing is the better reason.
        _ if let Some(Err(lost)) = source.artefact.as_ref().map(Artefact::check_payloads) => Err(lost).input(),
        _ => Err(Failure::input(format!("{} is a {own} artefact, which has no page", run.display()))),
    }
}

impl Source<'_> {
    /// The page of a kind of run. `None` if the run is too young for a page of its own, or if its kind has no page.
    /// Artefacts without a run have the page of their own kind.
    fn page(&self, kind: &str) -> Result<Option<Made>, Failure> {
        let Source { run, stored, artefact, arguments } = self;
        let progress = &Progress::new(arguments.game.quiet);
        match (kind, artefact, stored) {
            (kind::MATCH, _, Some(stored)) => matches::page(run, stored, arguments.sequential, progress),
            (kind::ROUND_ROBIN, _, Some(stored)) => round_robin::page(run, stored, progress),
            (kind::EVOLVE, ..) => self.of_evolution(progress),
            (kind::TD, Some(artefact), _) => {
                let course = Course::read(artefact).input()?;
                Ok(course.map(|course| fits::of_td(run, &course, artefact.manifest())))
            }
            (kind::TD, None, Some(stored)) => fits::of_unfinished_td(run, stored, progress),
            (kind::NETWORK, Some(artefact), _) => {
                let report = read_report(artefact).input()?;
                Ok(report.map(|report| fits::of_network(run, &report, artefact.manifest())))
            }
            (kind::LINEAR, Some(artefact), _) if artefact.has(REPORT_FILE) => {
                fits::of_linear(run, &self.text(REPORT_FILE)?, &self.text(WEIGHTS_FILE)?, artefact.manifest()).map(Some)
            }
            (kind::SELFPLAY | RECORDS_KIND, Some(artefact), _) => records::page(artefact, &arguments.game).map(Some),
            (kind::LEAVES, Some(artefact), _) => {
                let Drawn { name, html, .. } = draw(&Place::Path(run.into()), &arguments.game)?;
                Ok(Some(Made { kind: artefact.manifest().kind.clone(), title: name, html, is_finished: true }))
            }
            (kind::WIN_PERCENTAGE, Some(artefact), _) => {
                let (kind, title) = (artefact.manifest().kind.clone(), artefact.manifest().lexicon.name.clone());
                let html = win_percentage::summary::of_artefact(artefact, &arguments.game)?;
                Ok(Some(Made { kind, title, html, is_finished: true }))
            }
            (kind::STUDY, ..) => study::page(run).map(Some),
            _ => Ok(None),
        }
    }

    fn of_evolution(&self, progress: &Progress) -> Result<Option<Made>, Failure> {
        match (&self.artefact, &self.stored) {
            (Some(artefact), _) => evolution::page(self.run, &self.text(LOG_FILE)?, artefact.manifest(), progress).map(Some),
            (None, Some(stored)) => evolution::page_of_unfinished(self.run, stored, progress),
            (None, None) => Ok(None),
        }
    }

    /// The text of a file: a checked payload of the artefact, or a file of the folder.
    fn text(&self, name: &str) -> Result<String, Failure> {
        let file = self.run.join(name);
        match &self.artefact {
            Some(artefact) => String::from_utf8(artefact.payload(name).input()?).in_file(&file),
            None => input_file::read_text(&file).in_file(&file),
        }
    }
}

fn unknown(run: &Path) -> Failure {
    let run = run.display();
    Failure::input(format!(
        "{run} is no run with a page; name a folder of match --out, match --games-out, selfplay, evolve, td, linear fit, network train, leaves \
         train, win-percentage train or experiment run. For recorded games in GCG see tilewright game show --html, for leave tables without \
         a run tilewright leaves report"
    ))
}
