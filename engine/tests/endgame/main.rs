//! The endgame solver against plain minimax, on the ends of random games with racks cut to a few tiles.

mod oracle;
#[path = "../movegen/words.rs"]
mod words;

use oracle::Oracle;
use rand::RngExt;
use rayon::prelude::*;
use tilewright_engine::endgame::{Limits, Solver};
use tilewright_engine::evaluator::Greedy;
use tilewright_engine::game::Game;
use tilewright_engine::layout::Layout;
use tilewright_engine::lexicon::{EMBEDDED_NAME, Lexicon};
use tilewright_engine::movegen::Generator;
use tilewright_engine::rack::Rack;
use tilewright_engine::rng::{Stream, shuffle, stream};
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::tileset::{Tile, TileSet};

const SEED: u64 = 5;

fn english() -> Setup {
    let tileset = TileSet::embedded("english").unwrap();
    let lexicon = Lexicon::load(EMBEDDED_NAME, &tileset, 15, None).unwrap();
    Setup::new(tileset, Layout::embedded("standard").unwrap(), lexicon)
}

/// A tile set with made-up words.
fn made_up(name: &str, with_map: bool) -> Setup {
    let tileset = TileSet::embedded(name).unwrap();
    let made_up = words::made_up_words(&tileset, &mut stream(SEED, "words", 0));
    let text: String = made_up.iter().map(|word| words::bracketed(word, &tileset) + "\n").collect();
    let lexicon = Lexicon::from_text(&text, &tileset).unwrap();
    let layout = Layout::embedded("standard").unwrap();
    if with_map { Setup::new(tileset, layout, lexicon) } else { Setup::without_word_map(tileset, layout, lexicon).unwrap() }
}

/// A game at the moment when its bag is empty, its racks cut to so many tiles together, after any number of scoreless turns.
fn small_endgame(generator: &mut Generator<'_>, index: u64, most: usize) -> Game {
    let setup = generator.setup();
    let mut stream = stream(SEED, "endgame", index);
    let greedy = StaticPlayer::new(Greedy);
    for deal in 0.. {
        let mut game = Game::deal(setup, SEED + index, deal);
        while !game.is_over() && !game.bag.is_empty() {
            let chosen = greedy.choose(generator, &game.position(), &game.unseen()).chosen;
            game.make(setup, &chosen);
        }
        if !game.is_over() {
            let first = stream.random_range(1..most);
            game.racks[0] = cut(&game.racks[0], first, &mut stream);
            game.racks[1] = cut(&game.racks[1], most - first, &mut stream);
            game.scoreless_turns = stream.random_range(0..6);
            return game;
        }
    }
    unreachable!("some game empties its bag")
}

/// Some tiles of a rack; a blank counts as two tiles, since it makes that many more moves.
fn cut(rack: &Rack, most: usize, stream: &mut Stream) -> Rack {
    let mut tiles: Vec<Tile> = rack.tiles().collect();
    shuffle(&mut tiles, stream);
    tiles.truncate(most);
    if most > 1 && tiles.iter().any(|tile| tile.is_blank()) {
        tiles.pop();
    }
    Rack::from_tiles(&tiles)
}

/// Compares value and move of many small endgames.
fn compare(setup: &Setup, count: u64, most: usize) {
    (0..count).into_par_iter().for_each_init(
        || (Generator::new(setup), Solver::new(setup)),
        |(generator, solver), index| {
            let game = small_endgame(generator, index, most);
            let mut oracle = Oracle::new(generator.clone());
            let value = oracle.value(&game);
            let solution = solver.solve(&game, &Limits::default()).unwrap();
            let name = format!("endgame {index}, {:?}", game.racks.map(|rack| rack.show(&setup.tileset)));
            assert!(solution.is_exact && solution.bounds == (value, value), "{name}: {value}, {solution:?}");
            assert_eq!(solution.value, value, "{name}");
            assert_eq!(oracle.value_of(&game, &solution.best), value, "{name}: {:?}", solution.best);
        },
    );
}

#[test]
fn english_endgames_are_worth_what_plain_minimax_says() {
    compare(&english(), 300, 4);
}

#[test]
fn endgames_of_other_letters_are_worth_what_plain_minimax_says() {
    compare(&made_up("spanish", true), 150, 5);
    compare(&made_up("polish", false), 150, 5);
}
