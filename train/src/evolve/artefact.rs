//! An evolution as a run, and its artefact.

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter, PROMOTED};
use tilewright_engine::evaluator::linear::load::{LINEAR_KIND, WEIGHTS_FILE};
use tilewright_engine::evaluator::network::load::{LoadedNetwork, NETWORK_KIND};
use tilewright_engine::features::feature_set;

use super::config::EvolveConfig;
use super::dataset;
use super::fitness::CandidateScore;
use super::run::{Evolution, EvolveOutcome, GenerationRecord};
use super::space::Evolved;
use crate::journal::{Journal, RunKey};
use crate::network::artefact::payloads as network_payloads;
use crate::run::{Place, Run, RunError, kind};
use crate::run_config::RunConfig;
use crate::schema::Schema;

/// Every generation with its candidates, one per line.
pub const LOG_FILE: &str = "generations.jsonl";

impl Run for Evolution<'_> {
    const KIND: &'static str = kind::EVOLVE;
    const TABLES: &'static [&'static Schema] = &[&dataset::GENERATIONS_SCHEMA, &dataset::CANDIDATES_SCHEMA];
    type Outcome = EvolveOutcome;

    fn seed(&self) -> u64 {
        self.config.seed
    }

    fn key(&self) -> RunKey {
        let leaves = self.leaves.map(|leaves| leaves.identity(&self.setup.tileset)).unwrap_or_default();
        let key = RunKey::new(Self::KIND, self.config.to_toml())
            .with_setup(self.setup)
            .with_input("baseline", &*self.baseline.identity)
            .with_input("opponent of the promotion test", &*self.promotion.identity)
            .with_input("leave table", leaves);
        self.space.network().iter().fold(key, |key, network| key.with_input("network", &*network.identity))
    }

    fn execute(&self, journal: &Journal<'_>) -> Result<EvolveOutcome, RunError> {
        self.run(journal)
    }

    /// The weights, the log, and the leave table of the features unless it is the embedded one. The manifest holds the verdict of the test.
    fn write(&self, outcome: &EvolveOutcome, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError> {
        let Evolution { setup, config, leaves, ref space, .. } = *self;
        let folder = place.folder;
        let fault = |name: &str, source| ArtefactError::Encoding { path: folder.place(name), source };
        let log = log(&outcome.generations).map_err(|error| fault(LOG_FILE, error.into()))?;
        let mut payloads = vec![(LOG_FILE, log.into_bytes())];
        match &outcome.weights {
            Evolved::Linear(weights) => {
                let weights = toml::to_string(weights).map_err(|error| fault(WEIGHTS_FILE, error.into()))?;
                payloads.push((WEIGHTS_FILE, weights.into_bytes()));
                if let Some(leaves) = leaves.filter(|_| config.leaves.is_some()) {
                    payloads.extend(leaves.payloads(&setup.tileset, folder)?);
                }
            }
            Evolved::Network(weights) => {
                let own_table = space.network().and_then(LoadedNetwork::own_table);
                payloads.extend(network_payloads(weights, own_table, &setup.tileset, folder)?);
            }
        }
        let kind = if config.network.is_some() { NETWORK_KIND } else { LINEAR_KIND };
        let mut artefact = place.artefact(kind, setup, feature_set("features of moves"), config.seed)?;
        artefact.measure("games", outcome.games as f64);
        artefact.measure(PROMOTED, f64::from(u8::from(outcome.is_promoted())));
        artefact.measure("promotion_pairs", outcome.promotion.pairs as f64);
        if let Some(summary) = outcome.promotion.summary() {
            artefact.measure("promotion_win_rate", summary.win_rate.mean);
            artefact.measure("promotion_spread", summary.spread.mean);
        }
        for (name, bytes) in payloads {
            artefact.add(name, bytes)?;
        }
        Ok(Some(artefact))
    }
}

/// The largest count in a log. Sums over all candidates stay far below the limit of their type.
const MOST: u64 = u32::MAX as u64;

/// Whether games could have ended like this.
fn is_possible(score: &CandidateScore) -> bool {
    score.pairs <= MOST && score.half_wins <= 4 * score.pairs && score.spread.unsigned_abs() <= 100_000 * score.pairs
}

/// Reads a log.
///
/// # Errors
/// A line that is no generation of an evolution with this config.
pub fn read_log(text: &str, config: &EvolveConfig) -> Result<Vec<GenerationRecord>, String> {
    let mut length = None;
    let line = |(number, line)| {
        let record: GenerationRecord = serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))?;
        let candidates = record.candidates.iter().chain([&record.mean]);
        if record.search.max(record.generation) > MOST || !candidates.clone().all(|candidate| is_possible(&candidate.score))
        {
            return Err(format!("line {number}: a count that no evolution reaches; the log is damaged, make it again"));
        }
        for point in candidates.map(|candidate| candidate.point.len()) {
            if point < config.weights.len() || *length.get_or_insert(point) != point {
                return Err(format!(
                    "line {number}: a point has {point} coordinates, which is another number than in the config or before"
                ));
            }
        }
        Ok(record)
    };
    (1..).zip(text.lines()).map(line).collect()
}

fn log(generations: &[GenerationRecord]) -> Result<String, serde_json::Error> {
    generations.iter().map(|record| serde_json::to_string(record).map(|line| line + "\n")).collect()
}
