//! An evolution as a run, its artefact, and its log as tables, with the weights in their own units.

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter, PROMOTED};
use tilewright_engine::evaluator::linear::load::{LINEAR_KIND, WEIGHTS_FILE};
use tilewright_engine::evaluator::network::load::{LoadedNetwork, NETWORK_KIND};
use tilewright_engine::features::feature_set;

use super::config::EvolveConfig;
use super::fitness::CandidateScore;
use super::run::{Candidate, Evolution, EvolveOutcome, GenerationRecord};
use super::space::Evolved;
use crate::journal::{Journal, RunKey};
use crate::network::artefact::payloads as network_payloads;
use crate::run::{Place, Run, RunError, kind};
use crate::run_config::RunConfig;
use crate::schema::Cell::{Double, Int64};
use crate::schema::{Cell, Field, Schema, Table, double, int64};

/// Every generation with its candidates, one per line.
pub const LOG_FILE: &str = "generations.jsonl";

impl Run for Evolution<'_> {
    const KIND: &'static str = kind::EVOLVE;
    const TABLES: &'static [&'static Schema] = &[&GENERATIONS_SCHEMA, &CANDIDATES_SCHEMA];
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
        let kind = if config.network.is_some() { NETWORK_KIND } else { LINEAR_KIND };
        let mut artefact = place.artefact(kind, setup, feature_set("features of moves"), config.seed)?;
        artefact.measure("games", outcome.games as f64);
        artefact.measure(PROMOTED, f64::from(u8::from(outcome.is_promoted())));
        artefact.measure("promotion_pairs", outcome.promotion.pairs as f64);
        if let Some(summary) = outcome.promotion.summary() {
            artefact.measure("promotion_win_rate", summary.win_rate.mean);
            artefact.measure("promotion_spread", summary.spread.mean);
        }
        artefact.add_encoded(LOG_FILE, log(&outcome.generations))?;
        let payloads = match &outcome.weights {
            Evolved::Linear(weights) => {
                artefact.add_encoded(WEIGHTS_FILE, toml::to_string(weights))?;
                let own_table = leaves.filter(|_| config.leaves.is_some());
                own_table.map_or(Ok(Vec::new()), |table| table.payloads(&setup.tileset, place.folder))?
            }
            Evolved::Network(weights) => {
                let own_table = space.network().and_then(LoadedNetwork::own_table);
                network_payloads(weights, own_table, &setup.tileset, place.folder)?
            }
        };
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

/// Columns of both tables.
const SEARCH: Field = int64("search", "number of the search, from 0");
const GENERATION: Field = int64("generation", "number of the generation in its search, from 1");
const WEIGHT: Field = double("weight_*", "weight of a feature; for a network, what is added to its skip weight")
    .unit("points per unit of the feature");
const OUTPUT: Field =
    double("output_*", "distance of a weight of a network's last layer from its start").unit("units of the search");

/// The columns of [`generations`].
pub const GENERATIONS_SCHEMA: Schema = Schema {
    name: "generations",
    row: "a generation, with its mean",
    fields: &[
        SEARCH,
        GENERATION,
        double("sigma", "step size of the distribution").unit("scale of each weight"),
        double("axis_ratio", "longest axis of the distribution over the shortest"),
        int64("pairs", "pairs that the mean played").unit("pairs"),
        double("win_rate", "win rate of the mean against the baseline").unit("0 to 1").view("mean"),
        double("spread", "spread of the mean against the baseline").unit("points per game").view("mean"),
        WEIGHT,
        OUTPUT,
    ],
};

/// The columns of [`candidates`].
pub const CANDIDATES_SCHEMA: Schema = Schema {
    name: "evolution_candidates",
    row: "a candidate of a generation",
    fields: &[
        SEARCH,
        GENERATION,
        int64("candidate", "number of the candidate, from 0"),
        double("place", "place among the candidates of the generation, 0 for the best"),
        int64("pairs", "pairs played; fewer if the candidate stopped early").unit("pairs"),
        double("win_rate", "win rate against the baseline").unit("0 to 1").view("candidate"),
        double("spread", "spread against the baseline").unit("points per game").view("candidate"),
        WEIGHT,
        OUTPUT,
    ],
};

/// A row for each generation.
pub fn generations(config: &EvolveConfig, log: &[GenerationRecord]) -> Table {
    let mut table = table(&GENERATIONS_SCHEMA, config, log);
    for record in log {
        let own = [("sigma", Double(record.sigma)), ("axis_ratio", Double(record.axis_ratio))];
        add(&mut table, config, record, own, &record.mean);
    }
    table
}

/// A row for each candidate.
pub fn candidates(config: &EvolveConfig, log: &[GenerationRecord]) -> Table {
    let mut table = table(&CANDIDATES_SCHEMA, config, log);
    for record in log {
        for (number, candidate) in (0..).zip(&record.candidates) {
            let own = [("candidate", Int64(number)), ("place", Double(candidate.place.unwrap_or(f64::NAN)))];
            add(&mut table, config, record, own, candidate);
        }
    }
    table
}

/// A table without rows, with the columns of the weights.
fn table(schema: &'static Schema, config: &EvolveConfig, log: &[GenerationRecord]) -> Table {
    let weights = config.weights.keys().map(|feature| format!("weight_{}", feature.about().name));
    let dimensions = log.first().map_or(0, |record| record.mean.point.len());
    let outputs = (config.weights.len()..dimensions).map(|at| format!("output_{}", at - config.weights.len()));
    Table::with_starred(schema, &weights.chain(outputs).collect::<Vec<_>>())
}

/// Adds a point with the columns that both tables have. The `own` columns of one table follow the generation.
fn add(
    table: &mut Table,
    config: &EvolveConfig,
    record: &GenerationRecord,
    own: [(&'static str, Cell); 2],
    Candidate { point, score, .. }: &Candidate,
) {
    let games = 2.0 * score.pairs as f64;
    let numbers = [("search", Int64(record.search as i64)), ("generation", Int64(record.generation as i64))];
    let results = [
        ("pairs", Int64(score.pairs as i64)),
        ("win_rate", Double(score.half_wins as f64 / 2.0 / games)),
        ("spread", Double(score.spread as f64 / games)),
    ];
    let weights = config.sought_at(point).map(|(_, weight)| ("weight_*", Double(weight)));
    let outputs = point[config.weights.len()..].iter().map(|&at| ("output_*", Double(at)));
    table.add(numbers.into_iter().chain(own).chain(results).chain(weights).chain(outputs));
}
