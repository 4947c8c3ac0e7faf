//! Merging of equivalent candidates.
//!
//! Two plays of one rack that make the same board also have the same leave, so they are one move. Two plays whose boards mirror each
//! other about the main diagonal (rows for columns) are equivalent too if the premium squares are symmetric: every reply to the one
//! has a mirror image as a reply to the other. This holds for every play of the first turn, which may run across or down. Nothing
//! weaker is merged: the same tiles in another order, or a blank for another letter, open different squares to the replies.

use crate::board::Board;
use crate::layout::{Layout, Square};
use crate::movegen::ValuedMove;
use crate::moves::Move;
use crate::tileset::Tile;

/// A move to simulate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move, as it was ranked.
    pub valued: ValuedMove,
    /// Equivalent moves, of which only this one is simulated.
    pub same: Vec<Move>,
}

/// Merges moves: each first move in order takes the equivalent moves after it.
pub fn merged(board: &Board, layout: &Layout, moves: &[ValuedMove]) -> Vec<Candidate> {
    let mirrors = has_mirrors(board, layout);
    let mut candidates: Vec<Candidate> = Vec::with_capacity(moves.len());
    let mut laid_by: Vec<Vec<(Square, Tile)>> = Vec::with_capacity(moves.len());
    for &valued in moves {
        let laid = laid(board, &valued.chosen, mirrors);
        let same = laid_by.iter().position(|others| !laid.is_empty() && *others == laid);
        if let Some(number) = same {
            candidates[number].same.push(valued.chosen);
        } else {
            candidates.push(Candidate { valued, same: Vec::new() });
            laid_by.push(laid);
        }
    }
    candidates
}

/// Whether mirrored plays are equivalent in a position.
pub(super) fn has_mirrors(board: &Board, layout: &Layout) -> bool {
    layout.is_symmetric() && board.occupied().all(|(square, tile)| board.get(mirror(square)) == Some(tile))
}

/// The placements of a move. With `mirrors`, the lesser of them and their mirror image.
pub(crate) fn laid(board: &Board, chosen: &Move, mirrors: bool) -> Vec<(Square, Tile)> {
    let Move::Play(play) = chosen else { return Vec::new() };
    let sorted = |mut laid: Vec<(Square, Tile)>| {
        laid.sort_unstable();
        laid
    };
    let laid = sorted(play.placements(board).collect());
    if mirrors {
        let mirrored = sorted(laid.iter().map(|&(square, tile)| (mirror(square), tile)).collect());
        return laid.min(mirrored);
    }
    laid
}

fn mirror(square: Square) -> Square {
    Square { row: square.column, column: square.row }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deals::Domain;
    use crate::equity::Equity;
    use crate::game::Game;
    use crate::movegen::Generator;
    use crate::moves::Play;
    use crate::simulator::tests::{player, setup};

    #[test]
    fn a_first_turn_has_every_play_twice_and_a_later_one_none() {
        let (setup, player) = (setup(), player());
        let mut game = Game::deal(&setup, Domain::Match.deals(1), 3);
        let mut generator = Generator::new(&setup);
        let moves = player.rank(&mut generator, &game.turn(&setup));
        let plays = moves.iter().filter(|valued| matches!(valued.chosen, Move::Play(_))).count();
        let candidates = merged(game.board(), &setup.layout, &moves);
        assert_eq!(candidates.len(), moves.len() - plays / 2);
        for Candidate { valued, same } in &candidates {
            let Move::Play(play) = valued.chosen else { continue };
            let [Move::Play(twin)] = same[..] else { panic!("{same:?}") };
            assert_eq!((twin.tiles, twin.score), (play.tiles, play.score));
            assert!(twin.direction != play.direction && twin.start == mirror(play.start));
        }
        game.make(&setup, &moves[0].chosen);
        let moves = player.rank(&mut generator, &game.turn(&setup));
        assert!(merged(game.board(), &setup.layout, &moves).iter().all(|candidate| candidate.same.is_empty()));
    }

    #[test]
    fn the_same_tiles_on_the_same_squares_are_one_candidate() {
        use crate::layout::Direction;
        let (setup, mut board) = (setup(), Board::new(15));
        let square = |row, column| Square { row, column };
        board.set(square(7, 7), Some(Tile::letter_tile(1)));
        board.set(square(6, 8), Some(Tile::letter_tile(20)));
        let tiles = [Tile::letter_tile(19)].into_iter().collect();
        let play = |direction, start| {
            let chosen = Move::Play(Play { direction, start, tiles, score: 5 });
            ValuedMove { chosen, equity: Equity::ZERO }
        };
        let [across, down] = [play(Direction::Across, square(7, 7)), play(Direction::Down, square(6, 8))];
        let candidates = merged(&board, &setup.layout, &[across, down]);
        assert_eq!(candidates, [Candidate { valued: across, same: vec![down.chosen] }]);
    }
}
