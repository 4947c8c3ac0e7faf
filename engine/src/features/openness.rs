//! How open a board is to bingos.
//!
//! A **place** for a bingo is a full rack of empty squares in one lane that follow each other. At most one tile may lie
//! between or next to them: it is played through or extended. A place must touch the tiles on the board, either that tile or
//! a tile beside the lane. The first play of a game covers the start square instead.
//!
//! The openness of a board is a sum over its places: the chance that tiles laid blindly make words across the lane. This
//! chance is the product, over the squares beside tiles, of the share of the remaining tiles that the cross set admits. A
//! blank fits wherever a letter does. So a square where nothing fits closes every place over it, and a board closes as the
//! letters that fit are used up.
//!
//! Places with more tiles are left out because few words run through them. With them, openness predicts less well whether a
//! bingo comes next: in English self-play with 21 to 40 tiles unseen, the correlation is 0.07 instead of 0.09. Whether a
//! word fits in the lane is not checked. Openness measures room and costs microseconds. A search for bingos costs as much as
//! a turn. Openness is the same for both players because it does not depend on a rack.

use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::layout::{MAX_SIDE, Square};
use crate::movegen::all_lanes;
use crate::rack::Rack;
use crate::setup::Setup;
use crate::tileset::Tile;
use crate::turn::Turn;

/// An empty square of a lane, or the bound before its first or after its last square.
#[derive(Clone, Copy, Debug, Default)]
struct Gap {
    /// The position in the lane: 0 for the bound before it, 1 for the first square.
    offset: usize,
    /// The share of the remaining tiles that fit across the lane, 0 to 1.
    share: f64,
    /// Whether a tile lies beside the lane there, or the game starts there.
    joined: bool,
}

/// The openness of a turn's board before the move, in places. It is the same for both players.
///
/// # Cost
/// A few microseconds on a standard board.
pub fn places(turn: &Turn<'_>) -> f64 {
    places_on_board(turn.setup, turn.board, turn.cross_sets, &turn.unseen.plus(&turn.rack))
}

/// The openness of a board with its cross sets, in places. `left` holds all tiles that are not on the board.
pub(crate) fn places_on_board(setup: &Setup, board: &Board, cross_sets: &CrossSets, left: &Rack) -> f64 {
    let start = board.is_empty().then(|| setup.layout.start());
    let mut places = 0.0;
    for (direction, lane) in all_lanes(board.side()) {
        let cells = board.lane(direction, lane);
        let mut gaps = [Gap::default(); MAX_SIDE + 2];
        let mut count = 1;
        for (offset, cross) in cross_sets.lane(direction, lane).iter().enumerate() {
            if cells[offset].is_none() {
                let starts = start == Some(Square::in_lane(direction, lane, offset));
                let share = if cross.joined { share_that_fits(left, cross.letters) } else { 1.0 };
                gaps[count] = Gap { offset: offset + 1, share, joined: cross.joined || starts };
                count += 1;
            }
        }
        gaps[count].offset = cells.len() + 1;
        places += places_in_lane(&gaps[..=count], setup.tileset.rules().rack_size);
    }
    places
}

/// The share of `letters` and blanks among the tiles in `left`, or 0 if no letter fits.
fn share_that_fits(left: &Rack, letters: u64) -> f64 {
    if letters == 0 || left.is_empty() {
        return 0.0;
    }
    let fits = |kind: u8| kind == Tile::BLANK.kind() || letters >> kind & 1 == 1;
    let fitting: usize = left.kinds().filter(|&(kind, _)| fits(kind)).map(|(_, count)| count as usize).sum();
    fitting as f64 / left.size() as f64
}

/// The places of a lane: as many consecutive gaps as a rack has tiles. The word lies between the gaps next to them.
fn places_in_lane(gaps: &[Gap], rack_size: usize) -> f64 {
    let mut places = 0.0;
    for run in gaps.windows(rack_size + 2) {
        let (before, laid, after) = (run[0], &run[1..=rack_size], run[rack_size + 1]);
        let tiles = after.offset - before.offset - 1 - rack_size;
        if tiles == 1 || tiles == 0 && laid.iter().any(|gap| gap.joined) {
            places += laid.iter().map(|gap| gap.share).product::<f64>();
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tileset::TileSet;

    fn setup(words: &str) -> Setup {
        Setup::from_words(TileSet::embedded("english").unwrap(), words).unwrap()
    }

    /// The openness of a board with one word across from a square, when these tiles are left.
    fn with_word(setup: &Setup, word: &str, (row, column): (u8, u8), left: &str) -> f64 {
        let mut board = Board::new(15);
        for (column, letter) in (column..).zip(word.bytes()) {
            board.set(Square { row, column }, Some(Tile::letter_tile(letter - b'A' + 1)));
        }
        let left = Rack::from_tiles(
            &left
                .bytes()
                .map(|letter| match letter {
                    b'?' => Tile::BLANK,
                    letter => Tile::letter_tile(letter - b'A' + 1),
                })
                .collect::<Vec<Tile>>(),
        );
        places_on_board(setup, &board, &CrossSets::from_board(setup, &board), &left)
    }

    #[test]
    fn the_first_bingo_covers_the_start() {
        let setup = setup("AN");
        let board = Board::new(15);
        let left = Rack::from_counts(&setup.tileset.counts());
        assert_eq!(
            places_on_board(&setup, &board, &CrossSets::from_board(&setup, &board), &left).to_bits(),
            14.0_f64.to_bits()
        );
    }

    /// AN at 8G and 8H; none of the words' letters is left. Along row 8 a bingo would contain both tiles. Down columns G and
    /// H a tile is played through or extended: eight places each, by how many of the seven tiles lie above it. Every other
    /// place that touches covers a square beside A or N, where nothing fits: rows 7 and 9, and columns F and I.
    #[test]
    fn where_nothing_fits_only_the_places_through_one_tile_are_open() {
        assert_eq!(with_word(&setup("AN"), "AN", (7, 6), "BCDEFGHIJK").to_bits(), 16.0_f64.to_bits());
    }

    /// The same, with ANT among the words and a T and a blank among the ten tiles left: the seven places of column I that
    /// cover 8I count a fifth each. The blank also fits over N, as A, and under A, as N: one place in either row counts a
    /// tenth.
    #[test]
    fn a_hook_counts_by_the_tiles_that_fit() {
        let words = setup("AN\nANT");
        assert!((with_word(&words, "AN", (7, 6), "BCDEFGHIJT") - 16.7).abs() < 1e-12);
        assert_eq!(with_word(&words, "AN", (7, 6), "BCDEFGHIJK").to_bits(), 16.0_f64.to_bits());
        let open = with_word(&words, "AN", (7, 6), "BCDEFGHIT?");
        assert!((open - 16.0 - 7.0 / 5.0 - 2.0 / 10.0).abs() < 1e-12, "{open}");
    }

    /// With EA and NE among the words, an E fits over A and under N. In row 7 a place that touches covers G, H or both. Over
    /// G an E fits, a tenth of the tiles, and over H nothing fits. So the one place that covers G and not H counts a tenth.
    /// In row 9 an E fits under H and nothing under G: again one place counts, the one that begins at H.
    #[test]
    fn a_closed_square_closes_every_place_over_it() {
        let open = with_word(&setup("AN\nEA\nNE"), "AN", (7, 6), "BCDEFGHIJK");
        assert!((open - 16.0 - 2.0 / 10.0).abs() < 1e-12, "{open}");
    }

    /// A single tile at the edge, an A at 1A. In row 1 and column A it is extended: one place each. In row 2 one place
    /// touches it from below, and in column B one from beside; each counts by the share of B, the letter that fits.
    #[test]
    fn the_edge_bounds_every_place() {
        let open = with_word(&setup("AB"), "A", (0, 0), "ABBD");
        assert!((open - 2.0 - 2.0 * 0.5).abs() < 1e-12, "{open}");
    }
}
