//! `report`: the page of a run, by the kind that its key or its manifest states. It loads nothing from the network, and the same run gives the same bytes.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use tilewright_engine::folder::write_atomically;
use tilewright_train::stored_match::spec::Hypotheses;

use crate::flags::{GameFlags, JsonFlag};
use crate::report::figures::KeyFigure;
use crate::report::html::{is_unfinished, live, page_beside};
use crate::status::status;
use crate::{Failure, NewFile, Progress, interrupts, output};

mod compared;
mod made;
mod matches;
mod round_robin;
mod evolution;
mod fits;
mod study;
mod records;
mod source;
mod listed;
mod comparison;

use listed::Listed;
use made::{Head, Made, name_of};
use source::Source;

#[derive(Debug, Args)]
pub struct ReportArguments {
    /// A run: a folder of match --out, match --games-out, selfplay, evolve, td, linear fit, network train, leaves train, win-percentage
    /// train or experiment run. Several runs of one kind are compared. A folder of runs gives an index
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,
    /// File for the page. Only an index and the page of an unfinished run are overwritten [default: RUN.html, for several runs
    /// comparison.html beside the first]
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

/// The page of several runs, beside the first.
const COMPARISON: &str = "comparison.html";
/// How often a stop request is looked for.
const TICK: Duration = Duration::from_millis(50);

/// `report`.
///
/// # Errors
/// [`Failure::Input`] if the folder is damaged or has no page. [`Failure::Interrupted`] if a watched run is not finished.
pub fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    let ReportArguments { runs, save, watch, game, .. } = arguments;
    // Otherwise the error would speak of the page that cannot be written beside a wrong path.
    if let Some(missing) = runs.iter().find(|run| !run.exists()) {
        return Err(unknown(missing));
    }
    let default = || match &runs[..] {
        [run] => page_beside(run),
        runs => Ok(runs[0].with_file_name(COMPARISON)),
    };
    let default = save.is_none().then(default).transpose()?;
    let path = save.as_deref().or(default.as_deref());
    let [_, json] = arguments.json.files(path.filter(|path| !is_unfinished(path)))?;
    // The page of a run that was not finished is replaced.
    let page = NewFile::new_or_own(path, is_unfinished)?;
    let (made, runs) = if let (Some(seconds), Some(path)) = (watch, page.path()) {
        until_finished(arguments, path, *seconds)?
    } else {
        let _waiting = Progress::waiting(game.quiet, "reading");
        made_of(arguments, path)?
    };
    let Head { kind, title, figures, .. } = made.head.clone();
    let (text, about) = (format!("{kind}, {title}"), About { kind, title, figures, runs });
    let html = made.write()?;
    let page = NewFile::new_or_own(path, is_unfinished)?;
    let written = page.export(html.into_bytes(), about, text)?;
    written.iter().try_for_each(|written| output::show(written, json))
}

/// The content of a page, in the result of the verb.
#[derive(schemars::JsonSchema, Serialize)]
pub struct About {
    /// The kind of the run, `index`, or `comparison` with the kind of the runs.
    kind: String,
    title: String,
    /// The key figures of the header.
    figures: Vec<KeyFigure>,
    /// The runs of an index or of a comparison. Empty for the page of one run.
    runs: Vec<Listed>,
}

/// Writes the page of a run every `seconds` until the run is finished. Returns the last page without writing it.
///
/// # Errors
/// [`Failure::Interrupted`] on Ctrl-C, after the page was written once more as it will stay. The errors of [`made_of`].
fn until_finished(arguments: &ReportArguments, page: &Path, seconds: u64) -> Result<(Made, Vec<Listed>), Failure> {
    interrupts::catch();
    let mut last = String::new();
    loop {
        let (made, runs) = made_of(arguments, Some(page))?;
        if made.is_finished {
            return Ok((made, runs));
        }
        let html = made.write()?;
        if interrupts::is_stopped() {
            write_atomically(page, html.as_bytes())?;
            let (run, page) = (arguments.runs[0].display(), page.display());
            return Err(Failure::Interrupted(format!("{page} has the page of {run} as it is now; the run is not finished")));
        }
        let html = live(&html, seconds);
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

/// The page of the runs that the arguments name, as their folders hold them now, and the runs if they are several. `page` is its file.
///
/// # Errors
/// [`Failure::Input`] if a folder holds no run, if a run that is shown alone is damaged, and for runs that cannot be compared.
fn made_of(arguments: &ReportArguments, page: Option<&Path>) -> Result<(Made, Vec<Listed>), Failure> {
    let ReportArguments { runs, sequential, watch, game, .. } = arguments;
    let of_one = if let [run] = &runs[..] { Source::open(run)? } else { None };
    if let Some(source) = of_one {
        return Ok((source.read(game, *sequential)?, Vec::new()));
    }
    let several = match &runs[..] {
        [folder] => listed::of_folder(folder, page, game).ok_or_else(|| unknown(folder))?,
        runs => {
            if let Some(twice) = (1..runs.len()).find(|&at| runs[..at].contains(&runs[at])) {
                return Err(Failure::input(format!("{} is named twice; name different runs", runs[twice].display())));
            }
            let is_unique = |name: &str| runs.iter().filter(|run| name_of(run) == name).count() == 1;
            let read = |run: &PathBuf| {
                let name = Some(name_of(run)).filter(|name| is_unique(name)).unwrap_or_else(|| run.display().to_string());
                Listed::read(run, name, game).ok_or_else(|| unknown(run))
            };
            comparison::of_runs(runs.iter().map(read).collect::<Result<_, _>>()?, page, game)?
        }
    };
    if sequential.is_some() || watch.is_some() {
        return Err(Failure::input("--watch and --sequential go with one run; name one, or leave the flag out"));
    }
    Ok(several)
}

fn unknown(run: &Path) -> Failure {
    let run = run.display();
    Failure::input(format!(
        "{run} is no run with a page; name a folder of match --out, match --games-out, selfplay, evolve, td, linear fit, network train, leaves \
         train, win-percentage train or experiment run. For recorded games in GCG see tilewright game show --html, for leave tables without \
         a run tilewright leaves report"
    ))
}
