//! `bench`: the playing speed of this machine, and the cost of features, endgames and pre-endgames.

use std::fmt;
use std::time::Instant;

use cpu_time::ProcessTime;
use serde::Serialize;
use tilewright_engine::deals::Domain;
use tilewright_engine::game::cgp;
use tilewright_engine::monitor::{Monitor, NoMonitor};
use tilewright_engine::rng::stream;
use tilewright_engine::selfplay::play_game;
use tilewright_engine::series::Series;
use tilewright_engine::setup::{Setup, WordSearch};
use tilewright_engine::simulator::{Settings, Simulator, Situation};
use tilewright_engine::{Board, Game, Generator, Player, Rack, WinPercentage};

use crate::{Failure, Progress, loading, output};

pub mod measuring;
pub mod features;
pub mod endgames;
pub mod pre_endgames;

use measuring::{BenchArguments, BenchVerb, SpeedArguments, Started, Subject, go_on, peak_memory, positions};

pub fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    match &arguments.verb {
        None => measure_speed(&arguments.speed),
        Some(BenchVerb::Features(arguments)) => features::run(arguments),
        Some(BenchVerb::Endgames(arguments)) => endgames::run(arguments),
        Some(BenchVerb::PreEndgames(arguments)) => pre_endgames::run(arguments),
    }
}

/// Candidates per simulated position, and plies per playout.
const CANDIDATES: usize = 15;
const PLIES: usize = 2;
/// The rack of the simulated first turn, if the tile set has its tiles.
const OPENING_RACK: &str = "CDEILNT";
/// The crowded board of the simulated second position, if the tile set has its tiles.
const CROWDED: &str = "3WAIVER6/1CLOUD9/4D10/1ABDICAtE6/4N10/3AGIO8/6HAO6/4FUMY6P/4R9a/4IF2VOE3N/4ZOOTIER3N/5U1AM5I/7L3JUTE/7K6R/7YEARLIES DEILNNW/ 219/367 0 lex enable2k; ld english; bdn standard;";
/// The percentage of all tiles that lie on the crowded board of other tile sets.
const CROWDED_PERCENT: usize = 60;

/// Self-play games, games that the positions come from, and rounds of playouts, per repeat.
const GAMES: u64 = 400;
const POSITIONS_FROM_GAMES: u64 = 20;
const ROUNDS: u64 = 300;

/// One line of the table: a rate per CPU-second (user and system time), or per second if that is its unit.
#[derive(schemars::JsonSchema, Serialize)]
struct Measurement {
    name: &'static str,
    unit: &'static str,
    /// The best repeat.
    best: f64,
    /// The median of the repeats.
    median: f64,
}

impl Measurement {
    /// The playouts in the CPU time of one game of self-play, by the medians. It is the same on fast and slow machines.
    fn per_game(&self, name: &'static str, games: &Measurement) -> Measurement {
        let ratio = self.median / games.median;
        Measurement { name, unit: "playouts in the CPU time of a game", best: ratio, median: ratio }
    }
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct Speed {
    #[serde(flatten)]
    subject: Subject,
    threads: usize,
    repeats: u32,
    rates: Vec<Measurement>,
    /// The time to load the lexicon and to build the word map or the search graph.
    setup_seconds: f64,
    graph_cached: bool,
    word_map: bool,
    search_megabytes: f64,
    peak_memory_megabytes: Option<f64>,
}

/// `bench` without a subcommand: the playing speed of this machine.
pub fn measure_speed(arguments: &SpeedArguments) -> Result<(), Failure> {
    let Started { json, setup, setup_seconds, player, subject, progress } = Started::new(&arguments.bench)?;
    let win_percentage = loading::win_percentage(&setup, &arguments.bench.game())?;
    let repeats = arguments.repeats;
    let bench = Bench { setup: &setup, player: &player, win_percentage, seed: subject.seed, repeats, progress: &progress };
    let rates = bench.measure()?;
    progress.finish();
    let speed = Speed {
        subject,
        threads: rayon::current_num_threads(),
        repeats: arguments.repeats,
        rates,
        setup_seconds,
        graph_cached: setup.lexicon.cached,
        word_map: matches!(setup.search, WordSearch::Map(_)),
        search_megabytes: setup.search.bytes() as f64 / 1e6,
        peak_memory_megabytes: peak_memory(),
    };
    output::show(&speed, json)
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.subject)?;
        writeln!(f, "{:<26}{:>12}{:>12}", "", "best", "median")?;
        for Measurement { name, unit, best, median } in &self.rates {
            let decimals = usize::from(*best < 100.0);
            writeln!(f, "{name:<26}{best:>12.decimals$}{median:>12.decimals$}  {unit}")?;
        }
        let graph = if self.graph_cached { "from the cache" } else { "built" };
        writeln!(f, "{:<26}{:>12.2}{:>12}  s, word graph {graph}", "ready to play after", self.setup_seconds, "")?;
        let search = if self.word_map { "word map" } else { "search graph" };
        write!(f, "{search:<26}{:>12.1}{:>12}  MB", self.search_megabytes, "")?;
        match self.peak_memory_megabytes {
            Some(megabytes) => write!(f, "\n{:<26}{megabytes:>12.0}{:>12}  MB", "peak memory", ""),
            None => Ok(()),
        }
    }
}

struct Bench<'a> {
    setup: &'a Setup,
    player: &'a Player,
    win_percentage: WinPercentage,
    seed: u64,
    repeats: u32,
    progress: &'a Progress,
}

impl Bench<'_> {
    fn measure(&self) -> Result<Vec<Measurement>, Failure> {
        self.progress.begin("bench", 5 * u64::from(self.repeats), "repeats");
        let mut table = Vec::from(self.games()?);
        table.push(self.games_on_all_threads()?);
        table.push(self.all_moves()?);
        let opening = self.playouts("playouts, opening", self.opening())?;
        let crowded = self.playouts("playouts, crowded board", self.crowded())?;
        let per_game =
            [opening.per_game("opening, per game", &table[0]), crowded.per_game("crowded board, per game", &table[0])];
        table.extend([opening, crowded]);
        table.extend(per_game);
        Ok(table)
    }

    /// Repeats `work`, which returns the units done and the seconds they took.
    fn repeat(
        &self,
        name: &'static str,
        unit: &'static str,
        mut work: impl FnMut() -> (u64, f64),
    ) -> Result<Measurement, Failure> {
        let mut rates = Vec::new();
        for _ in 0..self.repeats {
            let (done, seconds) = work();
            go_on(self.progress)?;
            self.progress.advance(1);
            rates.push(done as f64 / seconds);
        }
        rates.sort_by(f64::total_cmp);
        Ok(Measurement { name, unit, best: rates[rates.len() - 1], median: rates[(rates.len() - 1) / 2] })
    }

    /// Static self-play on one thread: games, and turns.
    fn games(&self) -> Result<[Measurement; 2], Failure> {
        let mut generator = Generator::new(self.setup);
        let mut turns = 0;
        let games = self.repeat("self-play", "games per CPU-second", || {
            let cpu = ProcessTime::now();
            let play = |index| {
                u64::from(play_game(&mut generator, [self.player; 2], Domain::Match.deals(self.seed), index, |_| ()).turns)
            };
            turns = (0..GAMES).map(play).sum();
            (GAMES, cpu.elapsed().as_secs_f64())
        })?;
        let turns_per_game = turns as f64 / GAMES as f64;
        let turns = Measurement {
            name: "self-play, turns",
            unit: "turns per CPU-second",
            best: games.best * turns_per_game,
            median: games.median * turns_per_game,
        };
        Ok([games, turns])
    }

    fn games_on_all_threads(&self) -> Result<Measurement, Failure> {
        let pairs = GAMES / 2 * rayon::current_num_threads() as u64;
        let series = Series::new(self.setup, [self.player; 2], Domain::Match.deals(self.seed));
        self.repeat("self-play, all threads", "games per second", || {
            let begun = Instant::now();
            let played = series.play(0..pairs, &NoMonitor).pairs;
            (2 * played, begun.elapsed().as_secs_f64())
        })
    }

    /// All moves of the positions of some games.
    fn all_moves(&self) -> Result<Measurement, Failure> {
        let mut generator = Generator::new(self.setup);
        let games = positions(self.setup, self.player, self.seed, POSITIONS_FROM_GAMES);
        let ranker = loading::ranker(self.player)?;
        self.repeat("all moves, ranked", "moves per CPU-second", || {
            let cpu = ProcessTime::now();
            let all = |game: &Game| ranker.rank(&mut generator, &game.turn(self.setup)).len() as u64;
            (games.iter().map(all).sum(), cpu.elapsed().as_secs_f64())
        })
    }

    fn playouts(&self, name: &'static str, game: Game) -> Result<Measurement, Failure> {
        let settings =
            Settings { plies: PLIES, candidates: CANDIDATES, iterations: ROUNDS, confidence: 1.0, ..Settings::default() };
        let policy = loading::ranker(self.player)?;
        let simulator = Simulator::new(self.setup, policy, &self.win_percentage, &settings);
        let candidates = simulator.candidates(policy, &mut Generator::new(self.setup), &game);
        let mut situation = Situation { game, known: Rack::default(), last: None, seed: self.seed };
        self.repeat(name, "two-ply playouts per CPU-second", || {
            let cpu = ProcessTime::now();
            let simulated = simulator.run(&situation, &candidates, 1, &NoMonitor, &mut |_| ());
            situation.seed += 1;
            (simulated.playouts, cpu.elapsed().as_secs_f64())
        })
    }

    /// An empty board with a rack that has no bingo.
    fn opening(&self) -> Game {
        let dealt = Game::deal(self.setup, Domain::Match.deals(self.seed), 0);
        let Ok(rack) = Rack::parse(OPENING_RACK, &self.setup.tileset) else { return dealt };
        let board = Board::new(self.setup.layout.side());
        Game::from_position(self.setup, board, rack, [0; 2], stream(self.seed, "opening", 0)).unwrap_or(dealt)
    }

    /// The position of [`CROWDED`]. If the tile set or the board does not fit, the first position of a game with
    /// [`CROWDED_PERCENT`] of the tiles on the board. If there is none, the last position of the game.
    fn crowded(&self) -> Game {
        let position = cgp::read(CROWDED, &self.setup.tileset, self.setup.layout.side()).ok();
        if let Some(game) = position.and_then(|position| position.game(self.setup, stream(self.seed, "crowded", 0))) {
            return game;
        }
        let mut generator = Generator::new(self.setup);
        let enough = self.setup.tileset.total_tiles() * CROWDED_PERCENT / 100;
        let mut game = Game::deal(self.setup, Domain::Match.deals(self.seed), 0);
        while game.board().tiles() < enough {
            let chosen = self.player.choose(&mut generator, &game);
            let undo = game.make_with_undo(self.setup, &chosen.chosen);
            if game.is_over() {
                game.unmake(&undo);
                break;
            }
        }
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crowded_board_is_that_of_the_benches() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/benches/crowded.cgp");
        assert_eq!(std::fs::read_to_string(path).unwrap().trim(), CROWDED);
    }
}
