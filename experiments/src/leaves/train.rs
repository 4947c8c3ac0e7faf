//! `leaves train`: a leave table from nothing, its report, and the match that shows what it is worth.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tilewright_engine::artefact::{Identity, Manifest};
use tilewright_engine::leave::load::{LATE_FILE, LEAVES_FILE, LEAVES_KIND};
use tilewright_engine::leave::{csv, klv};
use tilewright_engine::setup::Setup;
use tilewright_train::leaves::config::LeavesConfig;
use tilewright_train::leaves::detail::DETAIL_FILE;
use tilewright_train::leaves::failure::RunError;
use tilewright_train::leaves::generations::{GENERATIONS_FILE, Generations};
use tilewright_train::leaves::run::{GenerationReport, LeavesOutcome, run as train};
use tilewright_train::leaves::warnings::Warnings;
use tilewright_train::run_config::RunConfig;

use super::flags::LeavesTrainArguments;
use super::page::{self, Subject};
use super::summary;
use crate::failure::{Failure, Input};
use crate::flags::shell_word;
use crate::output::say;
use crate::progress::Progress;
use crate::{folder, loading, run_config};

/// The page of the table, as `leaves report` writes it.
const PAGE_FILE: &str = "report.html";

/// `leaves train`.
pub fn run(arguments: &LeavesTrainArguments) -> Result<(), Failure> {
    let config = arguments.config.as_deref().map_or_else(|| Ok(LeavesConfig::default()), run_config::from_file)?;
    let (mut config, flags) = run_config::with_flags(config, &arguments.flags, |config| {
        config.match_pairs = arguments.match_pairs.unwrap_or(config.match_pairs);
    })?;
    let (setup, game) = (loading::start(&flags)?, &flags.common.game);
    if let Some(budget) = arguments.budget {
        config = config.within(budget, &setup.tileset).input()?;
    }
    let out = arguments.out.clone().unwrap_or_else(|| default_out(&config, &setup));
    folder::prepare(&out, &config.to_toml())?;
    if !game.quiet {
        eprintln!("training in {}", out.display());
    }
    let progress = Progress::new(game.quiet);
    let outcome = train(&setup, &config, &out, arguments.part, &progress);
    progress.finish();
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(RunError::Interrupted) => return Err(Failure::resumable(&out)),
        Err(RunError::PartDone { missing }) => {
            say!(
                "This part is done and in {0}/work; {missing} shards are with the other parts. Copy the work folders of all parts \
                 into one, and run the same command there without --part.",
                out.display()
            );
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let report = summary::write(&setup, &config, &outcome);
    let warnings = write(&setup, &config, &outcome, &report, &out)?;
    say!("{report}");
    say!("Warnings: {}; see {}", warnings.summary(), out.join(PAGE_FILE).display());
    say!(
        "The table is in {}. Try: tilewright match --player-a {} --player-b greedy --pairs 1000{}",
        out.display(),
        shell_word(&format!("leave:{}", out.display())),
        game.repeated()
    );
    Ok(())
}

fn default_out(config: &LeavesConfig, setup: &Setup) -> PathBuf {
    let (games, boards) = (config.games.iter().sum::<u64>(), config.boards.iter().sum::<u64>());
    let (lexicon, tileset) = (&setup.lexicon.name, setup.tileset.name());
    PathBuf::from(format!("runs/leaves-{lexicon}-{tileset}-{games}-games-{boards}-boards-{}", config.seed))
}

/// Writes the artefact: payloads, report, and the manifest last.
fn write(
    setup: &Setup,
    config: &LeavesConfig,
    outcome: &LeavesOutcome,
    report: &str,
    out: &Path,
) -> Result<Warnings, Failure> {
    let mut metrics = BTreeMap::new();
    if let Some(summary) = outcome.closing_match.summary() {
        metrics.insert("match_pairs".to_string(), outcome.closing_match.pairs as f64);
        metrics.insert("match_win_rate".to_string(), summary.win_rate.mean);
        metrics.insert("match_spread".to_string(), summary.spread.mean);
    }
    if let Some(fit) = outcome.generations.last().and_then(GenerationReport::fit) {
        metrics.insert("held_out_error".to_string(), fit.held_out_error);
    }
    let mut manifest = Manifest {
        kind: LEAVES_KIND.into(),
        tileset: Identity::of_tileset(setup),
        lexicon: Identity::of_lexicon(setup),
        feature_set: "sub-multisets to 3 tiles, version 1".into(),
        seed: config.seed,
        code_version: env!("CARGO_PKG_VERSION").into(),
        parents: Vec::new(),
        config: config.to_toml(),
        metrics,
        files: BTreeMap::new(),
    };
    manifest.add(out, LEAVES_FILE, &klv::write(&outcome.table)?)?;
    if let Some(late) = &outcome.late {
        manifest.add(out, LATE_FILE, late.to_csv(&setup.tileset).as_bytes())?;
    }
    manifest.add(out, "leaves.csv", csv::write(&outcome.table, &setup.tileset).as_bytes())?;
    manifest.add(out, DETAIL_FILE, &outcome.detail.to_bytes(&outcome.table, &setup.tileset)?)?;
    manifest.add(out, "report.md", report.as_bytes())?;
    let generations = Generations::of(outcome, config);
    manifest.add(out, GENERATIONS_FILE, &generations.to_bytes()?)?;
    let warnings = Warnings::new(&outcome.table, Some(&outcome.detail));
    let page = page::write(&Subject {
        name: &setup.lexicon.name,
        words: Some(setup.lexicon.words()),
        tileset: &setup.tileset,
        table: &outcome.table,
        detail: Some(&outcome.detail),
        warnings: &warnings,
        manifest: Some(&manifest),
        generations: Some(&generations),
    });
    manifest.add(out, PAGE_FILE, page.as_bytes())?;
    manifest.finish(out)?;
    Ok(warnings)
}
