//! The artefact of a TD run: its payloads, metrics and manifest.

use std::path::Path;

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter, Origin};
use tilewright_engine::evaluator::linear::load::{LINEAR_KIND, WEIGHTS_FILE};
use tilewright_engine::evaluator::network::load::NETWORK_KIND;
use tilewright_engine::features::feature_set;
use tilewright_engine::leave::klv;
use tilewright_engine::leave::load::{LEAVES_FILE, LEAVES_KIND};
use tilewright_engine::setup::Setup;

use super::batches::Snapshot;
use super::config::TdConfig;
use super::network::{LEVEL_NAMES, NetworkLearning, NetworkOutcome};
use super::run::TdOutcome;
use crate::network::artefact::payloads;
use crate::run_config::RunConfig;

/// The weights over the course of the run.
pub const COURSE_FILE: &str = "course.csv";

/// Writes the result of a run to its folder: a leave table, and weights that go with it if features were learned.
///
/// # Errors
/// [`ArtefactError`].
pub fn write(setup: &Setup, config: &TdConfig, outcome: &TdOutcome, folder: &Path) -> Result<(), ArtefactError> {
    let terms = &outcome.terms;
    let kind = if terms.has_features() { LINEAR_KIND } else { LEAVES_KIND };
    let origin = Origin { feature_set: terms.feature_set(), seed: config.seed, config: config.to_toml() };
    let mut artefact = ArtefactWriter::new(folder, kind, setup, origin);
    artefact.add_encoded(LEAVES_FILE, klv::write(&outcome.table))?;
    if let Some(last) = outcome.snapshots.last() {
        artefact.measure("error", last.error);
        if terms.has_features() {
            artefact.add_encoded(WEIGHTS_FILE, toml::to_string(&terms.linear_weights(&last.weights)))?;
        }
    }
    let names = (0..terms.count()).map(|number| terms.show(number, &setup.tileset));
    artefact.add(COURSE_FILE, course(names, &outcome.snapshots))?;
    artefact.finish()
}

/// Writes the network of a run to its folder, with the leave table of its features unless that is the embedded one.
///
/// # Errors
/// [`ArtefactError`].
pub fn write_network(run: &NetworkLearning<'_>, outcome: &NetworkOutcome, folder: &Path) -> Result<(), ArtefactError> {
    let NetworkLearning { setup, config, ref start, .. } = *run;
    let origin = Origin { feature_set: feature_set("features of moves"), seed: config.seed, config: config.to_toml() };
    let mut artefact = ArtefactWriter::new(folder, NETWORK_KIND, setup, origin);
    if let Some(last) = outcome.snapshots.last() {
        artefact.measure("error", last.error);
    }
    for (name, bytes) in payloads(&outcome.network, start.own_table(), &setup.tileset, folder)? {
        artefact.add(name, bytes)?;
    }
    artefact.add(COURSE_FILE, course(LEVEL_NAMES.map(String::from).into_iter(), &outcome.snapshots))?;
    artefact.finish()
}

/// A row per snapshot: games, error, and the weights with these names.
fn course(names: impl Iterator<Item = String>, snapshots: &[Snapshot]) -> String {
    let mut text = format!("games,error{}\n", names.map(|name| format!(",{name}")).collect::<String>());
    for snapshot in snapshots {
        let weights: String = snapshot.weights.iter().map(|weight| format!(",{weight:.4}")).collect();
        text += &format!("{},{:.4}{weights}\n", snapshot.games, snapshot.error);
    }
    text
}
