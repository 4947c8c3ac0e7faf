//! Tables and position networks side by side on the same records.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use tilewright_engine::equity::Equity;
use tilewright_engine::tileset::TileSet;
use tilewright_engine::win_percentage::{States, WinPercentage};

use super::network::PositionNetwork;
use super::records::{GameRecord, Noted};
use crate::win_percentage::comparison::{Comparison, Scored, StratumScores};
use crate::win_percentage::scores::{Cluster, Difference, Score, Stratum, losses};
use crate::win_percentage::swings::Turn;

/// Who says a chance.
#[derive(Clone, Debug, PartialEq)]
pub enum Forecast {
    /// By tiles left.
    Table(Box<WinPercentage>),
    /// By position.
    Network(Box<PositionNetwork>),
}

impl Forecast {
    /// The chance of the player to move.
    pub fn chance(&self, states: States, turn: &Turn<Noted>) -> f64 {
        let left = states.tiles_left(turn.noted.state as usize);
        match self {
            Forecast::Table(table) => table.chance(left, Equity::from_points(turn.spread)),
            Forecast::Network(network) => network.chance(left, &turn.noted.seen, f64::from(turn.spread)),
        }
    }
}

/// Scores forecasts, each with its name, on records of held-out games; the errors of differences are over games. The chance at the
/// start is the mean over the first turns.
pub fn compare(forecasts: &[(String, Forecast)], tileset: &TileSet, records: &[GameRecord]) -> Comparison {
    let states = States::of(tileset);
    let told = |forecast: &Forecast| -> Vec<Vec<f64>> {
        records.par_iter().map(|game| game.iter().map(|turn| forecast.chance(states, turn)).collect()).collect()
    };
    let chances: Vec<Vec<Vec<f64>>> = forecasts.iter().map(|(_, forecast)| told(forecast)).collect();
    let scored = |at: usize, stratum: &Stratum| Scored {
        table: forecasts[at].0.clone(),
        score: score(states, records, &chances[at], stratum),
        first_minus_this: difference(states, records, [&chances[0], &chances[at]], stratum),
    };
    let strata = Stratum::all(tileset).into_iter().map(|stratum| StratumScores {
        scores: (0..forecasts.len()).map(|at| scored(at, &stratum)).collect(),
        stratum: stratum.name,
    });
    let strata = strata.collect();
    let mean_first =
        |chances: &Vec<Vec<f64>>| chances.iter().filter_map(|game| game.first()).sum::<f64>() / records.len().max(1) as f64;
    Comparison { games: records.len() as u64, chance_at_start: chances.iter().map(mean_first).collect(), strata }
}

/// The turns of a game that belong to a stratum, with their places.
fn turns_of<'a>(
    states: States,
    game: &'a GameRecord,
    stratum: &'a Stratum,
) -> impl Iterator<Item = (usize, &'a Turn<Noted>)> {
    let holds = move |turn: &Turn<Noted>| stratum.holds(states.tiles_left(turn.noted.state as usize), turn.spread);
    game.iter().enumerate().filter(move |(_, turn)| holds(turn))
}

fn score(states: States, records: &[GameRecord], chances: &[Vec<f64>], stratum: &Stratum) -> Score {
    let mut score = Score::begun();
    for (game, chances) in records.iter().zip(chances) {
        for (at, turn) in turns_of(states, game, stratum) {
            score.add(chances[at], &turn.outcome());
        }
    }
    score.finished()
}

fn difference(states: States, records: &[GameRecord], chances: [&[Vec<f64>]; 2], stratum: &Stratum) -> Difference {
    let of_game = |((game, first), second): ((&GameRecord, &Vec<f64>), &Vec<f64>)| {
        let mut sum = Cluster::default();
        for (at, turn) in turns_of(states, game, stratum) {
            let [a, b] = [first[at], second[at]].map(|chance| losses(chance, &turn.outcome()));
            sum.turns += 1.0;
            sum.log_loss += a.0 - b.0;
            sum.brier += a.1 - b.1;
        }
        sum
    };
    Difference::of(&records.iter().zip(chances[0]).zip(chances[1]).map(of_game).collect::<Vec<_>>())
}
