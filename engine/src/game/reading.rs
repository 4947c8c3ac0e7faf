//! Moves as somebody wrote them, read against the position that they are meant for.

use thiserror::Error;

use super::scoring::{self, IllegalPlay};
use super::{Game, LastPlay, Placed};
use crate::board::Board;
use crate::layout::{Direction, Square};
use crate::movegen::Position;
use crate::moves::notation::{self, BadPlay, WordSquare};
use crate::moves::{Move, Play};
use crate::rack::{BadRack, Rack};
use crate::setup::Setup;

/// Why a text is no legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadMove {
    /// None of the forms of a move.
    #[error("{text:?} is no move; write a play as `8D FA(C)Es`, an exchange as `-AAI`, or `pass`")]
    Form {
        /// As given.
        text: String,
    },
    /// A play that cannot be read, or that contradicts the board.
    #[error(transparent)]
    Play(#[from] BadPlay),
    /// A play against the rules.
    #[error("{text}: {reason}")]
    Illegal {
        /// As given.
        text: String,
        /// The rule.
        reason: IllegalPlay,
    },
    /// The tiles of an exchange cannot be read.
    #[error("exchange {0}")]
    Exchange(#[from] BadRack),
    /// Tiles that the rack does not hold.
    #[error("{text}: the rack {rack} does not hold these tiles")]
    NotHeld {
        /// As given.
        text: String,
        /// The rack.
        rack: String,
    },
    /// The rules allow no such exchange.
    #[error(
        "{text}: {tiles} tiles cannot be exchanged with {bag} in the bag, which must hold {minimum} and as many as are drawn"
    )]
    ExchangeBag {
        /// As given.
        text: String,
        /// Tiles to be exchanged.
        tiles: usize,
        /// Tiles in the bag.
        bag: usize,
        /// The rule.
        minimum: usize,
    },
}

impl BadMove {
    /// Whether the text reads as a move, if one against the rules.
    pub fn is_a_move(&self) -> bool {
        !matches!(
            self,
            BadMove::Form { .. }
                | BadMove::Exchange(_)
                | BadMove::Play(
                    BadPlay::Coordinate { .. }
                        | BadPlay::Empty
                        | BadPlay::Tile { .. }
                        | BadPlay::BlankWithoutLetter { .. }
                        | BadPlay::Brackets { .. }
                )
        )
    }
}

/// Reads `8D FA(C)Es`, `-AAI` or `pass` (as [`notation::show`] writes them) and checks it by all the rules, the lexicon too; a
/// play has its score. A play of one tile that makes words both ways is turned across, as the generator has it.
///
/// # Errors
/// [`BadMove`], with what is wrong.
pub fn read_move(text: &str, position: &Position<'_>, setup: &Setup) -> Result<Move, BadMove> {
    let mut words = text.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some(pass), None, None) if pass.eq_ignore_ascii_case("pass") => Ok(Move::Pass),
        (Some(given), None, None) if given.len() > 1 && given.starts_with('-') => {
            let given = Rack::from_notation(&given[1..], &setup.tileset)?;
            check_exchange(text, &given, position, setup).map(|()| Move::Exchange(given.tiles().collect()))
        }
        (Some(coordinate), Some(word), None) => {
            let play = notation::read_play(coordinate, word, position.board, &setup.tileset)?;
            check_held(text, &Rack::from_tiles(&play.tiles), position, setup)?;
            let play = scoring::check(setup, position.board, &play)
                .map_err(|reason| BadMove::Illegal { text: text.into(), reason })?;
            Ok(Move::Play(turned_across(play, position.board, setup)))
        }
        _ => Err(BadMove::Form { text: text.into() }),
    }
}

fn check_held(text: &str, tiles: &Rack, position: &Position<'_>, setup: &Setup) -> Result<(), BadMove> {
    if position.rack.contains(tiles) {
        return Ok(());
    }
    Err(BadMove::NotHeld { text: text.into(), rack: position.rack.show(&setup.tileset) })
}

fn check_exchange(text: &str, given: &Rack, position: &Position<'_>, setup: &Setup) -> Result<(), BadMove> {
    let (tiles, bag, minimum) = (given.size(), position.bag, setup.tileset.rules().exchange_minimum);
    if bag < minimum || bag < tiles {
        return Err(BadMove::ExchangeBag { text: text.into(), tiles, bag, minimum });
    }
    check_held(text, given, position, setup)
}

/// The legal play as written across, if it is one tile that makes a word across too.
fn turned_across(play: Play, board: &Board, setup: &Setup) -> Play {
    if play.tiles.len() != 1 || play.direction == Direction::Across {
        return play;
    }
    let Some((square, _)) = play.placements(board).next() else { return play };
    let (row, column) = square.lane(Direction::Across);
    let cells = board.lane(Direction::Across, row);
    let first = (0..column).rev().take_while(|&at| cells[at].is_some()).last().unwrap_or(column);
    let start = Square::in_lane(Direction::Across, row, first);
    scoring::check(setup, board, &Play { direction: Direction::Across, start, ..play }).unwrap_or(play)
}

/// Why a text is not the last play of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadLastPlay {
    /// Not a coordinate and a word.
    #[error("write a coordinate and a word, as in \"8D FA(C)Es\"")]
    Form,
    /// A play that cannot be read.
    #[error(transparent)]
    Play(#[from] BadPlay),
    /// The board does not have the tiles of the play.
    #[error("the board does not have these tiles there; tiles played through stand in brackets")]
    NotThere,
    /// A play against the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalPlay),
}

/// Reads the play, `8D FA(C)Es`, that led to a board, with the board that it was made on. It may be a phony that stood.
///
/// # Errors
/// [`BadLastPlay`] if the board does not have its tiles, or they could not be played there.
pub fn read_last_play(text: &str, board: &Board, setup: &Setup) -> Result<LastPlay, BadLastPlay> {
    let (coordinate, word) = text.trim().split_once(' ').ok_or(BadLastPlay::Form)?;
    let (start, direction) = notation::read_start(coordinate)?;
    let mut before = board.clone();
    let (lane, first) = start.lane(direction);
    for (offset, square) in (first..).zip(notation::read_word(word, &setup.tileset)?) {
        let WordSquare::Tile(tile) = square else { continue };
        let place = Square::in_lane(direction, lane, offset);
        if lane.max(offset) >= board.side() || before.get(place) != Some(tile) {
            return Err(BadLastPlay::NotThere);
        }
        before.set(place, None);
    }
    let play = notation::read_play(coordinate, word, &before, &setup.tileset)?;
    let score = scoring::score(setup, &before, &play)?.score;
    Ok(LastPlay { board: before, play: Play { score, ..play } })
}

impl Game {
    /// Takes note of the play that led to this position, whose tiles are on the board already.
    pub fn set_last_play(&mut self, last: &LastPlay) {
        let mut placed = Placed::default();
        for (square, _) in last.play.placements(&last.board) {
            placed.squares[placed.count] = square;
            placed.count += 1;
        }
        self.last = Some((last.play, placed));
    }
}
