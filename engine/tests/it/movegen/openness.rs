//! Openness against a plain count of places, which looks up cross words in the word list.

use std::collections::HashSet;

use tilewright_engine::board::Board;
use tilewright_engine::deals::Domain;
use tilewright_engine::evaluator::Greedy;
use tilewright_engine::features::openness;
use tilewright_engine::game::Game;
use tilewright_engine::layout::{Direction, Square};
use tilewright_engine::movegen::Generator;
use tilewright_engine::rack::Rack;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::tileset::Tile;

use super::SEED;
use super::fingerprint::setup;

/// The number of games whose boards are compared.
const GAMES: u64 = 4;

#[test]
fn english_openness_agrees_with_the_plain_count() {
    compare("english");
}

#[test]
fn super_english_openness_agrees_with_the_plain_count() {
    compare("english_super");
}

#[test]
fn spanish_openness_agrees_with_the_plain_count() {
    compare("spanish");
}

#[test]
fn polish_openness_agrees_with_the_plain_count() {
    compare("polish");
}

fn compare(tileset: &str) {
    let setup = setup(tileset);
    let mut words = HashSet::new();
    setup.lexicon.graph.for_each_word(|word| {
        words.insert(word.to_vec());
    });
    let side = setup.layout.side();
    let most = 2 * side * (side + 1).saturating_sub(setup.tileset.rules().rack_size);
    let (greedy, mut generator) = (StaticPlayer::new(Greedy), Generator::new(&setup));
    let mut sums = Vec::new();
    for index in 0..GAMES {
        let mut game = Game::deal(&setup, Domain::Match.deals(SEED), index);
        while !game.is_over() {
            let (fast, slow) = (openness::places(&game.turn(&setup)), slow(&setup, &words, &game));
            assert!((fast - slow).abs() < 1e-9, "game {index}: {fast}, not {slow}");
            assert!((0.0..=most as f64).contains(&fast));
            sums.push(fast);
            let chosen = greedy.choose(&mut generator, &game.turn(&setup)).chosen;
            game.make(&setup, &chosen);
        }
    }
    assert!(sums.len() > 40 && sums.iter().any(|&open| open.fract() > 0.01), "{sums:?}");
}

/// Counts places in the plain way: a full rack of tiles from every empty square, in both directions.
fn slow(setup: &Setup, words: &HashSet<Vec<u8>>, game: &Game) -> f64 {
    let (board, rack_size) = (game.board(), setup.tileset.rules().rack_size);
    let mut left = setup.tileset.counts();
    board.occupied().for_each(|(_, tile)| left[tile.kind() as usize] -= 1);
    let left = Rack::from_counts(&left);
    let mut sum = 0.0;
    for direction in Direction::BOTH {
        for (lane, first) in (0..board.side()).flat_map(|lane| (0..board.side()).map(move |first| (lane, first))) {
            let square = |offset: usize| Square::in_lane(direction, lane, offset);
            if board.get(square(first)).is_some() {
                continue;
            }
            let laid: Vec<Square> =
                (first..board.side()).map(square).filter(|&at| board.get(at).is_none()).take(rack_size).collect();
            if laid.len() < rack_size {
                continue;
            }
            let mut after = board.clone();
            for &at in &laid {
                after.set(at, Some(Tile::letter_tile(1)));
            }
            let main = word_through(&after, direction, laid[0]);
            let touches = laid.iter().any(|&at| neighbours(board, at).any(|tile| tile.is_some()))
                || board.is_empty() && laid.contains(&setup.layout.start());
            if touches && main.len() <= rack_size + 1 {
                sum += laid.iter().map(|&at| share(words, board, direction.other(), at, &left)).product::<f64>();
            }
        }
    }
    sum
}

fn neighbours(board: &Board, Square { row, column }: Square) -> impl Iterator<Item = Option<Tile>> + '_ {
    let beside = [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|(down, right)| (i32::from(row) + down, i32::from(column) + right));
    let side = board.side() as i32;
    let inside = move |&(row, column): &(i32, i32)| (0..side).contains(&row) && (0..side).contains(&column);
    beside.into_iter().filter(inside).map(|(row, column)| board.get(Square { row: row as u8, column: column as u8 }))
}

/// Returns the letters of the word through a square with a tile.
fn word_through(board: &Board, direction: Direction, square: Square) -> Vec<u8> {
    let (lane, mut offset) = square.lane(direction);
    let letter = |offset: usize| {
        let inside = offset < board.side();
        board.get(Square::in_lane(direction, lane, if inside { offset } else { 0 })).filter(|_| inside).map(Tile::letter)
    };
    while offset > 0 && letter(offset - 1).is_some() {
        offset -= 1;
    }
    (offset..).map_while(letter).collect()
}

/// Returns the share of the tiles that form a word in direction `crossing` on an empty square, or no word there.
fn share(words: &HashSet<Vec<u8>>, board: &Board, crossing: Direction, square: Square, left: &Rack) -> f64 {
    let fits = |tile: Tile| {
        let mut after = board.clone();
        after.set(square, Some(tile));
        let word = word_through(&after, crossing, square);
        word.len() == 1 || words.contains(&word)
    };
    let letters: Vec<bool> = (1..64).map(|letter| fits(Tile::letter_tile(letter))).collect();
    let any = letters.contains(&true);
    let fitting = left.tiles().filter(|tile| if tile.is_blank() { any } else { letters[tile.kind() as usize - 1] }).count();
    if left.is_empty() { f64::from(u8::from(any)) } else { fitting as f64 / left.size() as f64 }
}
