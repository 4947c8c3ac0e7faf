//! `leaves train`: trains a leave table from nothing, and writes its report and its page.

use std::convert::Infallible;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::setup::Setup;
use tilewright_engine::tileset::TileSet;
use tilewright_train::journal::JournalError;
use tilewright_train::leaves::artefact;
use tilewright_train::leaves::config::LeavesConfig;
use tilewright_train::leaves::failure::RunError;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::lattice::Lattice;
use tilewright_train::leaves::run::{GenerationReport, LeavesOutcome, key, run as train};
use tilewright_train::leaves::warnings::{WarningCounts, Warnings};

use super::flags::LeavesTrainArguments;
use super::page::{self, Subject};
use super::summary;
use crate::failure::{Failure, Input};
use crate::flags::shell_word;
use crate::latest::Latest;
use crate::matches::pair::TallyJson;
use crate::output::{self, say};
use crate::progress::Progress;
use crate::report::{PAGE_FILE, REPORT_FILE};
use crate::run_config::RunJson;
use crate::tell::tell;
use crate::{crew, loading, run_config};

/// `leaves train`.
pub fn run(arguments: &LeavesTrainArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let config = arguments.config.as_deref().map_or_else(|| Ok(LeavesConfig::default()), run_config::from_file)?;
    let (mut config, flags) = run_config::with_flags(config, &arguments.flags, |config| {
        config.match_pairs = arguments.match_pairs.unwrap_or(config.match_pairs);
    })?;
    let (setup, game) = (loading::start(&flags)?, &flags.common.game);
    Lattice::check(&setup.tileset).map_err(Failure::input)?;
    loading::warn_of_unused_letters(&setup.lexicon, &setup.tileset, game);
    if let Some(budget) = arguments.budget {
        config = config.within(budget, &setup.tileset).input()?;
    }
    let key = key(&setup, &config);
    let out = run_config::out_folder(arguments.out.as_deref(), &default_name(&config, &setup), &key);
    let progress = Progress::new(game.quiet);
    let journal = crew::open(&out, &key, &progress)?;
    if !game.quiet {
        tell!("training in {}", out.display());
    }
    let outcome = train(&setup, &config, &lattice(&setup.tileset), &journal, arguments.part);
    let run = RunJson::new(&out, &setup, config.seed);
    if let Err(RunError::Journal(JournalError::PartDone { missing })) = outcome
        && arguments.part.is_some()
    {
        progress.finish();
        return output::show(&DonePart { run, missing_shards: missing }, json);
    }
    let outcome = outcome?;
    progress.begin("writing the table and its report", 0, "");
    let report = summary::write(&setup, &config, &outcome);
    let trained = TrainedLeaves {
        run,
        words: setup.lexicon.words(),
        leaves: outcome.table.values().len() - 1,
        warnings: write(&setup, &config, &outcome, &report, &out)?.counts(),
        generations: &outcome.generations,
        late_comparisons: outcome.late_comparisons,
        closing_match: TallyJson::from_tally(&outcome.closing_match),
        report,
    };
    progress.finish();
    let shown = output::show(&trained, json);
    say!(
        "The table is in {}. Try: tilewright match --player-a {} --player-b no-leaves --pairs 1000{}",
        out.display(),
        shell_word(&format!("leave:{}", out.display())),
        game.repeated()
    );
    shown
}

/// The result of `leaves train`. Values and errors are in points.
#[derive(Serialize)]
struct TrainedLeaves<'a> {
    #[serde(flatten)]
    run: RunJson,
    /// Words of the lexicon.
    words: usize,
    /// Leaves of the table.
    leaves: usize,
    warnings: WarningCounts,
    /// As in `generations.json`.
    generations: &'a [GenerationReport],
    /// Comparisons of plays from which the adjustments for few tiles come.
    late_comparisons: u64,
    /// The match of the table (A) against no leaves (B), if one was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    closing_match: Option<TallyJson>,
    /// The report that is printed.
    #[serde(skip)]
    report: String,
}

impl fmt::Display for TrainedLeaves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let page = Path::new(&self.run.folder).join(PAGE_FILE);
        write!(f, "{}\nWarnings: {}; see {}", self.report, self.warnings, page.display())
    }
}

/// The result of `leaves train --part`.
#[derive(Serialize)]
struct DonePart {
    #[serde(flatten)]
    run: RunJson,
    /// Shards of the run that other parts make.
    missing_shards: u64,
}

impl fmt::Display for DonePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "This part is done; its shards are in {}/work. The other parts make the {} missing shards. Copy the work \
             folders of all parts into one, and rerun the command there without --part.",
            self.run.folder, self.missing_shards
        )
    }
}

/// The lattice of a tile set. The next command of the process shares it.
fn lattice(tileset: &TileSet) -> Arc<Lattice> {
    static LATTICE: Latest<String, Lattice> = Latest::new();
    let Ok(lattice) = LATTICE.get_or(tileset.hash(), || Ok::<_, Infallible>(Lattice::new(tileset)));
    lattice
}

fn default_name(config: &LeavesConfig, setup: &Setup) -> String {
    let (games, boards) = (config.games.iter().sum::<u64>(), config.boards.iter().sum::<u64>());
    let (lexicon, tileset) = (&setup.lexicon.name, setup.tileset.name());
    format!("leaves-{lexicon}-{tileset}-{games}-games-{boards}-boards-{}", config.seed)
}

/// Writes the artefact with its report and its page.
fn write(
    setup: &Setup,
    config: &LeavesConfig,
    outcome: &LeavesOutcome,
    report: &str,
    out: &Path,
) -> Result<Warnings, Failure> {
    let mut artefact = artefact::write(setup, config, outcome, out)?;
    artefact.add(REPORT_FILE, report)?;
    let warnings = Warnings::new(&outcome.table, Some(&outcome.detail));
    let page = page::write(&Subject {
        name: &setup.lexicon.name,
        words: Some(setup.lexicon.words()),
        tileset: &setup.tileset,
        table: &outcome.table,
        detail: Some(&outcome.detail),
        warnings: &warnings,
        manifest: Some(artefact.manifest()),
        generations: Some(&Generations::new(outcome, config)),
    });
    artefact.add(PAGE_FILE, page)?;
    artefact.finish()?;
    Ok(warnings)
}
