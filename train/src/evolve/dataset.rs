//! The log of an evolution as tables, with the weights in their own units.

use super::config::EvolveConfig;
use super::run::{Candidate, GenerationRecord};
use crate::schema::Cell::{Double, Int64};
use crate::schema::{Cell, Field, Schema, Table, double, int64};

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
