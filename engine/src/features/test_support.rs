//! Setups and positions for the tests of features.

use rand::RngExt;

use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::deals::Domain;
use crate::equity::Equity;
use crate::game::Game;
use crate::layout::Square;
use crate::movegen::{Generator, LeaveValues};
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::rng::stream;
use crate::setup::Setup;
use crate::tileset::{Style, TileSet};
use crate::turn::Turn;

pub(super) fn english() -> Setup {
    Setup::embedded("english").unwrap()
}

/// A set of 22 tiles, two of them blanks, with racks of four. The words decide which letters have companions.
pub(super) fn small(words: &str) -> Setup {
    let text = r#"
        name = "small"
        board = "standard"
        total_tiles = 22
        total_points = 40
        blanks = 2
        letters = [
            { letter = "A", count = 6, value = 1, vowel = true },
            { letter = "B", count = 4, value = 3 },
            { letter = "E", count = 6, value = 1, vowel = true },
            { letter = "Q", count = 4, value = 4 },
        ]
        [rules]
        rack_size = 4
        bingo_bonus = 30
        exchange_minimum = 4
    "#;
    Setup::from_words(TileSet::from_toml(text, "small").unwrap(), words).unwrap()
}

/// Words of the small set; no letter has a companion.
pub(super) const WORDS: &str = "AB\nBE\nBA\nABBE\nBEBE\nABBA\nBABE\nBEAQ\nQABBE\nAQEBA\nBABEBA\nEQAB\nAAB\nEB\nQA\n";

/// The positions of games in which each move is one of the five that score most.
pub(super) fn positions(setup: &Setup, seed: u64, games: u64) -> Vec<Game> {
    let mut generator = Generator::new(setup);
    let mut seen = Vec::new();
    for index in 0..games {
        let mut choices = stream(seed, "test", index);
        let mut game = Game::deal(setup, Domain::Match.deals(seed), index);
        while !game.is_over() {
            seen.push(game.clone());
            let moves = generator.top_moves(&game.turn(setup), &no_leaves(game.rack()), 5);
            game.make(setup, &moves[choices.random_range(0..moves.len())].chosen);
        }
    }
    seen
}

/// Leave values of 0.
pub(super) fn no_leaves(rack: &Rack) -> LeaveValues {
    let sub_racks = SubRacks::new(rack);
    let mut values = [Equity::ZERO; MAX_SUB_RACKS];
    values[sub_racks.whole()] = Equity::PASS;
    LeaveValues { sub_racks, values }
}

/// Calls `see` with a turn on an empty board with this rack and these unseen tiles.
pub(super) fn with_turn<T>(setup: &Setup, rack: &Rack, unseen: &Rack, see: impl FnOnce(&Turn<'_>) -> T) -> T {
    let (board, cross_sets) = (Board::new(setup.layout.side()), CrossSets::new(setup.layout.side(), &setup.tileset));
    let bag = unseen.size() - setup.tileset.rules().rack_size.min(unseen.size());
    see(&Turn { setup, board: &board, cross_sets: &cross_sets, rack: *rack, unseen: *unseen, bag, spread: 12 })
}

/// The sum of `worth` over all draws of `left` tiles from `unseen` to `rack`, and the number of draws (equal tiles count).
pub(super) fn draws(rack: &Rack, unseen: &Rack, left: usize, worth: &mut dyn FnMut(&Rack) -> f64) -> (f64, f64) {
    if left == 0 {
        return (worth(rack), 1.0);
    }
    let mut sums = (0.0, 0.0);
    for (kind, count) in unseen.kinds() {
        let (mut next, mut rest) = (*rack, *unseen);
        next.add(kind);
        rest.remove(kind);
        let (sum, ways) = draws(&next, &rest, left - 1, worth);
        sums = (sums.0 + f64::from(count) * sum, sums.1 + f64::from(count) * ways);
    }
    sums
}

/// A board with words across, each given as row, column and word.
pub(super) fn board_with(rows: &[(usize, usize, &str)], setup: &Setup) -> Board {
    let mut board = Board::new(setup.layout.side());
    for &(row, column, word) in rows {
        for (step, tile) in setup.tileset.parse(word, Style::Greedy).unwrap().into_iter().enumerate() {
            board.set(Square { row: row as u8, column: (column + step) as u8 }, Some(tile));
        }
    }
    board
}
