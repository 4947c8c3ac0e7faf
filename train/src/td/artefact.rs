//! TD learning as a run, and its artefact.

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter};
use tilewright_engine::evaluator::linear::load::{LINEAR_KIND, WEIGHTS_FILE};
use tilewright_engine::evaluator::network::load::NETWORK_KIND;
use tilewright_engine::features::feature_set;
use tilewright_engine::leave::klv;
use tilewright_engine::leave::load::{LEAVES_FILE, LEAVES_KIND};
use tilewright_engine::setup::Setup;

use super::course::{COURSE_FILE, Course};
use super::network::{NetworkLearning, NetworkOutcome, STATE_VALUE_NAMES};
use super::run::{TdOutcome, TermLearning};
use crate::journal::{Journal, RunKey};
use crate::network::artefact::payloads;
use crate::run::{Place, Run, RunError, kind};
use crate::run_config::RunConfig;

impl Run for TermLearning<'_> {
    const KIND: &'static str = kind::TD;
    type Outcome = TdOutcome;

    fn setup(&self) -> &Setup {
        self.setup
    }

    fn seed(&self) -> u64 {
        self.config.seed
    }

    fn key(&self) -> RunKey {
        let key = RunKey::new(Self::KIND, self.config.to_toml()).with_setup(self.setup);
        self.content.iter().fold(key, |key, content| key.with_input("content of the records", content))
    }

    fn execute(&self, journal: &Journal<'_>) -> Result<TdOutcome, RunError> {
        self.run(journal)
    }

    /// A leave table, and weights that go with it if features were learned.
    fn write(&self, outcome: &TdOutcome, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError> {
        let terms = &outcome.terms;
        let kind = if terms.has_features() { LINEAR_KIND } else { LEAVES_KIND };
        let mut artefact = place.artefact(kind, self.setup, terms.feature_set(), self.config.seed);
        artefact.add_encoded(LEAVES_FILE, klv::write(&outcome.table))?;
        if let Some(last) = outcome.snapshots.last() {
            artefact.measure("error", last.error);
            if terms.has_features() {
                artefact.add_encoded(WEIGHTS_FILE, toml::to_string(&terms.linear_weights(&last.weights)))?;
            }
        }
        let names = terms.names(&self.setup.tileset);
        artefact.add(COURSE_FILE, Course { names, snapshots: outcome.snapshots.clone() }.to_text())?;
        Ok(Some(artefact))
    }
}

impl Run for NetworkLearning<'_> {
    const KIND: &'static str = kind::TD;
    type Outcome = NetworkOutcome;

    fn setup(&self) -> &Setup {
        self.setup
    }

    fn seed(&self) -> u64 {
        self.config.seed
    }

    fn key(&self) -> RunKey {
        RunKey::new(Self::KIND, self.config.to_toml())
            .with_setup(self.setup)
            .with_input("network or leave table to start with", self.start.identity(&self.setup.tileset))
    }

    fn execute(&self, journal: &Journal<'_>) -> Result<NetworkOutcome, RunError> {
        self.run(journal)
    }

    /// The network, and the leave table of its features unless that is the embedded one.
    fn write(&self, outcome: &NetworkOutcome, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError> {
        let NetworkLearning { setup, config, ref start, .. } = *self;
        let mut artefact = place.artefact(NETWORK_KIND, setup, feature_set("features of moves"), config.seed);
        if let Some(last) = outcome.snapshots.last() {
            artefact.measure("error", last.error);
        }
        for (name, bytes) in payloads(&outcome.network, start.own_table(), &setup.tileset, place.folder)? {
            artefact.add(name, bytes)?;
        }
        let course = Course { names: STATE_VALUE_NAMES.map(String::from).into(), snapshots: outcome.snapshots.clone() };
        artefact.add(COURSE_FILE, course.to_text())?;
        Ok(Some(artefact))
    }
}
