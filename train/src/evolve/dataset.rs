//! The log of an evolution as tables, with the weights in their own units.

use super::config::EvolveConfig;
use super::run::{Candidate, GenerationRecord};
use crate::parquet_file::Column;
use crate::schema::{Field, Schema, double, int64};

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
pub fn generations(config: &EvolveConfig, log: &[GenerationRecord]) -> Vec<(String, Column)> {
    let rows: Vec<_> = log.iter().map(|record| (record, &record.mean)).collect();
    let own = [
        ("sigma", Column::doubles(log, |record| record.sigma)),
        ("axis_ratio", Column::doubles(log, |record| record.axis_ratio)),
    ];
    columns(config, &rows, own)
}

/// A row for each candidate.
pub fn candidates<'a>(config: &EvolveConfig, log: &'a [GenerationRecord]) -> Vec<(String, Column)> {
    let of_record = |record: &'a GenerationRecord| {
        (0..).zip(&record.candidates).map(move |(number, candidate)| (number, (record, candidate)))
    };
    let (numbers, rows): (Vec<i64>, Vec<_>) = log.iter().flat_map(of_record).unzip();
    let places = Column::doubles(&rows, |(_, candidate)| candidate.place.unwrap_or(f64::NAN));
    columns(config, &rows, [("candidate", Column::Int64(numbers)), ("place", places)])
}

/// The columns of some points: what both tables have, with those of one of them behind the generation.
fn columns(
    config: &EvolveConfig,
    rows: &[(&GenerationRecord, &Candidate)],
    own: [(&str, Column); 2],
) -> Vec<(String, Column)> {
    let games = |(_, candidate): &(&GenerationRecord, &Candidate)| 2.0 * candidate.score.pairs as f64;
    let numbers = [
        ("search", Column::counts(rows, |(record, _)| record.search)),
        ("generation", Column::counts(rows, |(record, _)| record.generation)),
    ];
    let results = [
        ("pairs", Column::counts(rows, |(_, candidate)| candidate.score.pairs)),
        ("win_rate", Column::doubles(rows, |row| row.1.score.half_wins as f64 / 2.0 / games(row))),
        ("spread", Column::doubles(rows, |row| row.1.score.spread as f64 / games(row))),
    ];
    let named = numbers.into_iter().chain(own).chain(results).map(|(name, column)| (name.to_string(), column));
    let weights = config.weights.keys().enumerate().map(|(number, feature)| {
        let weight = |point: &[f64]| config.sought_at(point).nth(number).map_or(f64::NAN, |(_, weight)| weight);
        (format!("weight_{}", feature.about().name), Column::doubles(rows, |(_, candidate)| weight(&candidate.point)))
    });
    let (searched, dimensions) = (config.weights.len(), rows.first().map_or(0, |(_, candidate)| candidate.point.len()));
    let outputs = (searched..dimensions)
        .map(|at| (format!("output_{}", at - searched), Column::doubles(rows, |(_, candidate)| candidate.point[at])));
    named.chain(weights).chain(outputs).collect()
}
