//! The artefact of a TD run: its payloads, metrics and manifest.

use std::path::Path;

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter, Origin};
use tilewright_engine::evaluator::linear::load::{LINEAR_KIND, WEIGHTS_FILE};
use tilewright_engine::evaluator::network::load::NETWORK_KIND;
use tilewright_engine::features::feature_set;
use tilewright_engine::leave::klv;
use tilewright_engine::leave::load::{LEAVES_FILE, LEAVES_KIND};
use tilewright_engine::setup::Setup;

use super::config::TdConfig;
use super::course::{COURSE_FILE, Course};
use super::network::{LEVEL_NAMES, NetworkLearning, NetworkOutcome};
use super::run::TdOutcome;
use crate::network::artefact::payloads;
use crate::run_config::RunConfig;

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
    let names = terms.names(&setup.tileset);
    artefact.add(COURSE_FILE, Course { names, snapshots: outcome.snapshots.clone() }.to_text())?;
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
    let course = Course { names: LEVEL_NAMES.map(String::from).into(), snapshots: outcome.snapshots.clone() };
    artefact.add(COURSE_FILE, course.to_text())?;
    artefact.finish()
}
