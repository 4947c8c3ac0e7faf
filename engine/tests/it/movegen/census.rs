//! The census against the move generator, rack by rack, and against the reference.

use std::sync::Arc;

use rand::RngExt;
use rayon::prelude::*;
use tilewright_engine::census::{Census, NOT_DEALT};
use tilewright_engine::deals::Domain;
use tilewright_engine::equity::Equity;
use tilewright_engine::evaluator::Leave;
use tilewright_engine::game::Game;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::Move;
use tilewright_engine::rack::Rack;
use tilewright_engine::rng::stream;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::tileset::Tile;

use super::fingerprint::{made_up_leaves, setup};
use super::{SEED, odd, reference};
use crate::words::{bracketed, made_up_words};

/// The number of games, and the number of racks that are compared on each board.
const GAMES: u64 = 3;
const RACKS: usize = 300;

#[test]
fn english_rack_values_agree_with_the_generator() {
    compare("english", 4);
}

#[test]
fn super_english_rack_values_agree_with_the_generator() {
    compare("english_super", 12);
}

#[test]
fn spanish_rack_values_agree_with_the_generator() {
    compare("spanish", 4);
}

#[test]
fn polish_rack_values_agree_with_the_generator() {
    compare("polish", 8);
}

/// Compares the values of random racks on the boards of some games, at one turn in `every`.
fn compare(tileset: &str, every: u64) {
    let setup = setup(tileset);
    let table = Arc::new(made_up_leaves(&setup.tileset));
    let player = StaticPlayer::new(Leave::new(table.clone()));
    let checked: usize = (0..GAMES)
        .into_par_iter()
        .map(|index| {
            let (mut generator, mut census) = (Generator::new(&setup), Census::new(&setup));
            let mut checked = 0;
            let mut game = Game::deal(&setup, Domain::Match.deals(SEED), index);
            let mut turn = index;
            while !game.is_over() && !game.bag.is_empty() {
                if turn.is_multiple_of(every) {
                    checked += compare_board(&mut generator, &mut census, &game, &player, &table, index);
                }
                turn += 1;
                let chosen = player.choose(&mut generator, &game.turn(&setup)).chosen;
                game.make(&setup, &chosen);
            }
            checked
        })
        .sum();
    assert!(checked > 5 * RACKS, "{checked}");
}

/// Returns all tiles that are not on the board.
fn unplayed(game: &Game) -> Rack {
    let mut unplayed = game.unseen();
    game.rack().tiles().for_each(|tile| unplayed.add(tile.kind()));
    unplayed
}

fn compare_board(
    generator: &mut Generator<'_>,
    census: &mut Census<'_>,
    game: &Game,
    player: &StaticPlayer,
    table: &LeaveTable,
    seed: u64,
) -> usize {
    let setup = generator.setup();
    let (unplayed, bag) = (unplayed(game), game.bag.len());
    let values = census.take(&game.board, &game.cross_sets, &unplayed, bag, table).to_vec();
    let ranking = census.ranking();
    let first = ranking.indices_of_size(ranking.max_size()).start;
    let kinds: Vec<u8> = unplayed.tiles().map(Tile::kind).collect();
    let mut draws = stream(seed, "racks", unplayed.size() as u64);
    for _ in 0..RACKS {
        let mut left = kinds.clone();
        let mut rack = Rack::default();
        for _ in 0..ranking.max_size() {
            rack.add(left.swap_remove(draws.random_range(0..left.len())));
        }
        let turn = game.turn(setup).with_rack(rack, unplayed.minus(&rack).expect("a rack of unplayed tiles"));
        let best = player.choose(generator, &turn);
        let value = values[ranking.rank(&rack) - first];
        assert_eq!(value, best.reported_equity().0, "{} {best:?}", rack.show(&setup.tileset));
    }
    let dealt = |index: usize| unplayed.contains(&ranking.unrank(first + index));
    for index in (0..values.len()).step_by(101) {
        assert_eq!(values[index] != NOT_DEALT, dealt(index));
    }
    RACKS
}

/// Compares every rack of a small tile set on every board of some games with the reference generator.
#[test]
fn all_rack_values_of_a_small_tile_set_agree_with_the_reference() {
    let (tileset, layout) = (odd::tileset(4, 4, 2), odd::layout(7));
    let words = made_up_words(&tileset, &mut stream(SEED, "census words", 0));
    let text: Vec<String> = words.iter().map(|word| bracketed(word, &tileset)).collect();
    let lexicon = tilewright_engine::lexicon::Lexicon::from_text(&text.join("\n"), &tileset).expect("words");
    let setup = Setup::new(tileset, layout, lexicon);
    let table = made_up_leaves(&setup.tileset);
    let player = StaticPlayer::new(Leave::new(Arc::new(table.clone())));
    let (mut generator, mut census) = (Generator::new(&setup), Census::new(&setup));
    let mut racks = 0;
    for index in 0..12 {
        let mut game = Game::deal(&setup, Domain::Match.deals(SEED), index);
        while !game.is_over() && !game.bag.is_empty() {
            let unplayed = unplayed(&game);
            let values = census.take(&game.board, &game.cross_sets, &unplayed, game.bag.len(), &table).to_vec();
            let ranking = census.ranking();
            for (number, &value) in ranking.indices_of_size(ranking.max_size()).zip(&values) {
                let rack = ranking.unrank(number);
                let expected = unplayed.contains(&rack).then(|| slow_value(&setup, &game, &rack, &words, &table));
                assert_eq!((value != NOT_DEALT).then_some(value), expected, "{}", rack.show(&setup.tileset));
                racks += 1;
            }
            let chosen = player.choose(&mut generator, &game.turn(&setup)).chosen;
            game.make(&setup, &chosen);
        }
    }
    assert!(racks > 1000, "{racks}");
}

/// Returns the highest equity of all moves, in thousandths of a point; 0 if only the pass is legal.
fn slow_value(setup: &Setup, game: &Game, rack: &Rack, words: &[Vec<u8>], table: &LeaveTable) -> i32 {
    let moves = reference::moves(setup, &game.board, rack, game.bag.len(), words);
    let equity = |chosen: &Move| {
        let leave = rack.minus(&Rack::from_tiles(chosen.tiles())).expect("tiles of the rack");
        Equity::from_points(chosen.score()) + table.get(&leave).expect("a leave")
    };
    let best = moves.iter().filter(|&chosen| *chosen != Move::Pass).map(equity).max();
    best.unwrap_or(Equity::ZERO).0
}
