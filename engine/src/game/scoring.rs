//! Checks and scores a play directly by the rules, square by square.

use thiserror::Error;

use crate::board::Board;
use crate::layout::{Direction, Square};
use crate::moves::{Move, Play};
use crate::rack::Rack;
use crate::setup::Setup;
use crate::tileset::Tile;

/// Why a play is not legal.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IllegalPlay {
    #[error("the play lays no tile")]
    NoTiles,
    #[error("the word runs off the board")]
    OffBoard,
    #[error("the main word begins before the given square")]
    WrongStart,
    #[error("the first play must cover the start square")]
    MissesStart,
    #[error("the play touches no tile on the board")]
    Unconnected,
    #[error("a play must make a word of two letters or more")]
    TooShort,
    /// Some words are not in the lexicon. The play may still be a phony that stood.
    #[error("not in the lexicon: {}", .words.join(", "))]
    NotWords { words: Vec<String> },
}

/// The score and the words of a play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayScore {
    /// Points, including the bingo bonus.
    pub score: i32,
    /// The main word, then each cross word.
    pub words: Vec<Vec<Tile>>,
}

/// Scores a play after it has checked all rules except the lexicon.
///
/// # Errors
/// [`IllegalPlay`], but never [`IllegalPlay::NotWords`].
pub fn score(setup: &Setup, board: &Board, play: &Play) -> Result<PlayScore, IllegalPlay> {
    if play.start.lane(play.direction).0 >= board.side() {
        return Err(IllegalPlay::OffBoard);
    }
    let placed: Vec<(Square, Tile)> = play.placements(board).collect();
    if play.tiles.is_empty() {
        return Err(IllegalPlay::NoTiles);
    }
    if placed.len() < play.tiles.len() {
        return Err(IllegalPlay::OffBoard);
    }
    let mut after = board.clone();
    for &(square, tile) in &placed {
        after.set(square, Some(tile));
    }
    let main = word_through(&after, placed[0].0, play.direction);
    if main[0] != play.start {
        return Err(IllegalPlay::WrongStart);
    }
    let crossing = placed.iter().map(|&(square, _)| word_through(&after, square, play.direction.other()));
    let crossing: Vec<Vec<Square>> = crossing.filter(|word| word.len() > 1).collect();
    if board.is_empty() {
        if !placed.iter().any(|&(square, _)| square == setup.layout.start()) {
            return Err(IllegalPlay::MissesStart);
        }
    } else if main.len() == placed.len() && crossing.is_empty() {
        return Err(IllegalPlay::Unconnected);
    }
    if main.len() < 2 {
        return Err(IllegalPlay::TooShort);
    }
    let rules = setup.tileset.rules();
    let bonus = if placed.len() == rules.rack_size { rules.bingo_bonus } else { 0 };
    let words: Vec<&Vec<Square>> = std::iter::once(&main).chain(&crossing).collect();
    let score = words.iter().map(|word| word_score(setup, board, &after, word)).sum::<i32>() + bonus;
    let words = words.iter().map(|word| word.iter().filter_map(|&square| after.get(square)).collect()).collect();
    Ok(PlayScore { score, words })
}

/// Returns the play with its score if it is legal, including the lexicon.
///
/// # Errors
/// [`IllegalPlay`] with the first broken rule.
pub fn check(setup: &Setup, board: &Board, play: &Play) -> Result<Play, IllegalPlay> {
    let PlayScore { score, words } = score(setup, board, play)?;
    let is_word =
        |word: &Vec<Tile>| setup.lexicon.graph.contains(&word.iter().map(|tile| tile.letter()).collect::<Vec<_>>());
    let bad: Vec<String> = words.iter().filter(|word| !is_word(word)).map(|word| setup.tileset.show_all(word)).collect();
    if bad.is_empty() { Ok(Play { score, ..*play }) } else { Err(IllegalPlay::NotWords { words: bad }) }
}

/// Returns whether a move is legal and has its true score, whoever made it. Slow.
pub fn is_legal(setup: &Setup, board: &Board, rack: &Rack, bag: usize, chosen: &Move) -> bool {
    let (tiles, letters) = (chosen.tiles(), setup.tileset.kinds().len());
    let is_held = tiles.iter().all(|tile| usize::from(tile.letter()) < letters) && rack.contains(&Rack::from_tiles(tiles));
    is_held
        && match chosen {
            Move::Play(play) => check(setup, board, play).as_ref() == Ok(play),
            Move::Exchange(_) => bag >= tiles.len().max(setup.tileset.rules().exchange_minimum),
            Move::Pass => true,
        }
}

/// Returns the squares of the run of tiles through a square.
fn word_through(board: &Board, square: Square, direction: Direction) -> Vec<Square> {
    let (lane, offset) = square.lane(direction);
    let cells = board.lane(direction, lane);
    let first = (0..offset).rev().take_while(|&at| cells[at].is_some()).last().unwrap_or(offset);
    (first..cells.len()).take_while(|&at| cells[at].is_some()).map(|at| Square::in_lane(direction, lane, at)).collect()
}

fn word_score(setup: &Setup, before: &Board, after: &Board, word: &[Square]) -> i32 {
    let mut sum = 0;
    let mut multiplier = 1;
    for &square in word {
        let value = after.get(square).map_or(0, |tile| setup.tileset.value(tile));
        if before.get(square).is_some() {
            sum += value;
        } else {
            let premium = setup.layout.premium(square);
            sum += value * i32::from(premium.letter);
            multiplier *= i32::from(premium.word);
        }
    }
    sum * multiplier
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_premiums_multiply_and_count_for_new_tiles_alone() {
        let setup = Setup::embedded("english").unwrap();
        let e = Tile::letter_tile(5);
        let mut board = Board::new(setup.layout.side());
        board.set(Square { row: 0, column: 3 }, Some(e));
        let word = |column: u8, tiles: usize| {
            let tiles = std::iter::repeat_n(e, tiles).collect();
            let play = Play { direction: Direction::Across, start: Square { row: 0, column }, tiles, score: 0 };
            score(&setup, &board, &play).unwrap().score
        };
        // Seven of eight letters of one point, on two triple word squares; the eighth is there already, so its double letter is spent.
        assert_eq!(word(0, 7), 9 * 8 + 50);
        assert_eq!(word(0, 6), 3 * 7);
        assert_eq!(word(3, 4), 3 * 5);
    }
}
