//! The training of a network as a run, and its artefact.

use tilewright_engine::artefact::{Artefact, ArtefactError, ArtefactWriter};
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::evaluator::network::load::{NETWORK_FILE, NETWORK_KIND, SETTINGS_FILE};
use tilewright_engine::features::feature_set;
use tilewright_engine::folder::Folder;
use tilewright_engine::leave::load::LEAVES_FILE;
use tilewright_engine::{LeaveData, TileSet};

use super::dataset;
use super::run::{NetworkOutcome, NetworkReport, NetworkRun};
use crate::candidates::{Maker, OnSets};
use crate::journal::{Journal, RunKey};
use crate::run::{Place, Run, RunError, kind};
use crate::run_config::RunConfig;
use crate::schema::Schema;

/// The figures of the run.
const REPORT_FILE: &str = "report.json";

impl Run for OnSets<'_, NetworkRun<'_>> {
    const KIND: &'static str = kind::NETWORK;
    const TABLES: &'static [&'static Schema] = dataset::SCHEMAS;
    type Outcome = NetworkOutcome;

    fn seed(&self) -> u64 {
        self.fit.config.seed
    }

    fn key(&self) -> RunKey {
        let key = self.fit.inputs.key(Self::KIND, self.fit.config.to_toml());
        let key = self.fit.opponent.iter().fold(key, |key, opponent| key.with_input("opponent", &opponent.identity));
        self.budget.iter().fold(key, |key, budget| key.with_input("budget", format!("{}s", budget.as_secs_f64())))
    }

    fn execute(&self, journal: &Journal<'_>) -> Result<NetworkOutcome, RunError> {
        let NetworkRun { inputs, config, .. } = &self.fit;
        let maker = Maker::new(inputs, &config.candidates, config.seed);
        let sets = self.open(&maker, journal)?;
        maker.store(&sets, self.made)?;
        self.fit.run(journal, &sets)
    }

    /// The network, its figures, and the leave table of its features unless that is the embedded one.
    fn write(&self, outcome: &NetworkOutcome, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError> {
        let NetworkRun { inputs, config, .. } = &self.fit;
        let setup = inputs.setup;
        let mut artefact = place.artefact(NETWORK_KIND, setup, feature_set("features of moves"), config.seed)?;
        artefact.measure("explained", outcome.report.network.all.explained);
        artefact.measure("explained_by_the_linear_fit", outcome.report.linear.all.explained);
        artefact.measure("signal", outcome.report.network.all.signal);
        let own_table = inputs.leaves.as_ref().filter(|_| config.leaves.is_some());
        for (name, bytes) in payloads(&outcome.network, own_table, &setup.tileset, place.folder)? {
            artefact.add(name, bytes)?;
        }
        artefact.add_encoded(REPORT_FILE, serde_json::to_string_pretty(&outcome.report).map(|text| text + "\n"))?;
        Ok(Some(artefact))
    }
}

/// The figures of the run that an artefact holds, or `None` if it is not of `network train`.
///
/// # Errors
/// [`ArtefactError`] if they cannot be read.
pub fn read_report(artefact: &Artefact) -> Result<Option<NetworkReport>, ArtefactError> {
    if artefact.manifest().kind != NETWORK_KIND || !artefact.has(REPORT_FILE) {
        return Ok(None);
    }
    let fault = |source: serde_json::Error| ArtefactError::Encoding {
        path: artefact.path(REPORT_FILE),
        source: format!("{source}; another version of the program wrote it, or it is damaged").into(),
    };
    serde_json::from_slice(&artefact.payload(REPORT_FILE)?).map(Some).map_err(fault)
}

/// The files of a network in `folder`: names and contents. `own_table` is its leave table, if not the embedded one.
///
/// # Errors
/// [`ArtefactError::Encoding`].
pub fn payloads(
    network: &NetworkWeights,
    own_table: Option<&LeaveData>,
    tileset: &TileSet,
    folder: &Folder,
) -> Result<Vec<(&'static str, Vec<u8>)>, ArtefactError> {
    let mut network = network.clone();
    network.settings.leaves = own_table.map(|_| LEAVES_FILE.into());
    let fault = |reason: String| ArtefactError::Encoding { path: folder.place(NETWORK_FILE), source: reason.into() };
    let (settings, tensors) = network.to_files().map_err(fault)?;
    let mut payloads = vec![(SETTINGS_FILE, settings.into_bytes()), (NETWORK_FILE, tensors)];
    if let Some(table) = own_table {
        payloads.extend(table.payloads(tileset, folder)?);
    }
    Ok(payloads)
}
