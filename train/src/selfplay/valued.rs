//! The best moves of some turns of self-play with their features and, if they are simulated, what they gain: a training set as a table.

mod simulated;

use serde::Serialize;
use tilewright_engine::features::{Feature, Features, VERSION};
use tilewright_engine::game::Game;
use tilewright_engine::game::cgp::CgpPosition;
use tilewright_engine::hash::sha256;
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::{Move, notation};
use tilewright_engine::rack::Rack;
use tilewright_engine::setup::Setup;
use tilewright_engine::simulator::{Settings, Simulator, Situation};
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::win_percentage::{WinPercentage, csv};

use crate::parquet_file::Column;
use crate::schema::{Schema, double, int32, int64, text};
use simulated::Simulated;

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
        int32("score", "points of the move").unit("points").view("player to move"),
        double("equity", "static equity of the move").unit("points").view("player to move"),
        int32("chosen", "1 for the move that was made, else 0"),
        int32("bag", "tiles in the bag before the move").unit("tiles"),
        int32("deals", "deals of the simulation, the same for all moves of a turn; 0 without simulation").unit("deals"),
        double("gain", "simulated growth of the spread with both leaves, less the mean of the turn's moves; NaN without simulation").unit("points").view("player to move"),
        double("gain_error", "standard error of the gain; NaN with fewer than two deals, 0 with an empty bag, where all deals are one").unit("points"),
        double("wins", "simulated win probability, less the mean of the turn's moves; NaN without simulation").unit("wins").view("player to move"),
        double("wins_error", "standard error of wins, as gain_error").unit("wins"),
        double("playout_deviation", "standard deviation of the growth of the spread from deal to deal; NaN with fewer than two deals, 0 with an empty bag").unit("points"),
        double("difference_deviation", "the same of its difference from the move of rank 1 on the same deal").unit("points"),
        double("feature_*", "a feature of the move; tilewright features lists them").unit("that of the feature").view("player to move"),
    ],
};

/// What is wanted of the candidates.
pub struct ValuedConfig<'a> {
    /// The static player that ranks the moves, and replies in the simulation.
    pub ranker: &'a StaticPlayer,
    /// What identifies it, with the leave table of the features.
    pub ranker_identity: &'a str,
    /// Moves per turn.
    pub candidates: usize,
    /// One turn in this many; game g begins with turn g modulo this.
    pub every: u64,
    /// Deals on which each move is simulated, two plies deep; 0 for none.
    pub deals: u64,
    /// The features.
    pub features: Features,
    /// Their names.
    pub wanted: Vec<Feature>,
    /// The win table of the simulation.
    pub win_percentage: &'a WinPercentage,
    /// The settings of the simulation.
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

/// Plies of a playout.
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

    /// Whether a turn of a game is one of those whose moves are wanted.
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

/// The table, column by column.
#[derive(Default)]
pub struct Valued {
    game: Vec<i64>,
    turn: Vec<i32>,
    rank: Vec<i32>,
    position: Vec<String>,
    moves: Vec<String>,
    score: Vec<i32>,
    equity: Vec<f64>,
    chosen: Vec<i32>,
    bag: Vec<i32>,
    deals: Vec<i32>,
    simulated: Vec<Simulated>,
    features: Vec<Vec<f64>>,
}

impl Valued {
    /// Adds the best moves of a turn. `seed` is that of the deals of its simulation.
    pub fn add(
        &mut self,
        config: &ValuedConfig<'_>,
        simulator: &Simulator<'_>,
        generator: &mut Generator<'_>,
        game: u64,
        turn: &Turn,
        seed: u64,
    ) {
        let setup = generator.setup();
        let best = simulator.candidates(config.ranker, generator, &turn.game);
        let is_empty = turn.game.bag.is_empty();
        let deals = if is_empty { config.deals.min(1) } else { config.deals };
        let situation = Situation { game: turn.game.clone(), known: Rack::default(), last: None, seed };
        let results = if deals > 0 { simulator.results(&situation, &best, deals) } else { Vec::new() };
        self.simulated.extend(Simulated::of(&results, best.len(), is_empty));
        let moves: Vec<Move> = best.iter().map(|candidate| candidate.valued.chosen).collect();
        let features = config.features.values(&turn.game.turn(setup), &moves);
        let position = CgpPosition::seen_in(&turn.game, setup).write(&setup.tileset);
        self.features.resize(config.wanted.len(), Vec::new());
        for (number, candidate) in best.iter().enumerate() {
            let valued = &candidate.valued;
            self.game.push(game as i64);
            self.turn.push(turn.number as i32);
            self.rank.push(1 + number as i32);
            self.position.push(position.clone());
            self.moves.push(notation::show(&valued.chosen, &turn.game.board, &setup.tileset));
            self.score.push(valued.chosen.score());
            self.equity.push(valued.equity.points());
            let is_chosen = valued.chosen == turn.chosen || candidate.same.contains(&turn.chosen);
            self.chosen.push(i32::from(is_chosen));
            self.bag.push(turn.game.bag.len() as i32);
            self.deals.push(deals as i32);
            self.features.iter_mut().zip(&features[number]).for_each(|(column, value)| column.push(*value));
        }
    }

    /// Adds the rows of further games.
    pub fn append(&mut self, mut more: Valued) {
        self.game.append(&mut more.game);
        self.turn.append(&mut more.turn);
        self.rank.append(&mut more.rank);
        self.position.append(&mut more.position);
        self.moves.append(&mut more.moves);
        self.score.append(&mut more.score);
        self.equity.append(&mut more.equity);
        self.chosen.append(&mut more.chosen);
        self.bag.append(&mut more.bag);
        self.deals.append(&mut more.deals);
        self.simulated.append(&mut more.simulated);
        self.features.resize(more.features.len().max(self.features.len()), Vec::new());
        self.features.iter_mut().zip(&mut more.features).for_each(|(mine, theirs)| mine.append(theirs));
    }

    /// The columns of [`SCHEMA`].
    pub fn into_columns(self, wanted: &[Feature]) -> Vec<(String, Column)> {
        let simulated = |value: fn(&Simulated) -> f64| Column::Double(self.simulated.iter().map(value).collect());
        let fixed = [
            ("game", Column::Int64(self.game)),
            ("turn", Column::Int32(self.turn)),
            ("rank", Column::Int32(self.rank)),
            ("position", Column::Text(self.position)),
            ("move", Column::Text(self.moves)),
            ("score", Column::Int32(self.score)),
            ("equity", Column::Double(self.equity)),
            ("chosen", Column::Int32(self.chosen)),
            ("bag", Column::Int32(self.bag)),
            ("deals", Column::Int32(self.deals)),
            ("gain", simulated(|of| of.gain)),
            ("gain_error", simulated(|of| of.gain_error)),
            ("wins", simulated(|of| of.wins)),
            ("wins_error", simulated(|of| of.wins_error)),
            ("playout_deviation", simulated(|of| of.playout_deviation)),
            ("difference_deviation", simulated(|of| of.difference_deviation)),
        ];
        let features = wanted.iter().zip(self.features.into_iter().chain(std::iter::repeat(Vec::new())));
        let features =
            features.map(|(feature, values)| (format!("feature_{}", feature.about().name), Column::Double(values)));
        fixed.into_iter().map(|(name, column)| (name.to_string(), column)).chain(features).collect()
    }
}
