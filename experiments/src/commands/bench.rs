//! `bench`: how fast this machine plays.

use std::time::Instant;

use serde::Serialize;
use tilewright_engine::artefact::write_atomically;
use tilewright_engine::board::Board;
use tilewright_engine::game::{Game, cgp};
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::playout::Playouts;
use tilewright_engine::rack::Rack;
use tilewright_engine::rng::stream;
use tilewright_engine::selfplay::play_game;
use tilewright_engine::series::play_pairs;
use tilewright_engine::setup::Setup;

use crate::arguments::BenchArguments;
use crate::failure::{Failure, Input};
use crate::page::say;
use crate::progress::Progress;
use crate::{folder, loading};

/// Candidates of a simulated position, and replies of a playout.
const CANDIDATES: usize = 15;
const PLIES: usize = 2;
/// The rack of the simulated first turn, where the tile set has its tiles.
const OPENING_RACK: &str = "CDEILNT";
/// Of all tiles, so many lie on the crowded board, in per cent.
const CROWDED: usize = 60;

/// Work of one repeat.
const GAMES: u64 = 400;
const POSITIONS_FROM_GAMES: u64 = 20;
const ROUNDS: u64 = 300;

/// One measurement: how much was done in a CPU-second, by repeat.
struct Measurement {
    name: &'static str,
    unit: &'static str,
    rates: Vec<f64>,
}

/// The table as JSON; rates are a CPU-second (user and system time), but those of all threads a second.
#[derive(Serialize)]
struct BenchJson {
    lexicon: String,
    tileset: String,
    player: String,
    threads: usize,
    setup_seconds: f64,
    peak_memory_megabytes: Option<f64>,
    rates: Vec<RateJson>,
}

#[derive(Serialize)]
struct RateJson {
    name: &'static str,
    unit: &'static str,
    best: f64,
    median: f64,
}

/// `bench`.
pub fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.json {
        folder::check_new_file(path)?;
    }
    loading::set_threads(&arguments.run)?;
    let begun = Instant::now();
    let setup = loading::setup(&arguments.game, &arguments.search)?;
    let setup_seconds = begun.elapsed().as_secs_f64();
    let player = Player::named(&arguments.player, &setup, arguments.game.accept_other_lexicon).input()?;
    let progress = Progress::new(arguments.game.quiet);
    let bench = Bench { setup: &setup, player: &player, seed: arguments.run.seed.unwrap_or(1), repeats: arguments.repeats };
    let threads = rayon::current_num_threads();
    let mut measurements = bench.games();
    if threads > 1 {
        measurements.push(bench.games_on_all_threads(&progress));
    }
    measurements.push(bench.all_moves());
    measurements.push(bench.playouts("playouts, opening", bench.opening()));
    measurements.push(bench.playouts("playouts, crowded board", bench.crowded(arguments.cgp.as_deref())?));
    say!("{}, {}, {}", setup.lexicon.name, setup.tileset.name(), player.name);
    say!("{:<26}{:>12}{:>12}", "", "best", "median");
    for measurement in &measurements {
        let (best, median) = measurement.best_and_median();
        say!("{:<26}{best:>12.0}{median:>12.0}  {}", measurement.name, measurement.unit);
    }
    say!("{:<26}{setup_seconds:>12.2}{:>12}  s", "ready to play after", "");
    let peak = peak_memory();
    if let Some(megabytes) = peak {
        say!("{:<26}{megabytes:>12.0}{:>12}  MB", "peak memory", "");
    }
    if let Some(path) = &arguments.json {
        let rates = measurements.iter().map(|measurement| {
            let (best, median) = measurement.best_and_median();
            RateJson { name: measurement.name, unit: measurement.unit, best, median }
        });
        let json = BenchJson {
            lexicon: setup.lexicon.name.clone(),
            tileset: setup.tileset.name().into(),
            player: player.name.clone(),
            threads,
            setup_seconds,
            peak_memory_megabytes: peak,
            rates: rates.collect(),
        };
        write_atomically(path, (serde_json::to_string_pretty(&json)? + "\n").as_bytes())?;
    }
    Ok(())
}

impl Measurement {
    fn best_and_median(&self) -> (f64, f64) {
        let mut rates = self.rates.clone();
        rates.sort_by(f64::total_cmp);
        (rates[rates.len() - 1], rates[(rates.len() - 1) / 2])
    }
}

/// What is measured with.
struct Bench<'a> {
    setup: &'a Setup,
    player: &'a Player,
    seed: u64,
    repeats: u32,
}

impl Bench<'_> {
    /// Does `work` so often; it tells how much it did.
    fn rates(&self, mut work: impl FnMut() -> u64) -> Vec<f64> {
        let repeat = |_| {
            let cpu = cpu_time::ProcessTime::now();
            let done = work();
            done as f64 / cpu.elapsed().as_secs_f64()
        };
        (0..self.repeats).map(repeat).collect()
    }

    /// Static self-play on one thread: games, and turns.
    fn games(&self) -> Vec<Measurement> {
        let mut generator = Generator::new(self.setup);
        let mut turns = 0;
        let games = self.rates(|| {
            let play = |index| u64::from(play_game(&mut generator, [self.player; 2], self.seed, index, |_| ()).turns);
            turns = (0..GAMES).map(play).sum();
            GAMES
        });
        let turns = games.iter().map(|rate| rate * turns as f64 / GAMES as f64).collect();
        vec![
            Measurement { name: "self-play", unit: "games a CPU-second", rates: games },
            Measurement { name: "", unit: "turns a CPU-second", rates: turns },
        ]
    }

    fn games_on_all_threads(&self, progress: &Progress) -> Measurement {
        let pairs = GAMES / 2 * rayon::current_num_threads() as u64;
        let repeat = |_| {
            let begun = Instant::now();
            let played = play_pairs(self.setup, self.player, self.player, self.seed, 0..pairs, progress).pairs;
            2.0 * played as f64 / begun.elapsed().as_secs_f64()
        };
        let rates = (0..self.repeats).map(repeat).collect();
        Measurement { name: "self-play, all threads", unit: "games a second", rates }
    }

    /// All moves of the positions of some games.
    fn all_moves(&self) -> Measurement {
        let mut generator = Generator::new(self.setup);
        let mut games = Vec::new();
        for index in 0..POSITIONS_FROM_GAMES {
            play_game(&mut generator, [self.player; 2], self.seed, index, |seen| games.push(seen.game.clone()));
        }
        let rates = self.rates(|| {
            let all = |game: &Game| self.player.rank(&mut generator, &game.position(), &game.unseen()).len() as u64;
            games.iter().map(all).sum()
        });
        Measurement { name: "all moves, ranked", unit: "moves a CPU-second", rates }
    }

    fn playouts(&self, name: &'static str, game: Game) -> Measurement {
        let mut generator = Generator::new(self.setup);
        let candidates = self.player.choose_top(&mut generator, &game.position(), &game.unseen(), CANDIDATES);
        let mut playouts = Playouts::new(self.setup, self.player, game, candidates, PLIES, self.seed);
        let mut rounds = 0..;
        let rates = self.rates(|| {
            let mut played = 0;
            for round in rounds.by_ref().take(ROUNDS as usize) {
                playouts.round(round, |_, _| played += 1);
            }
            played
        });
        Measurement { name, unit: "two-ply playouts a CPU-second", rates }
    }

    /// An empty board and a rack that has no bingo.
    fn opening(&self) -> Game {
        let dealt = Game::deal(self.setup, self.seed, 0);
        let Ok(rack) = Rack::parse(OPENING_RACK, &self.setup.tileset) else { return dealt };
        let board = Board::new(self.setup.layout.side());
        Game::at(self.setup, board, rack, [0; 2], stream(self.seed, "opening", 0)).unwrap_or(dealt)
    }

    /// The position asked for, or the first of a game with so many tiles on the board.
    fn crowded(&self, asked: Option<&str>) -> Result<Game, Failure> {
        if let Some(text) = asked {
            let position = cgp::read(text, &self.setup.tileset, self.setup.layout.side()).input()?;
            let stream = stream(self.seed, "crowded", 0);
            let game = Game::at(self.setup, position.board, position.racks[0], position.scores, stream);
            return game.ok_or_else(|| Failure::input("--cgp: board and rack hold more tiles than the set has"));
        }
        let mut generator = Generator::new(self.setup);
        let enough = self.setup.tileset.total_tiles() * CROWDED / 100;
        let mut game = Game::deal(self.setup, self.seed, 0);
        while !game.is_over() && game.board.tiles() < enough {
            let chosen = self.player.choose(&mut generator, &game.position(), &game.unseen());
            game.make(self.setup, &chosen.chosen);
        }
        Ok(game)
    }
}

/// The most memory that this process has used so far, in megabytes, where the system tells it.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix("kB")?;
    kilobytes.trim().parse::<f64>().ok().map(|kilobytes| kilobytes * 1024.0 / 1e6)
}
