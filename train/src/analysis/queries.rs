//! The queries: tables of bingos, scores, words, squares and simulations.

mod bingos;
mod words;
mod squares;
mod simulations;

use super::query::Query;

/// All queries.
pub const QUERIES: [&Query; 17] = [
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
    &simulations::BEST_RANK,
    &simulations::BEST_GAP,
    &simulations::SIMULATION_GAIN,
    &simulations::PLAYOUT_DEVIATION,
    &simulations::DIFFERENCE_DEVIATION,
    &simulations::COMMON_DEALS,
];
