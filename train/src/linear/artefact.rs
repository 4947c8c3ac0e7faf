//! A linear fit as a run, and its artefact.

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter};
use tilewright_engine::evaluator::linear::Weights;
use tilewright_engine::evaluator::linear::load::{LINEAR_KIND, WEIGHTS_FILE};
use tilewright_engine::features::feature_set;
use tilewright_engine::leave::load::LEAVES_FILE;

use super::run::{LinearFit, LinearOutcome};
use crate::candidates::{Maker, OnSets};
use crate::journal::{Journal, RunKey};
use crate::run::{Place, Run, RunError, kind};
use crate::run_config::RunConfig;

/// The figures of the fit on held-out games.
pub const REPORT_FILE: &str = "report.json";

impl Run for OnSets<'_, LinearFit<'_>> {
    const KIND: &'static str = kind::LINEAR;
    type Outcome = LinearOutcome;

    fn seed(&self) -> u64 {
        self.fit.config.seed
    }

    fn key(&self) -> RunKey {
        self.fit.inputs.key(Self::KIND, self.fit.config.to_toml())
    }

    fn execute(&self, journal: &Journal<'_>) -> Result<LinearOutcome, RunError> {
        let LinearFit { inputs, config } = &self.fit;
        let maker = Maker::new(inputs, &config.candidates, config.seed);
        self.fit.run(&self.open(&maker, journal)?)
    }

    /// Writes the weights, the report, and the leave table of the features if it is not the embedded one.
    fn write(&self, outcome: &LinearOutcome, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError> {
        let LinearFit { inputs, config } = &self.fit;
        let setup = inputs.setup;
        let mut artefact = place.artefact(LINEAR_KIND, setup, feature_set("features of moves"), config.seed)?;
        artefact.measure("explained", outcome.report.held_out.all.explained);
        artefact.measure("signal", outcome.report.held_out.all.signal);
        artefact.measure("gain_per_turn", outcome.report.held_out.all.gain.mean);
        let own_table = inputs.leaves.as_ref().filter(|_| config.leaves.is_some());
        let weights = Weights { leaves: own_table.map(|_| LEAVES_FILE.into()), ..outcome.weights.clone() };
        artefact.add_encoded(WEIGHTS_FILE, toml::to_string(&weights))?;
        if let Some(table) = own_table {
            for (name, bytes) in table.payloads(&setup.tileset, place.folder)? {
                artefact.add(name, bytes)?;
            }
        }
        artefact.add_encoded(REPORT_FILE, serde_json::to_string_pretty(&outcome.report).map(|text| text + "\n"))?;
        Ok(Some(artefact))
    }
}
