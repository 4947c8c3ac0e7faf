//! The artefact of a win-percentage run: its payloads, metrics and manifest.

use std::path::Path;

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter, Origin};
use tilewright_engine::setup::Setup;
use tilewright_engine::win_percentage::csv;
use tilewright_engine::win_percentage::load::{WIN_PERCENTAGE_FILE, WIN_PERCENTAGE_KIND};

use super::comparison::Comparison;
use super::config::WinPercentageConfig;
use super::run::WinPercentageOutcome;
use crate::run_config::RunConfig;

/// The empirical table.
const EMPIRICAL_FILE: &str = "empirical.csv";
/// The table of the logistic curves.
const LOGISTIC_FILE: &str = "logistic.csv";
/// The network that the win table is computed from.
const NETWORK_FILE: &str = "network.json";
/// The scores of the tables on held-out games.
const SCORES_FILE: &str = "scores.json";

/// Writes the result of a run to its folder, with the scores of its tables on held-out games. The caller may add pages, and
/// finishes the artefact.
///
/// # Errors
/// [`ArtefactError`].
pub fn write(
    setup: &Setup,
    config: &WinPercentageConfig,
    outcome: &WinPercentageOutcome,
    comparison: &Comparison,
    folder: &Path,
) -> Result<ArtefactWriter, ArtefactError> {
    let origin = Origin { feature_set: "tiles left, version 1".into(), seed: config.seed, config: config.to_toml() };
    let mut artefact = ArtefactWriter::new(folder, WIN_PERCENTAGE_KIND, setup, origin);
    if let Some(&probability) = comparison.chance_at_start.first() {
        artefact.measure("chance_at_start", probability);
    }
    for scored in comparison.strata.first().iter().flat_map(|stratum| &stratum.scores) {
        artefact.measure(format!("{}_log_loss", scored.table), scored.score.log_loss);
        artefact.measure(format!("{}_brier", scored.table), scored.score.brier);
        artefact.measure(format!("{}_calibration_error", scored.table), scored.score.calibration_error);
    }
    artefact.add(WIN_PERCENTAGE_FILE, csv::write(&outcome.table))?;
    artefact.add(EMPIRICAL_FILE, csv::write(&outcome.empirical))?;
    artefact.add(LOGISTIC_FILE, csv::write(&outcome.curves))?;
    let line = |text: String| text + "\n";
    artefact.add_encoded(NETWORK_FILE, serde_json::to_string(&outcome.network).map(line))?;
    artefact.add_encoded(SCORES_FILE, serde_json::to_string_pretty(comparison).map(line))?;
    Ok(artefact)
}
