//! Checks whether a board can come from a game.

use thiserror::Error;

use crate::board::Board;
use crate::layout::{Direction, Square, show_coordinate};
use crate::setup::Setup;
use crate::tileset::Tile;

/// Why no game can lead to a board.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ImplausibleBoard {
    #[error("there is no tile on the start square {square}")]
    StartIsEmpty { square: String },
    #[error("there is a gap: the tile on {square} is not connected to the start square")]
    Gap { square: String },
    /// Some words are not in the lexicon. They can be phonies that stood.
    #[error("not in the lexicon: {}", .words.join(", "))]
    NotWords { words: Vec<String> },
}

/// Checks that the tiles of a board are connected and that its words are in the lexicon. An empty board is valid.
///
/// # Errors
/// [`ImplausibleBoard`] with the first problem found.
pub fn check_board(setup: &Setup, board: &Board) -> Result<(), ImplausibleBoard> {
    if board.is_empty() {
        return Ok(());
    }
    let name = |square| show_coordinate(square, Direction::Across);
    let start = setup.layout.start();
    if board.get(start).is_none() {
        return Err(ImplausibleBoard::StartIsEmpty { square: name(start) });
    }
    let joined = joined_to(board, start);
    if let Some((square, _)) = board.occupied().find(|(square, _)| !joined.contains(square)) {
        return Err(ImplausibleBoard::Gap { square: name(square) });
    }
    let words: Vec<String> = Direction::BOTH.into_iter().flat_map(|direction| bad_words(setup, board, direction)).collect();
    if words.is_empty() { Ok(()) } else { Err(ImplausibleBoard::NotWords { words }) }
}

fn joined_to(board: &Board, start: Square) -> Vec<Square> {
    let side = board.side() as u8;
    let mut joined = vec![start];
    let mut next = 0;
    while let Some(&Square { row, column }) = joined.get(next) {
        next += 1;
        let beside = [(row.wrapping_sub(1), column), (row + 1, column), (row, column.wrapping_sub(1)), (row, column + 1)];
        for (row, column) in beside {
            let square = Square { row, column };
            if row < side && column < side && board.get(square).is_some() && !joined.contains(&square) {
                joined.push(square);
            }
        }
    }
    joined
}

/// Returns the words in a direction that are not in the lexicon.
fn bad_words(setup: &Setup, board: &Board, direction: Direction) -> Vec<String> {
    let mut bad = Vec::new();
    for lane in 0..board.side() {
        let mut offset = 0;
        for run in board.lane(direction, lane).split(Option::is_none) {
            let tiles: Vec<Tile> = run.iter().copied().flatten().collect();
            let letters: Vec<u8> = tiles.iter().map(|tile| tile.letter()).collect();
            if tiles.len() > 1 && !setup.lexicon.graph.contains(&letters) {
                let start = show_coordinate(Square::in_lane(direction, lane, offset), direction);
                bad.push(format!("{} at {start}", setup.tileset.show_all(&tiles)));
            }
            offset += run.len() + 1;
        }
    }
    bad
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::cgp;
    use crate::tileset::TileSet;

    #[test]
    fn gaps_and_invalid_words_are_reported() {
        let setup = Setup::from_words(TileSet::embedded("english").unwrap(), "CAT\nAT\n").unwrap();
        let check = |rows: [&str; 3]| {
            let text = format!("15/15/15/15/15/15/{}/{}/{}/15/15/15/15/15/15 / 0/0 0", rows[0], rows[1], rows[2]);
            let board = cgp::read(&text, &setup.tileset, 15).unwrap().board;
            check_board(&setup, &board).map_err(|error| error.to_string())
        };
        assert_eq!(check(["15", "7CAT5", "15"]), Ok(()));
        assert_eq!(check(["15", "15", "15"]), Ok(()));
        assert_eq!(check(["15", "1CAT11", "15"]), Err("there is no tile on the start square 8H".into()));
        let gap = check(["15", "7CAT5", "CAT12"]).unwrap_err();
        assert!(gap.contains("gap") && gap.contains("9A"), "{gap}");
        assert_eq!(check(["15", "7CAT5", "8T6"]), Ok(()));
        assert_eq!(check(["15", "7CTA5", "8A6"]), Err("not in the lexicon: CTA at 8H, TA at I8".into()));
    }
}
