//! `win-percentage train`: self-play, the network and its table, and what they score on games that neither saw.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tilewright_engine::artefact::{Identity, Manifest};
use tilewright_engine::setup::Setup;
use tilewright_engine::win_percentage::csv;
use tilewright_engine::win_percentage::load::{WIN_PERCENTAGE_FILE, WIN_PERCENTAGE_KIND};
use tilewright_engine::win_percentage::scaled::scaled;
use tilewright_train::run_config::RunConfig;
use tilewright_train::win_percentage::comparison::Comparison;
use tilewright_train::win_percentage::config::WinPercentageConfig;
use tilewright_train::win_percentage::run::{RunError, WinPercentageOutcome, run as train};

use super::flags::WinPercentageTrainArguments;
use super::naming::{SCALED, player};
use super::{page, summary};
use crate::failure::Failure;
use crate::flags::shell_word;
use crate::output::say;
use crate::progress::Progress;
use crate::{folder, loading, run_config};

/// `win-percentage train`.
pub fn run(arguments: &WinPercentageTrainArguments) -> Result<(), Failure> {
    let config = arguments.config.as_deref().map_or_else(|| Ok(WinPercentageConfig::default()), run_config::from_file)?;
    let (config, flags) = run_config::with_flags(config, &arguments.flags, |config| {
        if let Some(player) = &arguments.player {
            config.player.clone_from(player);
        }
        config.games = arguments.games.unwrap_or(config.games);
        config.held_out_games = arguments.held_out_games.unwrap_or(config.held_out_games);
    })?;
    let (setup, game) = (loading::start(&flags)?, &flags.common.game);
    let player = player(&config.player, &setup, game)?;
    let out = arguments.out.clone().unwrap_or_else(|| default_out(&config, &setup));
    folder::prepare(&out, &config.to_toml())?;
    if !game.quiet {
        eprintln!("training in {}", out.display());
    }
    let progress = Progress::new(game.quiet);
    let outcome = train(&setup, &player, &config, &out, &progress);
    progress.finish();
    let outcome = match outcome {
        Err(RunError::Interrupted) => return Err(Failure::resumable(&out)),
        outcome => outcome?,
    };
    let tables = [
        ("network".to_string(), outcome.table.clone()),
        ("empirical".to_string(), outcome.empirical.clone()),
        ("logistic".to_string(), outcome.curves.clone()),
        (SCALED.to_string(), scaled(&setup.tileset)),
    ];
    let comparison = Comparison::of(&tables, &setup.tileset, &outcome.held_out);
    let report = summary::write(&setup, &config, &player.name, &outcome, &comparison);
    write(&setup, &config, &outcome, &comparison, &report, &out)?;
    say!("{report}");
    say!(
        "The table is in {0}. Try: tilewright win-percentage show {1}{2}",
        out.display(),
        shell_word(&out.to_string_lossy()),
        game.repeated()
    );
    Ok(())
}

fn default_out(config: &WinPercentageConfig, setup: &Setup) -> PathBuf {
    let (lexicon, tileset) = (&setup.lexicon.name, setup.tileset.name());
    PathBuf::from(format!("runs/win-percentage-{lexicon}-{tileset}-{}-games-{}", config.games, config.seed))
}

/// Writes the artefact: payloads, report, and the manifest last.
fn write(
    setup: &Setup,
    config: &WinPercentageConfig,
    outcome: &WinPercentageOutcome,
    comparison: &Comparison,
    report: &str,
    out: &Path,
) -> Result<(), Failure> {
    let mut metrics = BTreeMap::new();
    metrics.insert("chance_at_start".to_string(), comparison.chance_at_start[0]);
    for scored in comparison.strata.first().iter().flat_map(|stratum| &stratum.scores) {
        metrics.insert(format!("{}_log_loss", scored.table), scored.score.log_loss);
        metrics.insert(format!("{}_brier", scored.table), scored.score.brier);
        metrics.insert(format!("{}_calibration_error", scored.table), scored.score.calibration_error);
    }
    let mut manifest = Manifest {
        kind: WIN_PERCENTAGE_KIND.into(),
        tileset: Identity::of_tileset(setup),
        lexicon: Identity::of_lexicon(setup),
        feature_set: "tiles left, version 1".into(),
        seed: config.seed,
        code_version: env!("CARGO_PKG_VERSION").into(),
        parents: Vec::new(),
        config: config.to_toml(),
        metrics,
        files: BTreeMap::new(),
    };
    manifest.add(out, WIN_PERCENTAGE_FILE, csv::write(&outcome.table).as_bytes())?;
    manifest.add(out, "empirical.csv", csv::write(&outcome.empirical).as_bytes())?;
    manifest.add(out, "logistic.csv", csv::write(&outcome.curves).as_bytes())?;
    manifest.add(out, "network.json", (serde_json::to_string(&outcome.network)? + "\n").as_bytes())?;
    manifest.add(out, "scores.json", (serde_json::to_string_pretty(comparison)? + "\n").as_bytes())?;
    manifest.add(out, "report.md", report.as_bytes())?;
    let page = page::write(setup, outcome, comparison, &manifest);
    manifest.add(out, "report.html", page.as_bytes())?;
    manifest.finish(out)?;
    Ok(())
}
