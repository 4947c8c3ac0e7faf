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
pub struct TdRun<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// The config.
    pub config: &'a TdConfig,
    /// The model that learns.
    pub learning: Learning<'a>,
}

/// The model that learns in a run.
pub enum Learning<'a> {
    /// The weights of linear terms.
    Terms(TermLearning<'a>),
    /// A network.
    Network(NetworkLearning<'a>),
}

/// The learned model.
pub enum Learned {
    /// Weights of linear terms.
    Terms(TdOutcome),
    /// A network.
    Network(Box<NetworkOutcome>),
}

impl Run for TdRun<'_> {
    const KIND: &'static str = kind::TD;
    const TABLES: &'static [&'static Schema] = &[&course::SNAPSHOTS_SCHEMA, &course::WEIGHTS_SCHEMA];
    type Outcome = Learned;

    fn seed(&self) -> u64 {
        self.config.seed
    }

    fn key(&self) -> RunKey {
        let key = RunKey::new(Self::KIND, self.config.to_toml()).with_setup(self.setup);
        match &self.learning {
            Learning::Terms(terms) => {
                terms.content.iter().fold(key, |key, own| key.with_input("content of the records", own))
            }
            Learning::Network(network) => {
                key.with_input("network or leave table to start with", network.start.identity(&self.setup.tileset))
            }
        }
    }

    fn execute(&self, journal: &Journal<'_>) -> Result<Learned, RunError> {
        let TdRun { setup, config, learning } = self;
        Ok(match learning {
            Learning::Terms(terms) => Learned::Terms(terms.run(setup, config, journal)?),
            Learning::Network(network) => Learned::Network(Box::new(network.run(setup, config, journal)?)),
        })
    }

    /// Writes a leave table, with the weights that belong to it if features were learned. For a network, writes it with the
    /// leave table of its features, unless that is the embedded one.
    fn write(&self, learned: &Learned, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError> {
        let setup = self.setup;
        let artefact = |kind, features: String| place.artefact(kind, setup, features, self.config.seed);
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
                let own_table = if let Learning::Network(own) = &self.learning { own.start.own_table() } else { None };
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
