//! The artefact of a network run: its payloads, metrics and manifest.

use std::fmt::Write;
use std::path::Path;

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter, Origin};
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::evaluator::network::load::{NETWORK_FILE, NETWORK_KIND, SETTINGS_FILE};
use tilewright_engine::features::feature_set;
use tilewright_engine::leave::LeaveData;
use tilewright_engine::leave::load::LEAVES_FILE;
use tilewright_engine::tileset::TileSet;

use super::run::{NetworkOutcome, NetworkReport, NetworkRun};
use crate::run_config::RunConfig;

/// The figures of the run.
const REPORT_FILE: &str = "report.json";
/// The same as a page.
const PAGE_FILE: &str = "report.md";

/// Writes the result of a run to its folder: the network, its figures, and the leave table of its features unless that is the
/// embedded one.
///
/// # Errors
/// [`ArtefactError`].
pub fn write(run: &NetworkRun<'_>, outcome: &NetworkOutcome, folder: &Path) -> Result<(), ArtefactError> {
    let NetworkRun { inputs, config } = *run;
    let setup = inputs.setup;
    let origin = Origin { feature_set: feature_set("features of moves"), seed: config.seed, config: config.to_toml() };
    let mut artefact = ArtefactWriter::new(folder, NETWORK_KIND, setup, origin);
    artefact.measure("explained", outcome.report.network.all.explained);
    artefact.measure("explained_by_the_linear_fit", outcome.report.linear.all.explained);
    artefact.measure("signal", outcome.report.network.all.signal);
    let own_table = inputs.leaves.as_ref().filter(|_| config.leaves.is_some());
    for (name, bytes) in payloads(&outcome.network, own_table, &setup.tileset, folder)? {
        artefact.add(name, bytes)?;
    }
    artefact.add_encoded(REPORT_FILE, serde_json::to_string_pretty(&outcome.report).map(|text| text + "\n"))?;
    artefact.add(PAGE_FILE, page(&outcome.report))?;
    artefact.finish()
}

/// The files that make a network in `folder`: names and contents. `own_table` is the leave table of its features unless that is the
/// embedded one.
///
/// # Errors
/// [`ArtefactError::Encoding`].
pub fn payloads(
    network: &NetworkWeights,
    own_table: Option<&LeaveData>,
    tileset: &TileSet,
    folder: &Path,
) -> Result<Vec<(&'static str, Vec<u8>)>, ArtefactError> {
    let mut network = network.clone();
    network.settings.leaves = own_table.map(|_| LEAVES_FILE.into());
    let fault = |name: &str, reason: String| ArtefactError::Encoding { path: folder.join(name), source: reason.into() };
    let (settings, tensors) = network.to_files().map_err(|reason| fault(NETWORK_FILE, reason))?;
    let mut payloads = vec![(SETTINGS_FILE, settings.into_bytes()), (NETWORK_FILE, tensors)];
    if let Some(table) = own_table {
        payloads.extend(table.payloads(tileset).map_err(|error| fault(LEAVES_FILE, error.to_string()))?);
    }
    Ok(payloads)
}

fn page(report: &NetworkReport) -> String {
    let mut text = String::from("# A network on simulated gains\n\n## Held-out games\n\nThe network:\n\n");
    text += &report.network.to_markdown();
    text += "\nIts skip connection alone:\n\n";
    text += &report.linear.to_markdown();
    let _ = writeln!(text, "\nIt was trained on {} candidate sets.\n\n## Epochs\n", report.training_sets);
    text += "| epoch | error, % of that of the skip connection | explained, % |\n| ---: | ---: | ---: |\n";
    for (number, epoch) in (1..).zip(&report.epochs) {
        let _ = writeln!(text, "| {number} | {:.2} | {:.2} |", 100.0 * epoch.error, 100.0 * epoch.explained);
    }
    text
}
