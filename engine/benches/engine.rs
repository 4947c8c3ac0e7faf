//! Benchmarks of the parts of the engine: `cargo bench -p tilewright-engine`, or one of them with its name after `--`.
//!
//! Each benchmark checks its result before it is timed. The lexicon is the embedded one; the leave values are made up.

#![allow(missing_docs)]

use std::hint::black_box;
use std::sync::{Arc, LazyLock};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tilewright_engine::board::Board;
use tilewright_engine::cross_set::CrossSets;
use tilewright_engine::deals::Domain;
use tilewright_engine::equity::Equity;
use tilewright_engine::game::{Game, cgp};
use tilewright_engine::leave::CorrectedLeaves;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::lexicon::{EMBEDDED_NAME, Lexicon, LineForm, WordMap, build_graph};
use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::movegen::{Generator, ValuedMove};
use tilewright_engine::moves::{Move, notation};
use tilewright_engine::player::Player;
use tilewright_engine::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use tilewright_engine::rng::stream;
use tilewright_engine::selfplay::play_game;
use tilewright_engine::setup::Setup;
use tilewright_engine::simulator::{Settings, Simulator, Situation};
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::tileset::TileSet;
use tilewright_engine::win_percentage::WinPercentage;

/// A position in the middle of a game with few places to play.
const CROWDED: &str = include_str!("crowded.cgp");
const CANDIDATES: usize = 15;
const PLIES: usize = 2;
const ITERATIONS: u64 = 32;

static TABLE: LazyLock<Arc<LeaveTable>> = LazyLock::new(|| Arc::new(leaves(&SETUP.tileset)));
static SETUP: LazyLock<Setup> = LazyLock::new(english);
static WITHOUT_WORD_MAP: LazyLock<Setup> = LazyLock::new(|| {
    let Setup { tileset, layout, lexicon, .. } = english();
    Setup::without_word_map(tileset, layout, lexicon).expect("a graph that the search addresses")
});

fn english() -> Setup {
    Setup::embedded("english").expect("an embedded tile set")
}

/// Creates a table with a few points per tile and less for duplicates, so that searches behave as with a real one.
fn leaves(tileset: &TileSet) -> LeaveTable {
    let points = |label: &str| match label {
        "?" => 25.0,
        "S" => 8.0,
        "Z" | "X" => 3.5,
        "Q" => -6.0,
        "V" | "W" | "U" | "G" => -3.0,
        "E" | "R" | "H" | "C" | "A" | "N" | "T" => 1.0,
        _ => -1.0,
    };
    let mut table = LeaveTable::zero(tileset);
    for index in 1..table.values().len() {
        let leave = table.ranking().unrank(index);
        let value = |(kind, count): (u8, u8)| {
            let count = f64::from(count);
            count * points(&tileset.kinds()[kind as usize].label) - 2.5 * count * (count - 1.0)
        };
        table.set(index, Equity::from_fractional_points(leave.kinds().map(value).sum()));
    }
    table
}

fn player() -> StaticPlayer {
    StaticPlayer::new(CorrectedLeaves::new(Arc::clone(&TABLE)))
}

/// Returns the position of an empty board and a rack without a bingo.
fn opening() -> Game {
    let rack = Rack::parse("CDEILNT", &SETUP.tileset).expect("a rack");
    Game::from_position(&SETUP, Board::new(15), rack, [0; 2], stream(1, "opening", 0)).expect("a position")
}

fn crowded() -> Game {
    let position = cgp::read(CROWDED, &SETUP.tileset, 15).expect("a position");
    Game::from_position(&SETUP, position.board, position.racks[0], position.scores, stream(1, "crowded", 0))
        .expect("a position")
}

fn show(valued: &ValuedMove, game: &Game) -> String {
    notation::show(&valued.chosen, game.board(), &SETUP.tileset)
}

fn lexicons(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lexicon");
    group.sample_size(10);
    let folder = tempfile::tempdir().expect("a folder");
    let load = || {
        Lexicon::load(EMBEDDED_NAME, LineForm::default(), &SETUP.tileset, 15, Some(folder.path()))
            .expect("the embedded words")
    };
    assert_eq!((load().report.words, load().cached), (169_266, true));
    group.bench_function("load from the cache", |bencher| bencher.iter(load));
    let mut words = Vec::new();
    SETUP.lexicon.graph.for_each_word(|word| words.push(tilewright_engine::lexicon::PackedWord::new(word.iter().copied())));
    assert_eq!(build_graph(&words).expect("a graph").nodes().len(), SETUP.lexicon.graph.nodes().len());
    group.bench_function("build the graph", |bencher| bencher.iter(|| build_graph(&words)));
    let map = WordMap::new(&SETUP.lexicon.graph);
    let key = "CARES".bytes().fold(0u64, |key, byte| key.wrapping_add(map.letter_key(byte - b'A' + 1)));
    assert_eq!(map.words(key).count(), 7);
    group.bench_function("build the word map", |bencher| bencher.iter(|| WordMap::new(&SETUP.lexicon.graph)));
    group.finish();
}

fn moves(criterion: &mut Criterion) {
    let player = player();
    for (name, setup) in [("word map", &*SETUP), ("no word map", &*WITHOUT_WORD_MAP)] {
        let mut group = criterion.benchmark_group(format!("moves, {name}"));
        for (place, position, count, best) in [
            ("opening", opening as fn() -> Game, OPENING_MOVES, OPENING_BEST),
            ("crowded", crowded, CROWDED_MOVES, CROWDED_BEST),
        ] {
            let (game, mut generator) = (position(), Generator::new(setup));
            let turn = game.turn(setup);
            let all = player.rank(&mut generator, &turn);
            assert_eq!((all.len(), show(&all[0], &game).as_str()), (count, best));
            assert_eq!(player.choose(&mut generator, &turn), all[0]);
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(format!("all, {place}"), |bencher| {
                bencher.iter(|| player.rank(&mut generator, &turn));
            });
            group.throughput(Throughput::Elements(1));
            group.bench_function(format!("best, {place}"), |bencher| {
                bencher.iter(|| player.choose(&mut generator, &turn));
            });
        }
        group.finish();
    }
}

fn games(criterion: &mut Criterion) {
    let player = player();
    let seat = Player::from_static("leaves", player.clone());
    let mut group = criterion.benchmark_group("games");
    let mut generator = Generator::new(&SETUP);
    let mut play = |index| play_game(&mut generator, [&seat; 2], Domain::Match.deals(1), index, |_| ());
    assert_eq!(play(0).scores, GAME_SCORES);
    group.throughput(Throughput::Elements(1));
    let mut index = 0;
    group.bench_function("self-play", |bencher| {
        bencher.iter(|| {
            index += 1;
            play(index)
        });
    });
    for (place, position) in [("opening", opening as fn() -> Game), ("crowded", crowded)] {
        let (game, probabilities) = (position(), WinPercentage::for_setup(&SETUP).0);
        let settings = Settings {
            plies: PLIES,
            candidates: CANDIDATES,
            iterations: ITERATIONS,
            confidence: 1.0,
            ..Settings::default()
        };
        let simulator = Simulator::new(&SETUP, &player, &probabilities, &settings);
        let candidates = simulator.candidates(&player, &mut generator, &game);
        let mut situation = Situation { game, known: Rack::default(), last: None, seed: 1 };
        let playouts = CANDIDATES as u64 * ITERATIONS;
        assert_eq!(simulator.run(&situation, &candidates, 1, &NoMonitor, &mut |_| ()).playouts, playouts);
        group.throughput(Throughput::Elements(playouts));
        group.bench_function(format!("two-ply playouts, {place}"), |bencher| {
            bencher.iter(|| {
                situation.seed += 1;
                simulator.run(&situation, &candidates, 1, &NoMonitor, &mut |_| ())
            });
        });
    }
    group.finish();
}

fn parts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parts");
    let mut game = crowded();
    let best = player().choose(&mut Generator::new(&SETUP), &game.turn(&SETUP)).chosen;
    assert!(matches!(best, Move::Play(play) if !play.tiles.is_empty()));
    let before = game.clone();
    let undo = game.make_with_undo(&SETUP, &best);
    assert!(game.cross_sets() != before.cross_sets());
    game.unmake(&undo);
    assert!(game == before);
    group.bench_function("make and undo a play (cross sets, draw)", |bencher| {
        bencher.iter(|| {
            let undo = game.make_with_undo(&SETUP, &best);
            game.unmake(&undo);
        });
    });
    group.bench_function("compute all cross sets of a board", |bencher| {
        bencher.iter(|| CrossSets::from_board(&SETUP, game.board()));
    });
    let rack = Rack::parse("AEINRS?", &SETUP.tileset).expect("a rack");
    let numbers = SubRacks::new(&rack);
    let mut values = [Equity::ZERO; MAX_SUB_RACKS];
    TABLE.fill(&numbers, &mut values);
    assert_eq!(values[1], TABLE.get(&numbers.get(1)).expect("a leave"));
    group.bench_function("values of the 128 leaves of a rack", |bencher| {
        bencher.iter(|| TABLE.fill(black_box(&numbers), &mut values));
    });
    group.finish();
}

const OPENING_MOVES: usize = 814;
const OPENING_BEST: &str = "8G DELTIC";
const CROWDED_MOVES: usize = 529;
const CROWDED_BEST: &str = "3I WINDLE";
const GAME_SCORES: [i32; 2] = [348, 476];

criterion_group!(benches, lexicons, moves, games, parts);
criterion_main!(benches);
