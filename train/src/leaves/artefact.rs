//! The artefact of a leave run: its payloads, metrics and manifest.

use std::path::Path;

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter, Origin};
use tilewright_engine::leave::load::{LATE_FILE, LEAVES_FILE, LEAVES_KIND};
use tilewright_engine::leave::{csv, klv};
use tilewright_engine::setup::Setup;

use super::config::LeavesConfig;
use super::detail::DETAIL_FILE;
use super::generations::{GENERATIONS_FILE, Generations};
use super::run::{GenerationReport, LeavesOutcome};
use crate::run_config::RunConfig;

/// The leave table as text.
const CSV_FILE: &str = "leaves.csv";

/// Writes the result of a run to its folder. The caller may add pages, and finishes the artefact.
///
/// # Errors
/// [`ArtefactError`].
pub fn write(
    setup: &Setup,
    config: &LeavesConfig,
    outcome: &LeavesOutcome,
    folder: &Path,
) -> Result<ArtefactWriter, ArtefactError> {
    let feature_set = "sub-multisets to 3 tiles, version 1".into();
    let origin = Origin { feature_set, seed: config.seed, config: config.to_toml() };
    let mut artefact = ArtefactWriter::new(folder, LEAVES_KIND, setup, origin);
    if let Some(summary) = outcome.closing_match.summary() {
        artefact.measure("match_pairs", outcome.closing_match.pairs as f64);
        artefact.measure("match_win_rate", summary.win_rate.mean);
        artefact.measure("match_spread", summary.spread.mean);
    }
    if let Some(fit) = outcome.generations.last().and_then(GenerationReport::fit) {
        artefact.measure("held_out_error", fit.held_out_error);
    }
    artefact.add_encoded(LEAVES_FILE, klv::write(&outcome.table))?;
    if let Some(late) = &outcome.late {
        artefact.add(LATE_FILE, late.to_csv(&setup.tileset))?;
    }
    artefact.add(CSV_FILE, csv::write(&outcome.table, &setup.tileset))?;
    artefact.add_encoded(DETAIL_FILE, outcome.detail.to_bytes(&outcome.table, &setup.tileset))?;
    artefact.add_encoded(GENERATIONS_FILE, Generations::new(outcome, config).to_bytes())?;
    Ok(artefact)
}
