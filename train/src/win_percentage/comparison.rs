//! The comparison of several win tables on the same held-out games.

use serde::{Deserialize, Serialize};
use tilewright_engine::win_percentage::{States, TilesLeft, WinPercentage};
use tilewright_engine::{Equity, TileSet};

use super::remaining_spreads::RemainingSpreads;
use super::scores::{Difference, Score, Stratum, difference, score};

/// The scores of one table in one stratum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TableScore {
    /// The table's name.
    pub table: String,
    /// Its scores.
    pub score: Score,
    /// The scores of the first table less this table's. Below 0 the first is better.
    pub first_minus_this: Difference,
}

/// The scores of all tables in one stratum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct StratumScores {
    /// The name of the stratum.
    pub stratum: String,
    /// The scores by table.
    pub scores: Vec<TableScore>,
}

/// The scores of all tables in all strata.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Comparison {
    /// Held-out games.
    pub games: u64,
    /// Each table's win probability for the player to move at the start of a game.
    pub chance_at_start: Vec<f64>,
    /// The strata. The first contains all turns.
    pub strata: Vec<StratumScores>,
}

impl Comparison {
    /// Scores tables, each with its name, on held-out games.
    pub fn new(tables: &[(String, WinPercentage)], tileset: &TileSet, shards: &[RemainingSpreads]) -> Comparison {
        let states = States::from_tileset(tileset);
        let mut all = RemainingSpreads::new(states);
        for shard in shards {
            all.merge(shard);
        }
        let rack = states.rack_size;
        let start = TilesLeft { bag: states.most_bag, own: rack, other: rack };
        let scored = |(name, table): &(String, WinPercentage), stratum: &Stratum| TableScore {
            table: name.clone(),
            score: score(table, states, &all, stratum),
            first_minus_this: tables
                .first()
                .map_or_else(Difference::default, |(_, first)| difference([first, table], states, shards, stratum)),
        };
        let strata = Stratum::all(tileset).into_iter().map(|stratum| StratumScores {
            scores: tables.iter().map(|table| scored(table, &stratum)).collect(),
            stratum: stratum.name,
        });
        Comparison {
            games: all.games,
            chance_at_start: tables.iter().map(|(_, table)| table.win_probability(start, Equity::ZERO)).collect(),
            strata: strata.collect(),
        }
    }
}
