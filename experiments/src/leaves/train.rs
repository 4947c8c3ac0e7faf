//! `leaves train`: trains a leave table from nothing, and writes its report and its page.

use std::convert::Infallible;
use std::sync::Arc;

use serde::Serialize;
use tilewright_engine::artefact::ArtefactWriter;
use tilewright_engine::series::Summary;
use tilewright_engine::{Base, Setup};
use tilewright_train::leaves::budget::Budget;
use tilewright_train::leaves::config::LeavesConfig;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::lattice::Lattice;
use tilewright_train::leaves::run::{GenerationReport, LeavesOutcome, LeavesRun};
use tilewright_train::leaves::warnings::{WarningCounts, Warnings};

use super::flags::LeavesTrainArguments;
use super::page::{self, Subject};
use super::summary;
use crate::fitting::print_place;
use crate::report::{PAGE_FILE, REPORT_FILE};
use crate::run_config::{FitRequest, RunJson};
use crate::runs::{Context, Finished, RunRequest};
use crate::{Failure, Input, Progress, loading, output};

/// A request for the training of a leave table, with the amount of work, if it is not as in the config.
pub type LeavesRequest = FitRequest<LeavesConfig, Option<Budget>>;

pub fn request(arguments: &LeavesTrainArguments) -> Result<LeavesRequest, Failure> {
    let LeavesTrainArguments { config, flags, budget, match_pairs, .. } = arguments;
    FitRequest::of_file_or("default", config.as_deref(), flags, *budget, |config: &mut LeavesConfig| {
        config.match_pairs = match_pairs.unwrap_or(config.match_pairs);
    })
}

impl RunRequest for LeavesRequest {
    type Loaded = Arc<Lattice>;
    type Run<'a> = LeavesRun<'a>;
    const DOING: &'static str = "training";

    fn load(&mut self, setup: &Arc<Setup>, context: &Context<'_>, _progress: &Progress) -> Result<Arc<Lattice>, Failure> {
        let tileset = &setup.tileset;
        Lattice::check(tileset).map_err(Failure::input)?;
        loading::warn_of_unused_letters(&setup.lexicon, tileset, &self.flags.common.game);
        if let Some(budget) = self.more {
            self.config = self.config.clone().within(budget, tileset).input()?;
        }
        let Ok(lattice) = context.memos.lattice.get_or(tileset.hash(), || Ok::<_, Infallible>(Lattice::new(tileset)));
        Ok(lattice)
    }

    fn run<'a>(&'a self, setup: &'a Setup, lattice: &'a Arc<Lattice>) -> Result<Self::Run<'a>, Failure> {
        Ok(LeavesRun { setup, config: &self.config, lattice })
    }

    fn name(&self, setup: &Setup) -> String {
        let config = &self.config;
        let games: u64 = config.games.iter().sum();
        let (lexicon, tileset) = (&setup.lexicon.name, setup.tileset.name());
        format!("leaves-{lexicon}-{tileset}-{games}-games-{}", config.seed)
    }

    fn finish(&self, finished: Finished<'_, LeavesRun<'_>>, _lattice: &Arc<Lattice>) -> Result<(), Failure> {
        let Finished { run, outcome, artefact, out, json, file } = finished;
        let LeavesRun { setup, config, .. } = *run;
        let report = summary::write(setup, config, &outcome);
        let warnings = Warnings::new(&outcome.table, Some(&outcome.detail));
        if let Some(artefact) = artefact {
            add_pages(run, &outcome, &report, &warnings, artefact)?;
        }
        let trained = TrainedLeaves {
            run: json,
            words: setup.lexicon.report.words,
            leaves: outcome.table.values().len() - 1,
            warnings: warnings.counts(),
            generations: &outcome.generations,
            late_comparisons: outcome.late_comparisons,
            closing_match: outcome.closing_match.summary(),
        };
        let text = format!("{report}\nWarnings: {}; see {}", trained.warnings, out.join(PAGE_FILE).display());
        let shown = output::show_as(text, &trained, file);
        print_place("The table is", out, Base::leave(Some(out.into())), "no-leaves", &self.flags.common.game);
        shown
    }
}

/// The result of `leaves train`. Values and errors are in points.
#[derive(Serialize)]
struct TrainedLeaves<'a> {
    #[serde(flatten)]
    run: RunJson,
    words: usize,
    leaves: usize,
    warnings: WarningCounts,
    /// As in `generations.json`.
    generations: &'a [GenerationReport],
    /// Comparisons of plays from which the adjustments for few tiles come.
    late_comparisons: u64,
    /// The match of the table (A) against no leaves (B), if one was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    closing_match: Option<Summary>,
}

/// Adds the report and the page to the artefact.
fn add_pages(
    LeavesRun { setup, config, .. }: &LeavesRun<'_>,
    outcome: &LeavesOutcome,
    report: &str,
    warnings: &Warnings,
    artefact: &mut ArtefactWriter,
) -> Result<(), Failure> {
    artefact.add(REPORT_FILE, report)?;
    let page = page::write(&Subject {
        name: &setup.lexicon.name,
        words: Some(setup.lexicon.report.words),
        tileset: &setup.tileset,
        table: &outcome.table,
        detail: Some(&outcome.detail),
        warnings,
        manifest: Some(artefact.manifest()),
        generations: Some(&Generations::new(outcome, config)),
    });
    Ok(artefact.add(PAGE_FILE, page)?)
}
