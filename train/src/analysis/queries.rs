//! The queries: tables of bingos, scores, words and squares.

mod bingos;
mod words;
mod squares;

use super::query::Query;

/// All queries.
pub const QUERIES: [&Query; 11] = [
    &bingos::BY_TURN,
    &bingos::BY_TILE,
    &bingos::SCORES_BY_TURN,
    &bingos::SCORES_BY_TILE,
    &bingos::SCORES_BY_TWO,
    &words::TILES_LAID,
    &words::SCORES_BY_TILES_LAID,
    &words::LENGTHS,
    &words::SCORES_BY_LENGTH,
    &squares::USE,
    &squares::SCORES,
];
