//! The log of an evolution as tables, with the weights in their own units.

use super::config::EvolveConfig;
use super::run::{Candidate, GenerationRecord};
use crate::parquet_file::Column;
use crate::schema::{Field, Schema, Type, field};

/// Columns of both tables.
const SEARCH: Field = field("search", Type::Int64, "", "", "number of the search, from 0");
const GENERATION: Field = field("generation", Type::Int64, "", "", "number of the generation in its search, from 1");
const WEIGHT: Field = field(
    "weight_*",
    Type::Double,
    "points per unit of the feature",
    "",
    "weight of a feature; for a network, what is added to its skip weight",
);
const OUTPUT: Field = field(
    "output_*",
    Type::Double,
    "units of the search",
    "",
    "distance of a weight of a network's last layer from its start",
);

/// The columns of [`generations`].
pub const GENERATIONS_SCHEMA: Schema = Schema {
    name: "generations",
    row: "a generation, with its mean",
    fields: &[
        SEARCH,
        GENERATION,
        field("sigma", Type::Double, "scale of each weight", "", "step size of the distribution"),
        field("axis_ratio", Type::Double, "", "", "longest axis of the distribution over the shortest"),
        field("pairs", Type::Int64, "pairs", "", "pairs that the mean played"),
        field("win_rate", Type::Double, "0 to 1", "mean", "win rate of the mean against the baseline"),
        field("spread", Type::Double, "points per game", "mean", "spread of the mean against the baseline"),
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
        field("candidate", Type::Int64, "", "", "number of the candidate, from 0"),
        field("place", Type::Double, "", "", "place among the candidates of the generation, 0 for the best"),
        field("pairs", Type::Int64, "pairs", "", "pairs played; fewer if the candidate stopped early"),
        field("win_rate", Type::Double, "0 to 1", "candidate", "win rate against the baseline"),
        field("spread", Type::Double, "points per game", "candidate", "spread against the baseline"),
        WEIGHT,
        OUTPUT,
    ],
};

/// A row for each generation.
pub fn generations(config: &EvolveConfig, log: &[GenerationRecord]) -> Vec<(String, Column)> {
    let mut columns = numbers(log.iter());
    columns.push(double("sigma", log.iter().map(|record| record.sigma)));
    columns.push(double("axis_ratio", log.iter().map(|record| record.axis_ratio)));
    columns.extend(results(config, &log.iter().map(|record| &record.mean).collect::<Vec<_>>()));
    columns
}

/// A row for each candidate.
pub fn candidates(config: &EvolveConfig, log: &[GenerationRecord]) -> Vec<(String, Column)> {
    let of_each = || log.iter().flat_map(|record| record.candidates.iter().map(move |candidate| (record, candidate)));
    let mut columns = numbers(of_each().map(|(record, _)| record));
    let number = log.iter().flat_map(|record| 0..record.candidates.len() as i64);
    columns.push(("candidate".into(), Column::Int64(number.collect())));
    columns.push(double("place", of_each().map(|(_, candidate)| candidate.place.unwrap_or(f64::NAN))));
    columns.extend(results(config, &of_each().map(|(_, candidate)| candidate).collect::<Vec<_>>()));
    columns
}

fn numbers<'a>(records: impl Iterator<Item = &'a GenerationRecord> + Clone) -> Vec<(String, Column)> {
    let search = records.clone().map(|record| record.search as i64);
    let generation = records.map(|record| record.generation as i64);
    vec![("search".into(), Column::Int64(search.collect())), ("generation".into(), Column::Int64(generation.collect()))]
}

/// What some points won, and their weights.
fn results(config: &EvolveConfig, points: &[&Candidate]) -> Vec<(String, Column)> {
    let games = |candidate: &Candidate| 2.0 * candidate.score.pairs as f64;
    let pairs = points.iter().map(|candidate| candidate.score.pairs as i64).collect();
    let mut columns = vec![
        ("pairs".into(), Column::Int64(pairs)),
        double("win_rate", points.iter().map(|candidate| candidate.score.half_wins as f64 / 2.0 / games(candidate))),
        double("spread", points.iter().map(|candidate| candidate.score.spread as f64 / games(candidate))),
    ];
    for (number, &feature) in config.weights.keys().enumerate() {
        let weights = points.iter().filter_map(|candidate| config.sought_at(&candidate.point).nth(number));
        columns.push(double(&format!("weight_{}", feature.about().name), weights.map(|(_, weight)| weight)));
    }
    let dimensions = points.first().map_or(0, |candidate| candidate.point.len());
    for at in config.weights.len()..dimensions {
        let name = format!("output_{}", at - config.weights.len());
        columns.push(double(&name, points.iter().map(|candidate| candidate.point[at])));
    }
    columns
}

fn double(name: &str, values: impl Iterator<Item = f64>) -> (String, Column) {
    (name.into(), Column::Double(values.collect()))
}
