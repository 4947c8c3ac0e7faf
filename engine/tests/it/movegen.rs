//! The move generator, the cross sets and the play checker against the slow reference, on random positions.
//!
//! Positions come from random games, from the empty board to a nearly full one, and from boards with scattered tiles that
//! make no words. Every draw comes from a seed, so a failure is reproduced by every run.

pub mod fingerprint;
mod english_words;
mod odd;
mod openness;
mod position;
mod reference;

use english_words::english_words;
use position::Position;
use rand::RngExt;
use rayon::prelude::*;
use tilewright_engine::bag::Bag;
use tilewright_engine::board::Board;
use tilewright_engine::cross_set::CrossSets;
use tilewright_engine::equity::Equity;
use tilewright_engine::game::Game;
use tilewright_engine::layout::{Layout, Square};
use tilewright_engine::lexicon::Lexicon;
use tilewright_engine::movegen::{Generator, LeaveValues};
use tilewright_engine::moves::Move;
use tilewright_engine::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use tilewright_engine::rng::{Stream, shuffle, stream};
use tilewright_engine::setup::{Setup, WordSearch};
use tilewright_engine::tileset::{Tile, TileSet};
use tilewright_engine::turn::Turn;

use crate::words::{bracketed, letters_by_count, made_up_words};

const SEED: u64 = 1;
/// The number of word lists for each tile set and board.
const BATCHES: u64 = 28;
/// The number of positions of games for each word list: 1,456 for each tile set and board, at least 2,912 for each language.
const GAME_POSITIONS: u64 = 52;
/// The number of boards with scattered tiles for each word list.
const SCATTERED_POSITIONS: u64 = 6;
/// The numbers of word lists, and of positions of games for each, for tile sets and boards at the limits.
const ODD_BATCHES: u64 = 3;
const ODD_POSITIONS: u64 = 24;

#[test]
fn english_on_the_standard_board() {
    compare("english", "standard");
}

#[test]
fn english_on_the_super_board() {
    compare("english", "super");
}

#[test]
fn super_english_on_the_super_board() {
    compare("english_super", "super");
}

#[test]
fn spanish_on_the_standard_board() {
    compare("spanish", "standard");
}

#[test]
fn spanish_on_the_super_board() {
    compare("spanish", "super");
}

#[test]
fn polish_on_the_standard_board() {
    compare("polish", "standard");
}

#[test]
fn polish_on_the_super_board() {
    compare("polish", "super");
}

#[test]
fn racks_of_eight_with_four_blanks() {
    compare_odd(12, 8, 4, 15);
}

#[test]
fn racks_of_one() {
    compare_odd(12, 1, 4, 9);
}

#[test]
fn sixty_three_letters_and_words_longer_than_the_board() {
    compare_odd(63, 7, 2, 5);
}

#[test]
fn more_blanks_than_the_word_map_supports() {
    compare_odd(12, 5, 9, 7);
}

#[test]
fn a_board_of_four_squares() {
    compare_odd(12, 7, 2, 2);
}

/// Compares positions of a tile set and a board at the limits of the rules.
fn compare_odd(letters: usize, rack_size: usize, blanks: usize, side: usize) {
    let (tileset, layout) = (odd::tileset(letters, rack_size, blanks), odd::layout(side));
    let batches = (0..ODD_BATCHES).into_par_iter();
    let seen = batches.map(|batch| compare_batch(&tileset, &layout, batch, ODD_POSITIONS));
    assert_eq!(seen.map(|seen| seen.positions).sum::<u64>(), ODD_BATCHES * (ODD_POSITIONS + SCATTERED_POSITIONS));
}

/// The numbers of positions and plays with certain properties. They show that not only easy positions were compared.
#[derive(Clone, Copy, Debug, Default)]
struct PropertyCounts {
    positions: u64,
    empty: u64,
    crowded: u64,
    two_blanks: u64,
    bingos: u64,
    single_tiles: u64,
}

fn compare(tileset: &str, layout: &str) {
    let tileset = TileSet::embedded(tileset).expect("an embedded tile set");
    let layout = Layout::embedded(layout).expect("an embedded board");
    let batches = (0..BATCHES).into_par_iter().map(|batch| compare_batch(&tileset, &layout, batch, GAME_POSITIONS));
    let seen = batches.reduce(PropertyCounts::default, |a, b| PropertyCounts {
        positions: a.positions + b.positions,
        empty: a.empty + b.empty,
        crowded: a.crowded + b.crowded,
        two_blanks: a.two_blanks + b.two_blanks,
        bingos: a.bingos + b.bingos,
        single_tiles: a.single_tiles + b.single_tiles,
    });
    assert_eq!(seen.positions, BATCHES * (GAME_POSITIONS + SCATTERED_POSITIONS));
    assert!(seen.empty >= 10 && seen.crowded >= 100 && seen.two_blanks >= 100, "{seen:?}");
    assert!(seen.bingos >= 50 && seen.single_tiles >= 10_000, "{seen:?}");
}

fn compare_batch(tileset: &TileSet, layout: &Layout, batch: u64, game_positions: u64) -> PropertyCounts {
    let purpose = format!("{} on {}", tileset.name(), layout.name());
    let mut stream = stream(SEED, &purpose, batch);
    let english = tileset.name().starts_with("english");
    let words = if english { english_words(&mut stream) } else { made_up_words(tileset, &mut stream) };
    let text: Vec<String> = words.iter().map(|word| bracketed(word, tileset)).collect();
    let lexicon = || Lexicon::from_text(&text.join("\n"), tileset).expect("a word list");
    let report = lexicon().report;
    assert!(report.is_clean() && report.words == words.len(), "{report}");
    let by_words = Setup::new(tileset.clone(), layout.clone(), lexicon());
    let by_graph = Setup::for_few_positions(tileset.clone(), layout.clone(), lexicon());
    // A setup uses the word map with at most four blanks, and the search graph does not support 63 letters.
    assert_eq!(matches!(by_words.search, WordSearch::Map(_)), tileset.counts()[0] <= 4);
    assert_eq!(matches!(by_graph.search, WordSearch::Graph(_)), tileset.letters() < 50);
    let mut trial = Trial {
        name: format!("{purpose}, batch {batch}"),
        setup: &by_words,
        generators: [&by_words, &by_graph].map(Generator::new),
        words,
        stream,
        seen: PropertyCounts::default(),
    };
    while trial.seen.positions < game_positions {
        trial.play_game(game_positions);
    }
    for _ in 0..SCATTERED_POSITIONS {
        trial.scatter();
    }
    trial.seen
}

/// A word list and the positions that are compared with it.
struct Trial<'a> {
    name: String,
    setup: &'a Setup,
    /// Generators with and without the word map. They are reused for all positions, as in games.
    generators: [Generator<'a>; 2],
    words: Vec<Vec<u8>>,
    stream: Stream,
    seen: PropertyCounts,
}

impl Trial<'_> {
    fn play_game(&mut self, max_positions: u64) {
        // More tiles than the tile set has, so that some boards fill up.
        let kinds = (0..).zip(self.setup.tileset.counts());
        let kinds = kinds.flat_map(|(kind, count)| std::iter::repeat_n(kind, 3 * count as usize)).collect();
        let index = self.stream.random();
        let mut game = Game::with_bag(self.setup, Bag::shuffled(kinds, stream(SEED, &self.name, index)));
        let turns = self.setup.layout.side() * self.stream.random_range(1..=6);
        for _ in 0..turns {
            let rack = self.random_rack();
            game.racks[game.to_move] = rack;
            if self.stream.random_bool(0.25) && self.seen.positions < max_positions {
                let bag = if self.stream.random_bool(0.5) { game.bag.len() } else { self.stream.random_range(0..10) };
                self.compare(game.board(), game.cross_sets(), &rack, bag);
            }
            let leaves = LeaveValues { sub_racks: SubRacks::new(&rack), values: [Equity::ZERO; MAX_SUB_RACKS] };
            let (board, cross_sets) = (game.board(), game.cross_sets());
            let (setup, unseen) = (self.setup, Rack::default());
            let turn = Turn { setup, board, cross_sets, rack, unseen, bag: 0, spread: 0 };
            let moves = self.generators[0].all_moves(&turn, &leaves);
            // Without exchanges, the pass is last, except for plays with score 0.
            let pick = if self.stream.random_bool(0.3) { 0 } else { self.stream.random_range(0..moves.len()) };
            game.make(self.setup, &moves[pick].chosen);
            if game.is_over() {
                return;
            }
        }
    }

    /// Compares a board with random tiles on random squares, which no game could reach.
    fn scatter(&mut self) {
        let side = self.setup.layout.side();
        let mut board = Board::new(side);
        let density = self.stream.random_range(0.02..0.6);
        for row in 0..side {
            for column in 0..side {
                if self.stream.random_bool(density) {
                    let letter = self.stream.random_range(1..=self.setup.tileset.letters());
                    let blank = self.stream.random_bool(0.1);
                    let tile = if blank { Tile::blank_as(letter) } else { Tile::letter_tile(letter) };
                    board.set(Square { row: row as u8, column: column as u8 }, Some(tile));
                }
            }
        }
        let cross_sets = CrossSets::from_board(self.setup, &board);
        let rack = self.random_rack();
        self.compare(&board, &cross_sets, &rack, 7);
    }

    /// Returns a rack of random size, often full, with up to two blanks, or four if a rack holds eight tiles.
    fn random_rack(&mut self) -> Rack {
        let tileset = &self.setup.tileset;
        let full = tileset.rules().rack_size;
        let size = if self.stream.random_bool(0.5) { full } else { self.stream.random_range(1..=full) };
        let blanks = [0, 0, 0, 1, 1, if full == 8 { 4 } else { 2 }][self.stream.random_range(0..6)].min(size);
        let mut letters = letters_by_count(tileset);
        if self.stream.random_bool(0.25) {
            letters = (1..=tileset.letters()).collect();
        }
        shuffle(&mut letters, &mut self.stream);
        if size == full && full > 1 && self.stream.random_bool(0.3) {
            // Few full racks spell a word by chance.
            let long: Vec<&Vec<u8>> = self.words.iter().filter(|word| (full..=full + 1).contains(&word.len())).collect();
            letters.clone_from(long[self.stream.random_range(0..long.len())]);
            shuffle(&mut letters, &mut self.stream);
        }
        letters[..blanks].fill(0);
        Rack::from_tiles(&letters[..size].iter().map(|&kind| Tile::letter_tile(kind)).collect::<Vec<Tile>>())
    }

    /// Compares the engine with the reference in one position.
    fn compare(&mut self, board: &Board, cross_sets: &CrossSets, rack: &Rack, bag: usize) {
        let moves = reference::moves(self.setup, board, rack, bag, &self.words);
        let position = Position { name: &self.name, setup: self.setup, board, cross_sets, rack, bag, moves };
        position.compare_moves(&mut self.generators, |_| Equity::ZERO);
        let stream = &mut self.stream;
        let coarse = stream.random_bool(0.5);
        position.compare_moves(&mut self.generators, |_| {
            // A few whole points make ties between plays of different scores.
            if coarse {
                Equity::from_points(stream.random_range(-2..=2))
            } else {
                Equity(stream.random_range(-20_000..=20_000))
            }
        });
        position.compare_cross_sets();
        position.compare_checks(&mut self.stream);
        let plays = || position.moves.iter().filter(|chosen| matches!(chosen, Move::Play(_)));
        self.seen.positions += 1;
        self.seen.empty += u64::from(board.is_empty());
        self.seen.crowded += u64::from(3 * board.tiles() > board.side() * board.side());
        self.seen.two_blanks += u64::from(rack.count(0) == 2);
        self.seen.bingos += plays().filter(|chosen| chosen.tiles().len() == 7).count() as u64;
        self.seen.single_tiles += plays().filter(|chosen| chosen.tiles().len() == 1).count() as u64;
    }
}
