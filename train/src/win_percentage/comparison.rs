//! Several tables side by side on the same held-out games.

use serde::Serialize;
use tilewright_engine::equity::Equity;
use tilewright_engine::tileset::TileSet;
use tilewright_engine::win_percentage::{States, TilesLeft, WinPercentage};

use super::scores::{Difference, Score, Stratum, difference, score};
use super::swings::SwingTally;

/// What a table scored in one stratum.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scored {
    /// The table.
    pub table: String,
    /// Its scores.
    pub score: Score,
    /// How the first table's scores differ from its own: below 0 where the first is better.
    pub first_minus_this: Difference,
}

/// All tables in one stratum.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StratumScores {
    /// Which turns.
    pub stratum: String,
    /// By table.
    pub scores: Vec<Scored>,
}

/// All tables in all strata.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Held-out games.
    pub games: u64,
    /// What each table gives the player to move at the start of a game.
    pub chance_at_start: Vec<f64>,
    /// By stratum, all turns first.
    pub strata: Vec<StratumScores>,
}

impl Comparison {
    /// Scores tables, each with its name, on held-out games.
    pub fn of(tables: &[(String, WinPercentage)], tileset: &TileSet, shards: &[SwingTally]) -> Comparison {
        let states = States::of(tileset);
        let mut all = SwingTally::new(states);
        for shard in shards {
            all.merge(shard);
        }
        let rack = states.rack_size();
        let start = TilesLeft { bag: states.most_bag(), own: rack, other: rack };
        let scored = |(name, table): &(String, WinPercentage), stratum: &Stratum| Scored {
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
            chance_at_start: tables.iter().map(|(_, table)| table.chance(start, Equity::ZERO)).collect(),
            strata: strata.collect(),
        }
    }
}
