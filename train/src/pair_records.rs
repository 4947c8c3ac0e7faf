//! The pairs of a match in Parquet: one row per pair, in the order of their numbers.
//!
//! [`SCHEMA`] says what the columns are. In an unpaired match (`match --unpaired`), pair i has deals 2i and 2i + 1.

use tilewright_engine::series::MeasuredPair;

use crate::parquet_file::Column;
use crate::schema::{Schema, Type, field};

/// The columns.
pub const SCHEMA: Schema = Schema {
    name: "pairs",
    row: "a pair of games",
    fields: &[
        field("pair", Type::Int64, "", "", "number of the pair; with the seed it names the deal"),
        field("score_a_first", Type::Int32, "points", "A", "points in the game that A began, less overtime penalties"),
        field("score_b_first", Type::Int32, "points", "B", "points in the game that A began"),
        field("score_a_second", Type::Int32, "points", "A", "points in the game that B began"),
        field("score_b_second", Type::Int32, "points", "B", "points in the game that B began"),
        field("half_wins", Type::Int32, "half wins", "A", "half wins in both games, 0 to 4"),
        field("luck_first", Type::Double, "points", "A", "A's luck less B's in the game that A began; 0 on average"),
        field("luck_second", Type::Double, "points", "A", "the same for the game that B began"),
        field("bingos_a_first", Type::Int32, "bingos", "A", "plays of a full rack in the game that A began"),
        field("bingos_b_first", Type::Int32, "bingos", "B", "plays of a full rack in the game that A began"),
        field("bingos_a_second", Type::Int32, "bingos", "A", "plays of a full rack in the game that B began"),
        field("bingos_b_second", Type::Int32, "bingos", "B", "plays of a full rack in the game that B began"),
        field("turns_first", Type::Int32, "turns", "", "turns of both players in the game that A began"),
        field("turns_second", Type::Int32, "turns", "", "turns of both players in the game that B began"),
        field("divergent", Type::Int32, "", "", "1 if any move of the two games differs, else 0"),
    ],
};

/// The columns as documented above.
pub fn columns(pairs: &[MeasuredPair]) -> Vec<(String, Column)> {
    let int = |name: &str, value: &dyn Fn(&MeasuredPair) -> i32| {
        (name.to_string(), Column::Int32(pairs.iter().map(value).collect()))
    };
    let points = |name: &str, game: usize| {
        let luck = pairs.iter().map(|measured| measured.luck[game] as f64 / 1000.0);
        (name.to_string(), Column::Double(luck.collect()))
    };
    // A has seat 0 in its first game and seat 1 in the second.
    vec![
        ("pair".to_string(), Column::Int64(pairs.iter().map(|measured| measured.pair.index as i64).collect())),
        int("score_a_first", &|measured| measured.pair.games[0].scores[0]),
        int("score_b_first", &|measured| measured.pair.games[0].scores[1]),
        int("score_a_second", &|measured| measured.pair.games[1].scores[1]),
        int("score_b_second", &|measured| measured.pair.games[1].scores[0]),
        int("half_wins", &|measured| measured.pair.half_wins() as i32),
        points("luck_first", 0),
        points("luck_second", 1),
        int("bingos_a_first", &|measured| measured.pair.games[0].bingos[0] as i32),
        int("bingos_b_first", &|measured| measured.pair.games[0].bingos[1] as i32),
        int("bingos_a_second", &|measured| measured.pair.games[1].bingos[1] as i32),
        int("bingos_b_second", &|measured| measured.pair.games[1].bingos[0] as i32),
        int("turns_first", &|measured| measured.pair.games[0].turns as i32),
        int("turns_second", &|measured| measured.pair.games[1].turns as i32),
        int("divergent", &|measured| i32::from(measured.games_differ)),
    ]
}
