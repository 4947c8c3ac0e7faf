//! The artefact of an evolution: its payloads, metrics and manifest.

use std::path::Path;

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter, Origin, write_atomically};
use tilewright_engine::evaluator::linear::load::{LINEAR_KIND, WEIGHTS_FILE};
use tilewright_engine::features::feature_set;
use tilewright_engine::leave::LeaveData;
use tilewright_engine::leave::load::LEAVES_FILE;
use tilewright_engine::setup::Setup;

use super::config::EvolveConfig;
use super::run::{EvolveOutcome, GenerationRecord};
use crate::run_config::RunConfig;

/// The weights of an answer that was not promoted.
pub const CANDIDATE_FILE: &str = "candidate.toml";
/// Every generation with its candidates, one per line.
const LOG_FILE: &str = "generations.jsonl";

/// Writes the result of an evolution to its folder: the weights, the log, and the leave table of the features unless it is
/// the embedded one. Promoted weights become an artefact; others are written as [`CANDIDATE_FILE`], without a manifest.
///
/// # Errors
/// [`ArtefactError`].
pub fn write(
    setup: &Setup,
    config: &EvolveConfig,
    leaves: Option<&LeaveData>,
    outcome: &EvolveOutcome,
    folder: &Path,
) -> Result<(), ArtefactError> {
    let fault = |name: &str, source| ArtefactError::Encoding { path: folder.join(name), source };
    let log = log(&outcome.generations).map_err(|error| fault(LOG_FILE, error.into()))?;
    let mut payloads = vec![(LOG_FILE, log.into_bytes())];
    let weights_file = if outcome.is_promoted() { WEIGHTS_FILE } else { CANDIDATE_FILE };
    let weights = toml::to_string(&outcome.weights);
    payloads.push((weights_file, weights.map_err(|error| fault(weights_file, error.into()))?.into_bytes()));
    if let Some(leaves) = leaves.filter(|_| config.leaves.is_some()) {
        payloads.extend(leaves.payloads(&setup.tileset).map_err(|error| fault(LEAVES_FILE, error.into()))?);
    }
    if !outcome.is_promoted() {
        return payloads.iter().try_for_each(|(name, bytes)| write_atomically(&folder.join(name), bytes));
    }
    let origin = Origin { feature_set: feature_set("features of moves"), seed: config.seed, config: config.to_toml() };
    let mut artefact = ArtefactWriter::new(folder, LINEAR_KIND, setup, origin);
    artefact.measure("games", outcome.games as f64);
    artefact.measure("promotion_pairs", outcome.promotion.pairs as f64);
    if let Some(summary) = outcome.promotion.summary() {
        artefact.measure("promotion_win_rate", summary.win_rate.mean);
        artefact.measure("promotion_spread", summary.spread.mean);
    }
    for (name, bytes) in payloads {
        artefact.add(name, bytes)?;
    }
    artefact.finish()
}

fn log(generations: &[GenerationRecord]) -> Result<String, serde_json::Error> {
    generations.iter().map(|record| serde_json::to_string(record).map(|line| line + "\n")).collect()
}
