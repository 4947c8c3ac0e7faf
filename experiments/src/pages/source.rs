//! What kind of run a folder holds, and its page.

use std::path::Path;

use tilewright_engine::artefact::{Artefact, MANIFEST};
use tilewright_engine::evaluator::linear::load::{LINEAR_KIND, WEIGHTS_FILE};
use tilewright_engine::input_file;
use tilewright_train::evolve::artefact::LOG_FILE;
use tilewright_train::journal::StoredRun;
use tilewright_train::linear::artefact::REPORT_FILE;
use tilewright_train::network::artefact::read_report;
use tilewright_train::records::RECORDS_KIND;
use tilewright_train::stored_match::StoredConfig;
use tilewright_train::stored_match::manifest::{MATCH_KIND, ROUND_ROBIN_KIND};
use tilewright_train::td::course::Course;

use super::flags::ReportArguments;
use super::made::{CONFIG_FILE, Made};
use super::{evolution, linear, matches, network, records, round_robin, study, td, unfinished};
use crate::experiment::SUMMARY;
use crate::failure::{Failure, Input};
use crate::progress::Progress;
use crate::report::PAGE_FILE;

/// The page of the run that the arguments name, as its folder holds it now.
///
/// # Errors
/// [`Failure::Input`] if the folder is no run, or damaged.
pub fn page(arguments: &ReportArguments) -> Result<Made, Failure> {
    let run = arguments.run.as_path();
    if run.is_dir() && run.join(MANIFEST).is_file() {
        let artefact = Artefact::read_any(run).input()?;
        if ![MATCH_KIND, ROUND_ROBIN_KIND].contains(&artefact.manifest().kind.as_str()) {
            return of_artefact(&artefact, arguments);
        }
    }
    if run.join(LOG_FILE).is_file() {
        let text = |name: &str| {
            let file = run.join(name);
            input_file::read_text(&file).map_err(|error| Failure::input(format!("{}: {error}", file.display())))
        };
        return evolution::page(run, &text(LOG_FILE)?, &text(CONFIG_FILE)?, None, &Progress::new(arguments.game.quiet));
    }
    if run.join(SUMMARY).is_file() {
        return study::page(run);
    }
    match StoredRun::open(run)? {
        Some(stored) => of_work(run, &stored, arguments),
        None => Err(unknown(run)),
    }
}

/// The page of an artefact: the one that it keeps, or that of what its payloads say.
fn of_artefact(artefact: &Artefact, arguments: &ReportArguments) -> Result<Made, Failure> {
    let (run, manifest) = (artefact.folder(), artefact.manifest());
    let text = |name: &str| {
        let text = String::from_utf8(artefact.payload(name).input()?);
        text.map_err(|error| Failure::input(format!("{}: {error}", run.join(name).display())))
    };
    if artefact.has(LOG_FILE) {
        let progress = Progress::new(arguments.game.quiet);
        return evolution::page(run, &text(LOG_FILE)?, &manifest.config, Some(manifest), &progress);
    }
    if let Some(course) = Course::read(artefact).input()? {
        return Ok(td::page(run, &course, manifest));
    }
    if let Some(report) = read_report(artefact).input()? {
        return Ok(network::page(run, &report, manifest));
    }
    match manifest.kind.as_str() {
        LINEAR_KIND if artefact.has(REPORT_FILE) => {
            return linear::page(run, &text(REPORT_FILE)?, &text(WEIGHTS_FILE)?, manifest);
        }
        RECORDS_KIND => return records::page(artefact, &arguments.game),
        _ => {}
    }
    if artefact.has(PAGE_FILE) {
        let (kind, title) = (manifest.kind.clone(), manifest.lexicon.name.clone());
        return Ok(Made { kind, title, html: text(PAGE_FILE)?, is_finished: true });
    }
    let run = run.display();
    Err(Failure::input(format!("{run} is a {} artefact, which has no page", manifest.kind)))
}

/// The page of a run from its work files.
fn of_work(run: &Path, stored: &StoredRun, arguments: &ReportArguments) -> Result<Made, Failure> {
    let progress = Progress::new(arguments.game.quiet);
    let players = toml::from_str(stored.key().config()).map(|config: StoredConfig| config.players.len());
    let made = match players {
        Ok(2) => matches::page(run, stored, arguments.sequential, &progress)?,
        Ok(_) => round_robin::page(run, stored, &progress)?,
        Err(_) => match evolution::page_of_unfinished(run, stored, &progress)? {
            None => td::page_of_unfinished(run, stored, &progress)?,
            made => made,
        },
    };
    made.map_or_else(|| unfinished::page(run, stored), Ok)
}

fn unknown(run: &Path) -> Failure {
    let run = run.display();
    Failure::input(format!(
        "{run} is no run with a page; name a folder of match --out, match --games-out, selfplay, evolve, td, linear fit, network train, leaves \
         train, win-percentage train or experiment run. For recorded games in GCG see tilewright game show --html, for leave tables without \
         a run tilewright leaves report"
    ))
}
