//! `leaves train`: trains a leave table from nothing, and writes its report and its page.

use std::path::Path;

use tilewright_engine::setup::Setup;
use tilewright_train::journal::{Journal, JournalError};
use tilewright_train::leaves::artefact;
use tilewright_train::leaves::config::LeavesConfig;
use tilewright_train::leaves::failure::RunError;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::run::{LeavesOutcome, key, run as train};
use tilewright_train::leaves::warnings::Warnings;

use super::flags::LeavesTrainArguments;
use super::page::{self, Subject};
use super::summary;
use crate::failure::{Failure, Input};
use crate::flags::shell_word;
use crate::output::say;
use crate::progress::Progress;
use crate::report::{PAGE_FILE, REPORT_FILE};
use crate::{loading, run_config};

/// `leaves train`.
pub fn run(arguments: &LeavesTrainArguments) -> Result<(), Failure> {
    let config = arguments.config.as_deref().map_or_else(|| Ok(LeavesConfig::default()), run_config::from_file)?;
    let (mut config, flags) = run_config::with_flags(config, &arguments.flags, |config| {
        config.match_pairs = arguments.match_pairs.unwrap_or(config.match_pairs);
    })?;
    let (setup, game) = (loading::start(&flags)?, &flags.common.game);
    loading::warn_of_unused_letters(&setup.lexicon, &setup.tileset, game);
    if let Some(budget) = arguments.budget {
        config = config.within(budget, &setup.tileset).input()?;
    }
    let key = key(&setup, &config);
    let out = run_config::out_folder(arguments.out.as_deref(), &default_name(&config, &setup), &key);
    let progress = Progress::new(game.quiet);
    let journal = Journal::open(&out, &key, &progress)?;
    if !game.quiet {
        eprintln!("training in {}", out.display());
    }
    let outcome = train(&setup, &config, &journal, arguments.part);
    progress.finish();
    if let Err(RunError::Journal(JournalError::PartDone { missing })) = outcome {
        say!(
            "This part is done; its shards are in {0}/work. The other parts make the {missing} missing shards. Copy the \
             work folders of all parts into one, and rerun the command there without --part.",
            out.display()
        );
        return Ok(());
    }
    let outcome = outcome?;
    let report = summary::write(&setup, &config, &outcome);
    let warnings = write(&setup, &config, &outcome, &report, &out)?;
    say!("{report}");
    say!("Warnings: {}; see {}", warnings.summary(), out.join(PAGE_FILE).display());
    say!(
        "The table is in {}. Try: tilewright match --player-a {} --player-b no-leaves --pairs 1000{}",
        out.display(),
        shell_word(&format!("leave:{}", out.display())),
        game.repeated()
    );
    Ok(())
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
