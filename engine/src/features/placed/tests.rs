use super::*;
use crate::features::test_support::{board_with, english, no_leaves, positions};
use crate::features::{Feature, Features};
use crate::movegen::Generator;
use crate::moves::Move;
use crate::rack::Rack;

/// The features of a play across (row, column, word) on a board with the words of `rows`.
fn placed_of(rows: &[(usize, usize, &str)], play: (usize, usize, &str), wanted: &[Feature]) -> Vec<f64> {
    let setup = english();
    let board = board_with(rows, &setup);
    let cross_sets = CrossSets::from_board(&setup, &board);
    let start = Square { row: play.0 as u8, column: play.1 as u8 };
    let tiles: Vec<Tile> = setup.tileset.parse(play.2, crate::tileset::Style::Greedy).unwrap();
    let tiles = tiles
        .into_iter()
        .enumerate()
        .filter(|(step, _)| board.get(Square { row: start.row, column: start.column + *step as u8 }).is_none());
    let tiles: crate::moves::Tiles = tiles.map(|(_, tile)| tile).collect();
    let rack = Rack::from_tiles(&tiles);
    let unseen = crate::game::unseen(&setup.tileset, &board, &rack).unwrap();
    let bag = unseen.size() - 7;
    let turn = Turn { setup: &setup, board: &board, cross_sets: &cross_sets, rack, unseen, bag, spread: 0 };
    let features = Features::new(wanted, &setup, None).unwrap();
    features.move_values(&turn, &Move::Play(Play { direction: Direction::Across, start, tiles, score: 0 }))
}

#[test]
fn the_squares_that_a_play_opens_are_counted() {
    // HORN at 8G covers no triple word square. H1 is seven squares above its O, A8 six before its H, O8 five after its N.
    let opened = [
        Feature::Placed(PlacedFeature::TripleWordsOpened),
        Feature::Placed(PlacedFeature::PremiumsBesideVowels),
        Feature::Placed(PlacedFeature::HooksOpened),
    ];
    let found = placed_of(&[], (7, 6, "HORN"), &opened);
    // SHORN and THORN in front, HORNS and HORNY behind: 4 S, 6 T, 2 blanks, and 4 S, 2 Y, 2 blanks, of 96 unseen tiles.
    let hooks = f64::from(4 + 6 + 2 + 4 + 2 + 2) / 96.0;
    assert!((found[2] - hooks).abs() < 1e-6, "{found:?} {hooks}");
    assert!(found[1] == 0.0 && found[0] >= 4.0, "{found:?}");
    let beside =
        |row, column, word| placed_of(&[], (row, column, word), &[Feature::Placed(PlacedFeature::PremiumsBesideVowels)]);
    // The Os at G8 and I8 each have a double letter square above and one below.
    assert_eq!(beside(7, 6, "OHO"), [4.0]);
    assert_eq!(beside(7, 6, "HOH"), [0.0]);
    // TH at 1D lies between the triple word squares A1 and H1.
    let penalty = |rows: &[(usize, usize, &str)], row, column, word| {
        placed_of(rows, (row, column, word), &[Feature::Placed(PlacedFeature::MultipliersOpened)])
    };
    assert_eq!(penalty(&[], 0, 3, "TH"), [20.0]);
    assert_eq!(penalty(&[], 7, 6, "OHO"), [5.0]);
    // An A at E6 is next to the triple letter square F6; at D6 it is not.
    assert_eq!(penalty(&[], 5, 3, "TA"), [10.0]);
    assert_eq!(penalty(&[], 5, 2, "TA"), [0.0]);
}

#[test]
fn bingo_lanes_are_counted_where_they_open_and_close() {
    let lanes = [Feature::Placed(PlacedFeature::BingoLanesOpened), Feature::Placed(PlacedFeature::BingoLanesClosed)];
    // A single tile in the middle: in its row and its column eight places through it or next to it, with 0 to 7 of the 7
    // squares before it, and in each of the four neighbouring lanes seven places that touch it.
    let found = placed_of(&[], (7, 7, "A"), &lanes);
    assert_eq!(found, [2.0 * 8.0 + 4.0 * 7.0, 0.0]);
    let setup = english();
    let features = Features::new(&lanes, &setup, None).unwrap();
    let mut generator = Generator::new(&setup);
    let count = |board: &Board| -> [Vec<i32>; 2] {
        let cross_sets = CrossSets::from_board(&setup, board);
        Direction::BOTH.map(|direction| (0..15).map(|lane| places(board, &cross_sets, direction, lane)).collect())
    };
    for game in positions(&setup, 8, 2) {
        let turn = game.turn(&setup);
        let moves = generator.top_moves(&turn, &no_leaves(game.rack()), 4);
        for valued in moves.iter().filter(|valued| matches!(valued.chosen, Move::Play(_))) {
            let mut after = game.clone();
            let before = count(game.board());
            after.make(&setup, &valued.chosen);
            let after = count(after.board());
            let changes = before.iter().flatten().zip(after.iter().flatten()).map(|(before, after)| after - before);
            let (opened, closed) =
                changes.fold((0, 0), |(opened, closed), change| (opened + change.max(0), closed - change.min(0)));
            let found = features.move_values(&turn, &valued.chosen);
            assert_eq!(found, [f64::from(opened), f64::from(closed)]);
        }
    }
}

/// The number of places for a bingo in a lane, by trying every run of squares.
fn places(board: &Board, cross_sets: &CrossSets, direction: Direction, lane: usize) -> i32 {
    let (cells, crosses) = (board.lane(direction, lane), cross_sets.lane(direction, lane));
    let is_empty = |square: usize| cells[square].is_none();
    let mut places = 0;
    for first in 0..15 {
        for end in first + 7..=15 {
            let squares = first..end;
            let ends_free = (first == 0 || is_empty(first - 1)) && (end == 15 || is_empty(end));
            let empty = squares.clone().filter(|&square| is_empty(square)).count();
            let tiles = squares.len() - empty;
            let hooks = squares.clone().filter(|&square| is_empty(square) && crosses[square].joined).count();
            let dead = squares.clone().any(|square| is_empty(square) && crosses[square].letters == 0);
            places += i32::from(ends_free && empty == 7 && tiles + hooks == 1 && !dead);
        }
    }
    places
}
