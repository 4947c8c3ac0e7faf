//! The page of the run in a folder, by the kind that its key or its manifest states.

use std::path::Path;

use tilewright_engine::artefact::{Artefact, MANIFEST};
use tilewright_engine::evaluator::linear::load::WEIGHTS_FILE;
use tilewright_engine::input_file;
use tilewright_train::evolve::artefact::LOG_FILE;
use tilewright_train::journal::StoredRun;
use tilewright_train::linear::artefact::REPORT_FILE;
use tilewright_train::network::artefact::read_report;
use tilewright_train::records::RECORDS_KIND;
use tilewright_train::run::kind;
use tilewright_train::td::course::Course;

use super::flags::ReportArguments;
use super::made::{CONFIG_FILE, Made};
use super::{evolution, linear, matches, network, records, round_robin, study, td, unfinished};
use crate::failure::{Failure, Input};
use crate::progress::Progress;
use crate::report::PAGE_FILE;

/// A run in its folder.
struct Source<'a> {
    run: &'a Path,
    /// Its work files, unless they were removed.
    stored: Option<StoredRun>,
    /// Its artefact, if it has ended in one.
    artefact: Option<Artefact>,
    arguments: &'a ReportArguments,
}

/// Makes the page of a run; `None` if the run is too young to have one of its own.
type PageOf = fn(&Source<'_>) -> Result<Option<Made>, Failure>;

/// The page of each kind of run; artefacts without a run have the page of their own kind.
const PAGES: [(&str, PageOf); 11] = [
    (kind::MATCH, of_match),
    (kind::ROUND_ROBIN, of_round_robin),
    (kind::EVOLVE, of_evolution),
    (kind::TD, of_td),
    (kind::NETWORK, of_network),
    (kind::LINEAR, of_linear),
    (kind::SELFPLAY, of_records),
    (RECORDS_KIND, of_records),
    (kind::LEAVES, kept),
    (kind::WIN_PERCENTAGE, kept),
    (kind::STUDY, |source| study::page(source.run).map(Some)),
];

/// The page of the run that the arguments name, as its folder holds it now.
///
/// # Errors
/// [`Failure::Input`] if the folder is no run, or damaged.
pub fn page(arguments: &ReportArguments) -> Result<Made, Failure> {
    let run = arguments.run.as_path();
    let stored = StoredRun::open(run)?;
    let artefact = run.join(MANIFEST).is_file().then(|| Artefact::read_any(run).input()).transpose()?;
    let of_run = stored.as_ref().map(|stored| stored.key().kind());
    let of_artefact = artefact.as_ref().map(Artefact::manifest);
    let of_artefact = of_artefact.map(|manifest| if manifest.run.is_empty() { &manifest.kind } else { &manifest.run });
    let own = of_run.or(of_artefact.map(String::as_str)).ok_or_else(|| unknown(run))?.to_string();
    let source = Source { run, stored, artefact, arguments };
    let of_kind = PAGES.iter().find(|(name, _)| *name == own).map(|(_, page)| page);
    if let Some(made) = of_kind.map(|page| page(&source)).transpose()?.flatten() {
        return Ok(made);
    }
    match &source.stored {
        Some(stored) if source.artefact.is_none() => unfinished::page(run, stored),
        _ => Err(Failure::input(format!("{} is a {own} artefact, which has no page", run.display()))),
    }
}

impl Source<'_> {
    fn progress(&self) -> Progress {
        Progress::new(self.arguments.game.quiet)
    }

    /// The text of a file: a checked payload of the artefact, or a file of the folder.
    fn text(&self, name: &str) -> Result<String, Failure> {
        let file = self.run.join(name);
        let fault = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", file.display()));
        match &self.artefact {
            Some(artefact) => String::from_utf8(artefact.payload(name).input()?).map_err(|error| fault(&error)),
            None => input_file::read_text(&file).map_err(|error| fault(&error)),
        }
    }
}

fn of_match(source: &Source<'_>) -> Result<Option<Made>, Failure> {
    let Some(stored) = &source.stored else { return Ok(None) };
    matches::page(source.run, stored, source.arguments.sequential, &source.progress())
}

fn of_round_robin(source: &Source<'_>) -> Result<Option<Made>, Failure> {
    let Some(stored) = &source.stored else { return Ok(None) };
    round_robin::page(source.run, stored, &source.progress())
}

/// An evolution that was promoted is an artefact. One that was not has its log alone.
fn of_evolution(source: &Source<'_>) -> Result<Option<Made>, Failure> {
    let (run, manifest) = (source.run, source.artefact.as_ref().map(Artefact::manifest));
    if manifest.is_none() && !run.join(LOG_FILE).is_file() {
        let Some(stored) = &source.stored else { return Ok(None) };
        return evolution::page_of_unfinished(run, stored, &source.progress());
    }
    let config = manifest.map_or_else(|| source.text(CONFIG_FILE), |manifest| Ok(manifest.config.clone()))?;
    evolution::page(run, &source.text(LOG_FILE)?, &config, manifest, &source.progress()).map(Some)
}

fn of_td(source: &Source<'_>) -> Result<Option<Made>, Failure> {
    match (&source.artefact, &source.stored) {
        (Some(artefact), _) => {
            let course = Course::read(artefact).input()?;
            Ok(course.map(|course| td::page(source.run, &course, artefact.manifest())))
        }
        (None, Some(stored)) => td::page_of_unfinished(source.run, stored, &source.progress()),
        (None, None) => Ok(None),
    }
}

fn of_network(source: &Source<'_>) -> Result<Option<Made>, Failure> {
    let Some(artefact) = &source.artefact else { return Ok(None) };
    let report = read_report(artefact).input()?;
    Ok(report.map(|report| network::page(source.run, &report, artefact.manifest())))
}

fn of_linear(source: &Source<'_>) -> Result<Option<Made>, Failure> {
    let Some(artefact) = source.artefact.as_ref().filter(|artefact| artefact.has(REPORT_FILE)) else { return Ok(None) };
    linear::page(source.run, &source.text(REPORT_FILE)?, &source.text(WEIGHTS_FILE)?, artefact.manifest()).map(Some)
}

fn of_records(source: &Source<'_>) -> Result<Option<Made>, Failure> {
    source.artefact.as_ref().map(|artefact| records::page(artefact, &source.arguments.game)).transpose()
}

/// The page that an artefact keeps.
fn kept(source: &Source<'_>) -> Result<Option<Made>, Failure> {
    let Some(artefact) = source.artefact.as_ref().filter(|artefact| artefact.has(PAGE_FILE)) else { return Ok(None) };
    let (kind, title) = (artefact.manifest().kind.clone(), artefact.manifest().lexicon.name.clone());
    Ok(Some(Made { kind, title, html: source.text(PAGE_FILE)?, is_finished: true }))
}

fn unknown(run: &Path) -> Failure {
    let run = run.display();
    Failure::input(format!(
        "{run} is no run with a page; name a folder of match --out, match --games-out, selfplay, evolve, td, linear fit, network train, leaves \
         train, win-percentage train or experiment run. For recorded games in GCG see tilewright game show --html, for leave tables without \
         a run tilewright leaves report"
    ))
}
