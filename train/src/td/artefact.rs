//! TD learning as a run, and its artefact.

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter};
use tilewright_engine::evaluator::linear::load::{LINEAR_KIND, WEIGHTS_FILE};
use tilewright_engine::evaluator::network::load::NETWORK_KIND;
use tilewright_engine::features::feature_set;
use tilewright_engine::leave::klv;
use tilewright_engine::leave::load::{LEAVES_FILE, LEAVES_KIND};
use tilewright_engine::setup::Setup;

use super::config::TdConfig;
use super::course::{self, COURSE_FILE, Course};
use super::network::{NetworkLearning, NetworkOutcome, STATE_VALUE_NAMES};
use super::run::{TdOutcome, TermLearning};
use crate::journal::{Journal, RunKey};
use crate::network::artefact::payloads;
use crate::run::{Place, Run, RunError, kind};
use crate::run_config::RunConfig;
use crate::schema::Schema;

/// A run of TD learning.
pub enum TdRun<'a> {
    /// It learns the weights of linear terms.
    Terms(TermLearning<'a>),
    /// It trains a network.
    Network(NetworkLearning<'a>),
}

/// What was learned.
pub enum Learned {
    /// Weights of linear terms.
    Terms(TdOutcome),
    /// A network.
    Network(Box<NetworkOutcome>),
}

impl TdRun<'_> {
    fn config(&self) -> &TdConfig {
        match self {
            TdRun::Terms(run) => run.config,
            TdRun::Network(run) => run.config,
        }
    }
}

impl Run for TdRun<'_> {
    const KIND: &'static str = kind::TD;
    const TABLES: &'static [&'static Schema] = &[&course::SNAPSHOTS_SCHEMA, &course::WEIGHTS_SCHEMA];
    type Outcome = Learned;

    fn setup(&self) -> &Setup {
        match self {
            TdRun::Terms(run) => run.setup,
            TdRun::Network(run) => run.setup,
        }
    }

    fn seed(&self) -> u64 {
        self.config().seed
    }

    fn key(&self) -> RunKey {
        let key = RunKey::new(Self::KIND, self.config().to_toml()).with_setup(self.setup());
        match self {
            TdRun::Terms(run) => run.content.iter().fold(key, |key, own| key.with_input("content of the records", own)),
            TdRun::Network(NetworkLearning { start, setup, .. }) => {
                key.with_input("network or leave table to start with", start.identity(&setup.tileset))
            }
        }
    }

    fn execute(&self, journal: &Journal<'_>) -> Result<Learned, RunError> {
        match self {
            TdRun::Terms(run) => run.run(journal).map(Learned::Terms),
            TdRun::Network(run) => Ok(Learned::Network(Box::new(run.run(journal)?))),
        }
    }

    /// A leave table, with weights that go with it if features were learned; or a network, with the leave table of its features unless that is
    /// the embedded one.
    fn write(&self, learned: &Learned, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError> {
        let (setup, seed) = (self.setup(), self.seed());
        let artefact = |kind, features: String| place.artefact(kind, setup, features, seed);
        let (mut artefact, names, snapshots) = match learned {
            Learned::Terms(TdOutcome { terms, snapshots, table }) => {
                let kind = if terms.has_features() { LINEAR_KIND } else { LEAVES_KIND };
                let mut artefact = artefact(kind, terms.feature_set())?;
                artefact.add_encoded(LEAVES_FILE, klv::write(table))?;
                if let Some(last) = snapshots.last().filter(|_| terms.has_features()) {
                    artefact.add_encoded(WEIGHTS_FILE, toml::to_string(&terms.linear_weights(&last.weights)))?;
                }
                (artefact, terms.names(&setup.tileset), snapshots)
            }
            Learned::Network(learned) => {
                let mut artefact = artefact(NETWORK_KIND, feature_set("features of moves"))?;
                let own_table = if let TdRun::Network(run) = self { run.start.own_table() } else { None };
                for (name, bytes) in payloads(&learned.network, own_table, &setup.tileset, place.folder)? {
                    artefact.add(name, bytes)?;
                }
                (artefact, STATE_VALUE_NAMES.map(String::from).into(), &learned.snapshots)
            }
        };
        if let Some(last) = snapshots.last() {
            artefact.measure("error", last.error);
        }
        artefact.add(COURSE_FILE, Course { names, snapshots: snapshots.clone() }.to_text())?;
        Ok(Some(artefact))
    }
}
