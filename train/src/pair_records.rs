//! The pairs of a match in Parquet: one row per pair, in the order of their numbers.
//!
//! | column | type | what it is |
//! | --- | --- | --- |
//! | `pair` | int64 | number of the pair; with the seed it names the deal |
//! | `score_a_first`, `score_b_first` | int32 | points of A and B in the game that A began, less overtime penalties |
//! | `score_a_second`, `score_b_second` | int32 | the same for the game that B began |
//! | `half_wins` | int32 | half wins of A in both games, 0 to 4 |
//! | `luck_first`, `luck_second` | double | A's luck less B's, in points, for each game; 0 on average |
//! | `bingos_a_first`, `bingos_b_first`, `bingos_a_second`, `bingos_b_second` | int32 | plays of a full rack |
//! | `turns_first`, `turns_second` | int32 | turns of both players |
//! | `divergent` | int32 | 1 if any move of the two games differs, else 0 |
//!
//! In an unpaired match (`match --unpaired`), pair i has deals 2i and 2i + 1.

use tilewright_engine::series::MeasuredPair;

use crate::parquet_file::Column;

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
