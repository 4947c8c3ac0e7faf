//! One hash over a thousand games per tile set: a change of how moves are found must not change the games.

use std::sync::Arc;

use rand::RngExt;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tilewright_engine::deals::Domain;
use tilewright_engine::equity::Equity;
use tilewright_engine::game::Game;
use tilewright_engine::hash::sha256_parts;
use tilewright_engine::leave::CorrectedLeaves;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::Move;
use tilewright_engine::rng::stream;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::tileset::{Tile, TileSet};
use tilewright_engine::turn::Turn;

use crate::words::{bracketed, made_up_words};

const SEED: u64 = 3;
const GAMES: u64 = 1000;
/// The number of made-up word lists that are joined for a language whose list is not committed.
const LISTS: u64 = 12;

// A change of one of these hashes is a change of the games. If it is intended, report it in the changelog.
const ENGLISH: &str = "70375cf8ec7447d5a8948b58ad6fcc21e72d950a88d40048f1cda62e40413089";
const SUPER_ENGLISH: &str = "d9abaddfeaa3680aeadd70f79eae772709c1fb7d3827e47549c4f881f3c6e49e";
const SPANISH: &str = "79e5dc72e9171a7550f6edb5cdc9df298fe7fdbba874a80695dd7174f9fa3eca";
const POLISH: &str = "7329fc05f50268ad44e270cd69b5280d39b779cffad9968dbfac793fceb6d2fe";

#[test]
fn english_games_do_not_depend_on_how_moves_are_found() {
    compare("english", ENGLISH);
}

#[test]
fn super_english_games_do_not_depend_on_how_moves_are_found() {
    compare("english_super", SUPER_ENGLISH);
}

#[test]
fn spanish_games_do_not_depend_on_how_moves_are_found() {
    compare("spanish", SPANISH);
}

#[test]
fn polish_games_do_not_depend_on_how_moves_are_found() {
    compare("polish", POLISH);
}

/// Compares the fingerprints with and without the word map, by the best move and by the first of all moves, on one
/// thread and on several.
fn compare(name: &str, expected: &str) {
    let by_words = setup(name);
    let Setup { tileset, layout, lexicon, .. } = setup(name);
    let by_graph = Setup::without_word_map(tileset, layout, lexicon).expect("a graph that the search addresses");
    let player = StaticPlayer::new(CorrectedLeaves::new(Arc::new(made_up_leaves(&by_words.tileset))));
    let best = |setup, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| fingerprint(setup, SEED, 0..GAMES, |generator, turn| player.choose(generator, turn).chosen))
    };
    let first_of_all = |setup| fingerprint(setup, SEED, 0..GAMES, |generator, turn| player.rank(generator, turn)[0].chosen);
    assert_eq!(best(&by_words, 1), expected, "word map, best move, one thread");
    assert_eq!(best(&by_words, 3), expected, "word map, best move, three threads");
    assert_eq!(first_of_all(&by_words), expected, "word map, all moves");
    assert_eq!(best(&by_graph, 2), expected, "no word map, best move");
    assert_eq!(first_of_all(&by_graph), expected, "no word map, all moves");
}

/// Creates the setup of a tile set with the embedded or made-up words.
pub fn setup(name: &str) -> Setup {
    if name.starts_with("english") {
        return Setup::embedded(name).expect("an embedded tile set");
    }
    let tileset = TileSet::embedded(name).expect("an embedded tile set");
    let lists = (0..LISTS).flat_map(|list| made_up_words(&tileset, &mut stream(SEED, "words", list)));
    let text: Vec<String> = lists.map(|word| bracketed(&word, &tileset)).collect();
    Setup::from_words(tileset, &text.join("\n")).expect("made-up words")
}

/// Returns random leave values of at most 12 points, the same in every run.
pub fn made_up_leaves(tileset: &TileSet) -> LeaveTable {
    let mut table = LeaveTable::zero(tileset);
    let mut stream = stream(SEED, "leaves", 0);
    for index in 1..table.values().len() {
        table.set(index, Equity(stream.random_range(-12_000..=12_000)));
    }
    table
}

/// Returns a hash, in hexadecimal, of the racks, moves and scores of all turns and of the final scores of games.
/// `choose` picks the move of a turn. The hash does not depend on the number of threads.
fn fingerprint(
    setup: &Setup,
    seed: u64,
    games: std::ops::Range<u64>,
    choose: impl Fn(&mut Generator<'_>, &Turn<'_>) -> Move + Sync,
) -> String {
    let games: Vec<Vec<u8>> = games
        .into_par_iter()
        .map_init(
            || Generator::new(setup),
            |generator, index| {
                let mut bytes = Vec::with_capacity(1024);
                let mut game = Game::deal(setup, Domain::Match.deals(seed), index);
                while !game.is_over() {
                    let chosen = choose(generator, &game.turn(setup));
                    bytes.extend(game.rack().tiles().map(Tile::kind));
                    write_move(&chosen, &mut bytes);
                    game.make(setup, &chosen);
                }
                bytes.extend(game.scores.iter().flat_map(|score| score.to_le_bytes()));
                bytes
            },
        )
        .collect();
    sha256_parts(games.iter().map(Vec::as_slice))
}

/// Appends a move in a form that is different for any two moves.
fn write_move(chosen: &Move, bytes: &mut Vec<u8>) {
    match chosen {
        Move::Play(play) => {
            bytes.extend([1, play.direction as u8, play.start.row, play.start.column]);
            bytes.extend(play.score.to_le_bytes());
        }
        Move::Exchange(_) => bytes.push(2),
        Move::Pass => bytes.push(3),
    }
    bytes.push(chosen.tiles().len() as u8);
    bytes.extend(chosen.tiles().iter().flat_map(|tile| [tile.letter(), u8::from(tile.is_blank())]));
}
