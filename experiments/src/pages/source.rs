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
use crate::leaves::report::{Drawn, draw};
use crate::leaves::table::Place;
use crate::{Failure, Input, Progress, win_percentage};

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
pub fn page(arguments: &ReportArguments) -> Result<Made, Failure> {
    let run = arguments.run.as_path();
    let stored = StoredRun::open(run)?;
    let artefact = run.join(MANIFEST).is_file().then(|| Artefact::read_any(run).input()).transpose()?;
    let of_run = stored.as_ref().map(|stored| &*stored.key.kind);
    let of_artefact = artefact.as_ref().map(Artefact::manifest);
    let of_artefact = of_artefact.map(|manifest| if manifest.run.is_empty() { &manifest.kind } else { &manifest.run });
    let own = of_run.or(of_artefact.map(String::as_str)).ok_or_else(|| unknown(run))?.to_string();
    let source = Source { run, stored, artefact, arguments };
    if let Some(made) = source.page(&own)? {
        return Ok(made);
    }
    match &source.stored {
        Some(stored) if source.artefact.is_none() => unfinished::page(run, stored),
        // A file that is missing is the better reason.
        _ if let Some(Err(lost)) = source.artefact.as_ref().map(Artefact::check_payloads) => Err(lost).input(),
        _ => Err(Failure::input(format!("{} is a {own} artefact, which has no page", run.display()))),
    }
}

impl Source<'_> {
    /// The page of a kind of run; `None` if the run is too young to have one of its own, or of a kind without a page. Artefacts without a run
    /// have the page of their own kind.
    fn page(&self, kind: &str) -> Result<Option<Made>, Failure> {
        let Source { run, stored, artefact, arguments } = self;
        let progress = &Progress::new(arguments.game.quiet);
        match (kind, artefact, stored) {
            (kind::MATCH, _, Some(stored)) => matches::page(run, stored, arguments.sequential, progress),
            (kind::ROUND_ROBIN, _, Some(stored)) => round_robin::page(run, stored, progress),
            (kind::EVOLVE, ..) => self.of_evolution(progress),
            (kind::TD, Some(artefact), _) => {
                let course = Course::read(artefact).input()?;
                Ok(course.map(|course| td::page(run, &course, artefact.manifest())))
            }
            (kind::TD, None, Some(stored)) => td::page_of_unfinished(run, stored, progress),
            (kind::NETWORK, Some(artefact), _) => {
                let report = read_report(artefact).input()?;
                Ok(report.map(|report| network::page(run, &report, artefact.manifest())))
            }
            (kind::LINEAR, Some(artefact), _) if artefact.has(REPORT_FILE) => {
                linear::page(run, &self.text(REPORT_FILE)?, &self.text(WEIGHTS_FILE)?, artefact.manifest()).map(Some)
            }
            (kind::SELFPLAY | RECORDS_KIND, Some(artefact), _) => records::page(artefact, &arguments.game).map(Some),
            (kind::LEAVES, Some(artefact), _) => {
                let Drawn { name, html, .. } = draw(&Place::Path(run.into()), &arguments.game)?;
                Ok(Some(Made { kind: artefact.manifest().kind.clone(), title: name, html, is_finished: true }))
            }
            (kind::WIN_PERCENTAGE, Some(artefact), _) => {
                let (kind, title) = (artefact.manifest().kind.clone(), artefact.manifest().lexicon.name.clone());
                let html = win_percentage::page::of_artefact(artefact, &arguments.game)?;
                Ok(Some(Made { kind, title, html, is_finished: true }))
            }
            (kind::STUDY, ..) => study::page(run).map(Some),
            _ => Ok(None),
        }
    }

    /// An evolution that was promoted is an artefact. One that was not has its log alone.
    fn of_evolution(&self, progress: &Progress) -> Result<Option<Made>, Failure> {
        let (run, manifest) = (self.run, self.artefact.as_ref().map(Artefact::manifest));
        if manifest.is_none() && !run.join(LOG_FILE).is_file() {
            let Some(stored) = &self.stored else { return Ok(None) };
            return evolution::page_of_unfinished(run, stored, progress);
        }
        let config = manifest.map_or_else(|| self.text(CONFIG_FILE), |manifest| Ok(manifest.config.clone()))?;
        evolution::page(run, &self.text(LOG_FILE)?, &config, manifest, progress).map(Some)
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

fn unknown(run: &Path) -> Failure {
    let run = run.display();
    Failure::input(format!(
        "{run} is no run with a page; name a folder of match --out, match --games-out, selfplay, evolve, td, linear fit, network train, leaves \
         train, win-percentage train or experiment run. For recorded games in GCG see tilewright game show --html, for leave tables without \
         a run tilewright leaves report"
    ))
}
