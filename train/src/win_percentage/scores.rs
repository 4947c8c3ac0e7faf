//! Proper scores of a win table on held-out games, by stage of the game, and the comparison of several win tables on the same games.

use serde::{Deserialize, Serialize};
use tilewright_engine::series::Estimate;
use tilewright_engine::win_percentage::{States, TilesLeft, WinPercentage};
use tilewright_engine::{Equity, TileSet};

use super::remaining_spreads::RemainingSpreads;

/// The number of equal bins in which forecasts are compared with outcomes.
pub const BINS: usize = 20;
/// Forecasts are clamped to this distance from 0 and 1. Tables have five decimal places.
const SUREST: f64 = 5e-6;
/// The largest spread of a close game, in points.
const CLOSE: i32 = 30;

/// A set of turns that are scored together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stratum {
    /// The name, such as `8-14 unseen`.
    pub name: String,
    least: usize,
    most: usize,
    most_lead: i32,
}

impl Stratum {
    /// The strata: all turns; turns by unseen tiles, with bounds at one rack, two racks, and three and six tenths of the
    /// tile set (English: 7, 14, 30 and 60); and close games.
    pub fn all(tileset: &TileSet) -> Vec<Stratum> {
        let (rack, tiles) = (tileset.rules().rack_size, tileset.total_tiles());
        let bounds = [rack, 2 * rack, (3 * tiles / 10).max(2 * rack), (6 * tiles / 10).max(2 * rack)];
        let stratum = |name: String, least, most, most_lead| Stratum { name, least, most, most_lead };
        let mut strata = vec![stratum("all turns".into(), 0, usize::MAX, i32::MAX)];
        let mut least = 1;
        for most in bounds.into_iter().filter(|&most| most < tiles - rack) {
            if most >= least {
                strata.push(stratum(format!("{least}-{most} unseen"), least, most, i32::MAX));
                least = most + 1;
            }
        }
        strata.push(stratum(format!("{least}+ unseen"), least, usize::MAX, i32::MAX));
        strata.push(stratum(format!("close, within {CLOSE}"), 0, usize::MAX, CLOSE));
        strata
    }

    /// Whether a turn belongs to it.
    fn holds(&self, left: TilesLeft, spread: i32) -> bool {
        (self.least..=self.most).contains(&left.unseen()) && spread.abs() <= self.most_lead
    }
}

/// The forecasts in one bin, and their results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Bin {
    /// Turns.
    pub turns: u64,
    /// The mean forecast.
    pub forecast: f64,
    /// The win rate, 0–1.
    pub won: f64,
}

/// The scores of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Score {
    /// Turns that were scored.
    pub turns: u64,
    /// Mean of −ln of the probability given to the result, in nats. A draw counts half as a win and half as a loss.
    pub log_loss: f64,
    /// Mean squared difference between the forecast and the result: 1, ½ or 0.
    pub brier: f64,
    /// Mean distance between forecast and win rate, over bins of forecasts.
    pub calibration_error: f64,
    /// The bins.
    pub bins: Vec<Bin>,
}

/// Scores a table on the turns of a stratum.
pub fn score(table: &WinPercentage, states: States, tally: &RemainingSpreads, stratum: &Stratum) -> Score {
    let mut score = Score { bins: vec![Bin::default(); BINS], ..Score::default() };
    for (left, state) in states.all().zip(&tally.states) {
        for (&spread, outcomes) in state.outcomes.iter().filter(|(spread, _)| stratum.holds(left, **spread)) {
            let forecast = table.win_probability(left, Equity::from_points(spread));
            let (turns, wins, draws) = (outcomes.turns as f64, outcomes.wins as f64, outcomes.draws as f64);
            let won = wins + draws / 2.0;
            let sure = forecast.clamp(SUREST, 1.0 - SUREST);
            score.turns += outcomes.turns;
            score.log_loss -= won * sure.ln() + (turns - won) * (1.0 - sure).ln();
            let lost = turns - wins - draws;
            score.brier += wins * (1.0 - forecast).powi(2) + draws * (0.5 - forecast).powi(2) + lost * forecast.powi(2);
            let bin = &mut score.bins[((forecast * BINS as f64) as usize).min(BINS - 1)];
            bin.turns += outcomes.turns;
            bin.forecast += turns * forecast;
            bin.won += won;
        }
    }
    // So far these are sums.
    let turns = score.turns.max(1) as f64;
    score.log_loss /= turns;
    score.brier /= turns;
    score.calibration_error = score.bins.iter().map(|bin| (bin.forecast - bin.won).abs()).sum::<f64>() / turns;
    for bin in score.bins.iter_mut().filter(|bin| bin.turns > 0) {
        bin.forecast /= bin.turns as f64;
        bin.won /= bin.turns as f64;
    }
    score
}

/// The scores of one table less the scores of another, with intervals from the variation between shards of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Difference {
    /// Difference of log-loss.
    pub log_loss: Estimate,
    /// Difference of Brier scores.
    pub brier: Estimate,
}

/// The difference between the scores of two tables. The standard error comes from shards of about equal size.
pub fn difference(
    tables: [&WinPercentage; 2],
    states: States,
    shards: &[RemainingSpreads],
    stratum: &Stratum,
) -> Difference {
    let shard_sums = |shard: &RemainingSpreads| {
        let [a, b] = tables.map(|table| score(table, states, shard, stratum));
        let turns = a.turns as f64;
        (turns, (a.log_loss - b.log_loss) * turns, (a.brier - b.brier) * turns)
    };
    let sums: Vec<(f64, f64, f64)> = shards.iter().map(shard_sums).collect();
    let turns: f64 = sums.iter().map(|sum| sum.0).sum::<f64>().max(1.0);
    let estimate = |value: fn(&(f64, f64, f64)) -> f64| {
        let mean = sums.iter().map(value).sum::<f64>() / turns;
        let many = sums.len() as f64;
        let residuals = sums.iter().map(|sum| (value(sum) - mean * sum.0).powi(2)).sum::<f64>();
        Estimate::normal(mean, (residuals * many / (many - 1.0).max(1.0)).sqrt() / turns)
    };
    Difference { log_loss: estimate(|sum| sum.1), brier: estimate(|sum| sum.2) }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::win_percentage::remaining_spreads::Outcomes;

    fn tally(states: States, turns: &[(TilesLeft, i32, Outcomes)]) -> RemainingSpreads {
        let mut tally = RemainingSpreads::new(states);
        for &(left, spread, outcomes) in turns {
            tally.states[states.number(left)].outcomes.insert(spread, outcomes);
        }
        tally
    }

    #[test]
    fn scores_equal_their_definitions() {
        let states = States { rack_size: 2, most_bag: 3 };
        let even = TilesLeft { bag: 2, own: 2, other: 2 };
        let held = [
            (even, 0, Outcomes { turns: 4, wins: 1, draws: 2 }),
            (even, 40, Outcomes { turns: 2, wins: 2, draws: 0 }),
            (TilesLeft { bag: 0, own: 1, other: 2 }, 1, Outcomes { turns: 1, wins: 0, draws: 0 }),
        ];
        let tally = tally(states, &held);
        let table = WinPercentage::from_fn(
            States { rack_size: 2, most_bag: 3 },
            50,
            |_, spread| if spread >= 40 { 0.9 } else { 0.6 },
        );
        let stratum = |least, most, most_lead| Stratum { name: String::new(), least, most, most_lead };
        let all = score(&table, states, &tally, &stratum(0, 9, 99));
        let log_loss = -(2.0 * 0.6_f64.ln() + 2.0 * 0.4_f64.ln() + 2.0 * 0.9_f64.ln() + 0.4_f64.ln()) / 7.0;
        let brier = (0.16 + 2.0 * 0.01 + 0.36 + 2.0 * 0.01 + 0.36) / 7.0;
        assert!((all.log_loss - log_loss).abs() < 1e-6 && (all.brier - brier).abs() < 1e-6, "{all:?}");
        assert!((all.calibration_error - (1.0 + 0.2) / 7.0).abs() < 1e-6, "{all:?}");
        assert_eq!(
            [(0, 9, 30), (3, 9, 99), (1, 2, 99)].map(|(a, b, c)| score(&table, states, &tally, &stratum(a, b, c)).turns),
            [5, 6, 1]
        );
        let other = WinPercentage::from_fn(States { rack_size: 2, most_bag: 3 }, 50, |_, _| 0.5);
        let difference = difference([&table, &other], states, &[tally.clone(), tally], &stratum(0, 9, 99));
        assert!((difference.brier.mean - (brier - 1.25 / 7.0 - 0.25 * 3.0 / 7.0 + 0.25 / 7.0)).abs() < 1.0);
        assert!(difference.brier.half_width() < 1e-12);
    }

    #[test]
    fn strata_cover_every_turn_once() {
        for name in ["english", "english_super", "polish"] {
            let tileset = TileSet::embedded(name).unwrap();
            let strata = Stratum::all(&tileset);
            for unseen in 1..=tileset.total_tiles() - 7 {
                let left = TilesLeft { bag: unseen.saturating_sub(7), own: 7, other: unseen.min(7) };
                let many = strata[1..strata.len() - 1].iter().filter(|stratum| stratum.holds(left, 99)).count();
                assert_eq!(many, 1, "{name} {unseen}");
            }
        }
        let names: Vec<String> = Stratum::all(&TileSet::embedded("english").unwrap()).into_iter().map(|s| s.name).collect();
        assert_eq!(names[1..6], ["1-7 unseen", "8-14 unseen", "15-30 unseen", "31-60 unseen", "61+ unseen"]);
    }

    #[test]
    fn the_error_of_a_difference_is_as_worked_by_hand() {
        let states = States { rack_size: 2, most_bag: 3 };
        let even = TilesLeft { bag: 2, own: 2, other: 2 };
        let shards = [4, 0].map(|wins| tally(states, &[(even, 0, Outcomes { turns: 4, wins, draws: 0 })]));
        let [one, other] =
            [0.6, 0.5].map(|forecast| WinPercentage::from_fn(States { rack_size: 2, most_bag: 3 }, 50, |_, _| forecast));
        let all = Stratum { name: String::new(), least: 0, most: 9, most_lead: 99 };
        let Difference { brier, .. } = difference([&one, &other], states, &shards, &all);
        // Sums of 4 × (0.16 − 0.25) and 4 × (0.36 − 0.25): 0.01 on average, and each sum is 0.4 away from that.
        let expected = Estimate::normal(0.01, (2.0f64 * (0.16 + 0.16)).sqrt() / 8.0);
        assert!((brier.mean - 0.01).abs() < 1e-6 && (brier.low - expected.low).abs() < 2e-6, "{brier}");
    }
}
