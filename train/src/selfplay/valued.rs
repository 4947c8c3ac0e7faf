//! The best moves of some turns of self-play with their features and their gains, if simulated: a training set as a table.

use serde::Serialize;
use tilewright_engine::features::{Feature, Features, VERSION};
use tilewright_engine::game::cgp::CgpPosition;
use tilewright_engine::hash::sha256;
use tilewright_engine::moves::{Move, notation};
use tilewright_engine::simulator::{PlayoutResult, Settings, Simulator, Situation};
use tilewright_engine::win_percentage::{WinPercentage, csv};
use tilewright_engine::{Game, Generator, Rack, Setup, StaticPlayer};

use crate::candidates::Label;
use crate::schema::Cell::{Double, Int32, Int64, Text};
use crate::schema::{Schema, Table, double, int32, int64, text};

/// The columns.
pub const SCHEMA: Schema = Schema {
    name: "valued_candidates",
    row: "one of the best moves of a turn as the first player ranks them, with its features and its simulated gain",
    fields: &[
        int64("game", "number of the game, as in turns"),
        int32("turn", "turn of the game, as in turns"),
        int32("rank", "1 for the best move by equity"),
        text("position", "the position before the move in CGP").view("player to move"),
        text("move", "the move, as in turns"),
        int32("score", "points of the move").points().view("player to move"),
        double("equity", "static equity of the move").points().view("player to move"),
        int32("chosen", "1 for the move that was made, else 0").within(0, 1),
        int32("bag", "tiles in the bag before the move").unit("tiles"),
        int32("deals", "deals of the simulation, the same for all moves of a turn; 0 without simulation").unit("deals"),
        double("gain", "simulated growth of the spread with both leaves, less the mean of the turn's moves; NaN without simulation").or_unknown().points().view("player to move"),
        double("gain_error", "standard error of the gain; NaN with fewer than two deals, 0 with an empty bag, where all deals are one").or_unknown().points(),
        double("wins", "simulated win probability, less the mean of the turn's moves; NaN without simulation").or_unknown().unit("wins").view("player to move"),
        double("wins_error", "standard error of wins, as gain_error").or_unknown().unit("wins"),
        double("playout_deviation", "standard deviation of the growth of the spread from deal to deal; NaN with fewer than two deals, 0 with an empty bag").or_unknown().points(),
        double("difference_deviation", "the same of its difference from the move of rank 1 on the same deal").or_unknown().points(),
        double("feature_*", "a feature of the move; tilewright features lists them").unit("that of the feature").view("player to move"),
    ],
};

/// The config of the table of candidates.
pub struct ValuedConfig<'a> {
    /// The static player that ranks the moves, and replies in the simulation.
    pub ranker: &'a StaticPlayer,
    /// Its identity, with the leave table of the features.
    pub ranker_identity: &'a str,
    /// Moves per turn.
    pub candidates: usize,
    /// One turn in this many. Game g begins with turn g modulo this.
    pub every: u64,
    /// Deals on which each move is simulated, two plies deep. With 0 there is no simulation.
    pub deals: u64,
    /// The features.
    pub features: Features,
    /// Their names.
    pub wanted: Vec<Feature>,
    /// The win table of the simulation.
    pub win_percentage: &'a WinPercentage,
    settings: Settings,
}

/// Everything that the candidates depend on besides the games.
#[derive(Serialize)]
pub struct ValuedKeys<'a> {
    ranker_hash: &'a str,
    candidates: usize,
    every: u64,
    deals: u64,
    columns: Vec<&'static str>,
    feature_version: u32,
    features: Vec<&'static str>,
    win_table_hash: String,
}

const PLIES: usize = 2;

impl<'a> ValuedConfig<'a> {
    /// A config.
    pub fn new(
        (ranker, ranker_identity): (&'a StaticPlayer, &'a str),
        (candidates, every, deals): (usize, u64, u64),
        (features, wanted): (Features, Vec<Feature>),
        win_percentage: &'a WinPercentage,
    ) -> ValuedConfig<'a> {
        let settings = Settings { plies: PLIES, candidates, iterations: deals, confidence: 1.0, ..Settings::default() };
        ValuedConfig { ranker, ranker_identity, candidates, every, deals, features, wanted, win_percentage, settings }
    }

    /// Whether the table has the moves of a turn of a game.
    pub fn is_due(&self, game: u64, turn: usize) -> bool {
        turn as u64 % self.every == game % self.every
    }

    /// Everything that the candidates depend on besides the games.
    pub fn keys(&self) -> ValuedKeys<'_> {
        ValuedKeys {
            ranker_hash: self.ranker_identity,
            candidates: self.candidates,
            every: self.every,
            deals: self.deals,
            columns: SCHEMA.fields.iter().map(|field| field.name).collect(),
            feature_version: VERSION,
            features: self.wanted.iter().map(|feature| feature.about().name).collect(),
            win_table_hash: sha256(csv::write(self.win_percentage).as_bytes()),
        }
    }

    /// The simulator.
    pub fn simulator<'s>(&'s self, setup: &'s Setup) -> Simulator<'s> {
        Simulator::new(setup, self.ranker, self.win_percentage, &self.settings)
    }

    /// The table without rows.
    pub fn table(&self) -> Table {
        let features: Vec<String> = self.wanted.iter().map(|feature| format!("feature_{}", feature.about().name)).collect();
        Table::with_starred(&SCHEMA, &features)
    }

    /// Adds the best moves of a turn to a table. `seed` is the seed of the deals of its simulation.
    pub fn add(
        &self,
        table: &mut Table,
        simulator: &Simulator<'_>,
        generator: &mut Generator<'_>,
        game: u64,
        turn: &Turn,
        seed: u64,
    ) {
        let setup = generator.setup();
        let best = simulator.candidates(self.ranker, generator, &turn.game);
        let is_empty = turn.game.bag.is_empty();
        let deals = if is_empty { self.deals.min(1) } else { self.deals };
        let situation = Situation { game: turn.game.clone(), known: Rack::default(), last: None, seed };
        let results = if deals > 0 { simulator.results(&situation, &best, deals) } else { Vec::new() };
        let simulated = simulated(&results, best.len(), is_empty);
        let moves: Vec<Move> = best.iter().map(|candidate| candidate.valued.chosen).collect();
        let features = self.features.values(&turn.game.turn(setup), &moves);
        let position = CgpPosition::seen_in(&turn.game, setup).write(&setup.tileset);
        for (rank, ((candidate, simulated), features)) in (1..).zip(best.iter().zip(simulated).zip(features)) {
            let valued = &candidate.valued;
            let is_chosen = valued.chosen == turn.chosen || candidate.same.contains(&turn.chosen);
            let row = [
                ("game", Int64(game as i64)),
                ("turn", Int32(turn.number as i32)),
                ("rank", Int32(rank)),
                ("position", Text(position.clone())),
                ("move", Text(notation::show(&valued.chosen, turn.game.board(), &setup.tileset))),
                ("score", Int32(valued.chosen.score())),
                ("equity", Double(valued.equity.points())),
                ("chosen", Int32(i32::from(is_chosen))),
                ("bag", Int32(turn.game.bag.len() as i32)),
                ("deals", Int32(deals as i32)),
            ];
            let features = features.into_iter().map(|value| ("feature_*", value));
            let numbers = SIMULATED.into_iter().zip(simulated).chain(features);
            table.add(row.into_iter().chain(numbers.map(|(name, value)| (name, Double(value)))));
        }
    }
}

/// A turn of a game, before its move.
pub struct Turn {
    /// The number of the turn.
    pub number: usize,
    /// The game.
    pub game: Game,
    /// The move that was made.
    pub chosen: Move,
}

/// The columns of the estimates of a simulation.
const SIMULATED: [&str; 6] = ["gain", "gain_error", "wins", "wins_error", "playout_deviation", "difference_deviation"];

/// The values of [`SIMULATED`] for each of `moves` moves, from their results on each deal, with NaN where there is no estimate. Deals that
/// are all one have no errors.
fn simulated(results: &[Vec<PlayoutResult>], moves: usize, are_one: bool) -> Vec<[f64; 6]> {
    let deals = results.len() as u64;
    let error = |squared: f64| match deals {
        1 if are_one => 0.0,
        0 | 1 => f64::NAN,
        _ => squared.sqrt(),
    };
    let (gains, _) = Label::of_deals(results, moves, points);
    let (wins, _) = Label::of_deals(results, moves, |result| result.win_probability / 1000);
    let estimate = |label: Label, unit: f64| {
        let mean = if deals > 0 { label.mean(deals) } else { f64::NAN };
        [mean / unit, error(label.variance(deals)) / unit]
    };
    let of = |at: usize| {
        let deviation = |value: &dyn Fn(&[PlayoutResult]) -> i64| {
            let values = results.iter().map(|deal| value(deal) as f64);
            let mean = values.clone().sum::<f64>() / deals as f64;
            error(values.map(|value| (value - mean).powi(2)).sum::<f64>() / (deals as f64 - 1.0)) / POINT
        };
        let ([gain, gain_error], [wins, wins_error]) = (estimate(gains[at], POINT), estimate(wins[at], WIN));
        let playout = deviation(&|deal| points(&deal[at]));
        [gain, gain_error, wins, wins_error, playout, deviation(&|deal| points(&deal[at]) - points(&deal[0]))]
    };
    (0..moves).map(of).collect()
}

/// A point and a win in the units of a label.
const POINT: f64 = 1e3;
const WIN: f64 = 1e6;

/// The growth of the spread in thousandths of a point.
fn points(result: &PlayoutResult) -> i64 {
    i64::from(result.gain.0)
}

#[cfg(test)]
mod tests {
    use tilewright_engine::equity::Equity;

    use super::*;

    fn result(points: f64, wins: i64) -> PlayoutResult {
        let gain = Equity::from_fractional_points(points);
        PlayoutResult { win_probability: wins * 1_000_000_000, gain, next_bingos: [false; 2], next_scores: [0; 2] }
    }

    #[test]
    fn deviations_are_those_of_deals_and_of_differences_on_one_deal() {
        let deals = [vec![result(10.0, 1), result(4.0, 0)], vec![result(30.0, 1), result(20.0, 1)]];
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let of = simulated(&deals, 2, false);
        let [gain, gain_error, wins, _, playout, difference] =
            [0, 1, 2, 3, 4, 5].map(|figure| [of[0][figure], of[1][figure]]);
        assert!(close(gain[0], 4.0) && close(gain[1], -4.0));
        // Half the differences are 3 and 5.
        assert!(close(gain_error[0], 1.0), "{}", gain_error[0]);
        assert!(close(playout[0], 200f64.sqrt()) && close(playout[1], 128f64.sqrt()));
        assert!(close(difference[0], 0.0) && close(difference[1], 8f64.sqrt()));
        assert!(close(wins[0], 0.25) && close(wins[1], -0.25));
        let one = simulated(&deals[..1], 2, true);
        assert!(close(one[0][0], 3.0) && close(one[0][1], 0.0) && close(one[1][4], 0.0));
        assert!(simulated(&deals[..1], 2, false)[0][4].is_nan());
        assert!(simulated(&[], 2, false)[1][0].is_nan());
    }
}
