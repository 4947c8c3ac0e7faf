//! The artefact of a linear fit: its payloads, metrics and manifest.

use std::path::Path;

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter, Origin};
use tilewright_engine::evaluator::linear::Weights;
use tilewright_engine::evaluator::linear::load::{LINEAR_KIND, WEIGHTS_FILE};
use tilewright_engine::features::feature_set;
use tilewright_engine::leave::load::LEAVES_FILE;
use tilewright_engine::lexicon::kwg::KwgError;

use super::run::{LinearFit, LinearOutcome};
use crate::run_config::RunConfig;

/// The figures of the fit on held-out games.
pub const REPORT_FILE: &str = "report.json";
/// The same as a page.
const PAGE_FILE: &str = "report.md";

/// Writes the result of a fit to its folder: the weights, what they explain, and the leave table of the features if it is not the
/// embedded one.
///
/// # Errors
/// [`ArtefactError`].
pub fn write(fit: &LinearFit<'_>, outcome: &LinearOutcome, folder: &Path) -> Result<(), ArtefactError> {
    let LinearFit { inputs, config } = *fit;
    let setup = inputs.setup;
    let origin = Origin { feature_set: feature_set("features of moves"), seed: config.seed, config: config.to_toml() };
    let mut artefact = ArtefactWriter::new(folder, LINEAR_KIND, setup, origin);
    artefact.measure("explained", outcome.report.held_out.all.explained);
    artefact.measure("signal", outcome.report.held_out.all.signal);
    artefact.measure("gain_per_turn", outcome.report.held_out.all.gain);
    let own_table = inputs.leaves.as_ref().filter(|_| config.leaves.is_some());
    let weights = Weights { leaves: own_table.map(|_| LEAVES_FILE.into()), ..outcome.weights.clone() };
    artefact.add_encoded(WEIGHTS_FILE, toml::to_string(&weights))?;
    if let Some(table) = own_table {
        let fault = |error: KwgError| ArtefactError::Encoding { path: folder.join(LEAVES_FILE), source: error.into() };
        for (name, bytes) in table.payloads(&setup.tileset).map_err(fault)? {
            artefact.add(name, bytes)?;
        }
    }
    artefact.add_encoded(REPORT_FILE, serde_json::to_string_pretty(&outcome.report).map(|text| text + "\n"))?;
    artefact.add(PAGE_FILE, outcome.report.to_markdown(&weights))?;
    artefact.finish()
}
