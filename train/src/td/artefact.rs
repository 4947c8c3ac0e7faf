//! The artefact of a TD run: its payloads, metrics and manifest.

use std::path::Path;

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter, Origin};
use tilewright_engine::evaluator::linear::load::{LINEAR_KIND, WEIGHTS_FILE};
use tilewright_engine::leave::klv;
use tilewright_engine::leave::load::{LEAVES_FILE, LEAVES_KIND};
use tilewright_engine::setup::Setup;
use tilewright_engine::tileset::TileSet;

use super::config::TdConfig;
use super::run::TdOutcome;
use crate::run_config::RunConfig;

/// The weights over the course of the run.
const COURSE_FILE: &str = "course.csv";

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
    artefact.add(COURSE_FILE, course(outcome, &setup.tileset))?;
    artefact.finish()
}

/// A row per snapshot: games, error, and the weight of every term.
fn course(outcome: &TdOutcome, tileset: &TileSet) -> String {
    let names = (0..outcome.terms.count()).map(|number| outcome.terms.show(number, tileset));
    let mut text = format!("games,error{}\n", names.map(|name| format!(",{name}")).collect::<String>());
    for snapshot in &outcome.snapshots {
        let weights: String = snapshot.weights.iter().map(|weight| format!(",{weight:.4}")).collect();
        text += &format!("{},{:.4}{weights}\n", snapshot.games, snapshot.error);
    }
    text
}
