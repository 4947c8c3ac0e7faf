//! Parsing of moves in notation, checked against a position.

use thiserror::Error;

use super::scoring::{self, IllegalPlay};
use super::{Game, Last, LastMove, LastPlay};
use crate::board::Board;
use crate::layout::{Direction, Square};
use crate::moves::notation::{self, BadPlay, WordSquare};
use crate::moves::{Move, Play, PlaySquares};
use crate::rack::{BadRack, Rack};
use crate::setup::Setup;
use crate::turn::Turn;

/// Why a text is not a legal move.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadMove {
    #[error("not a move; write a play as `8D FA(C)Es`, an exchange as `-AAI`, or `pass`")]
    Form,
    /// The text is not a play, or it does not fit the board.
    #[error(transparent)]
    Play(#[from] BadPlay),
    /// The play breaks a rule.
    #[error(transparent)]
    Illegal(#[from] IllegalPlay),
    /// The tiles of an exchange are invalid.
    #[error("exchange {0}")]
    Exchange(#[from] BadRack),
    #[error("the rack {rack} does not contain these tiles")]
    NotHeld { rack: String },
    #[error(
        "cannot exchange {tiles} tiles with {bag} in the bag; the bag must hold at least {minimum}, and as many as are exchanged"
    )]
    ExchangeBag { tiles: usize, bag: usize, minimum: usize },
}

impl BadMove {
    /// Returns whether the text has the form of a move, even if the move breaks a rule.
    pub(crate) fn is_a_move(&self) -> bool {
        !matches!(
            self,
            BadMove::Form
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

/// Parses `8D FA(C)Es`, `-AAI` or `pass` (see [`notation::show`]) and checks the move by all rules, including the lexicon.
///
/// A play is returned with its score. A play of one tile that forms words in both directions is returned across, as the
/// generator returns it.
///
/// # Errors
/// [`BadMove`] with the reason.
pub fn read_move(text: &str, turn: &Turn<'_>) -> Result<Move, BadMove> {
    let (setup, board) = (turn.setup, turn.board);
    let mut words = text.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some(pass), None, None) if pass.eq_ignore_ascii_case("pass") => Ok(Move::Pass),
        (Some(given), None, None) if given.len() > 1 && given.starts_with('-') => {
            let given = Rack::from_notation(&given[1..], &setup.tileset)?;
            check_exchange(&given, turn).map(|()| Move::Exchange(given.tiles().collect()))
        }
        (Some(coordinate), Some(word), None) => {
            let play = notation::read_play(coordinate, word, board, &setup.tileset)?;
            check_held(&Rack::from_tiles(&play.tiles), turn)?;
            let play = scoring::check(setup, board, &play)?;
            Ok(Move::Play(turned_across(play, board, setup)))
        }
        _ => Err(BadMove::Form),
    }
}

fn check_held(tiles: &Rack, turn: &Turn<'_>) -> Result<(), BadMove> {
    if turn.rack.contains(tiles) {
        return Ok(());
    }
    Err(BadMove::NotHeld { rack: turn.rack.show(&turn.setup.tileset) })
}

fn check_exchange(given: &Rack, turn: &Turn<'_>) -> Result<(), BadMove> {
    let (tiles, bag, minimum) = (given.size(), turn.bag, turn.setup.tileset.rules().exchange_minimum);
    if bag < minimum || bag < tiles {
        return Err(BadMove::ExchangeBag { tiles, bag, minimum });
    }
    check_held(given, turn)
}

/// Turns a legal play of one tile across if it also forms a word across.
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

/// Why a text is not a possible last move of a position.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadLastMove {
    #[error("write a play as a coordinate and a word, as in \"8D FA(C)Es\", an exchange as \"exch 3\", or \"pass\"")]
    Form,
    /// The text is not a play.
    #[error(transparent)]
    Play(#[from] BadPlay),
    #[error("the board does not have these tiles there; write tiles played through in parentheses")]
    NotThere,
    /// The play breaks a rule.
    #[error(transparent)]
    Illegal(#[from] IllegalPlay),
    #[error("write an exchange with the number of tiles, 1 to {limit}, as in \"exch 3\"")]
    Exchange { limit: usize },
}

/// Parses the move that led to `board`. It is a play on the board, such as `8D FA(C)Es`, which may be a phony that stood. Or
/// it is `exch 3`, or `-3` as in GCG files, for an exchange of three tiles. Or it is `pass`.
///
/// # Errors
/// [`BadLastMove`]. Whether the bag had enough tiles for an exchange is not checked.
pub fn read_last_move(text: &str, board: &Board, setup: &Setup) -> Result<LastMove, BadLastMove> {
    let mut words = text.split_whitespace();
    let exchanged = match (words.next(), words.next(), words.next()) {
        (Some(pass), None, None) if pass.eq_ignore_ascii_case("pass") => return Ok(LastMove::Pass),
        (Some(exchange), number, None) if exchange.eq_ignore_ascii_case("exch") => number.unwrap_or_default(),
        (Some(exchange), None, None) if exchange.starts_with('-') => &exchange[1..],
        (Some(coordinate), Some(word), None) => {
            return read_last_play(coordinate, word, board, setup).map(|last| LastMove::Play(Box::new(last)));
        }
        _ => return Err(BadLastMove::Form),
    };
    let limit = setup.tileset.rules().rack_size;
    let tiles = exchanged.parse().ok().filter(|tiles| (1..=limit).contains(tiles));
    tiles.map(|tiles| LastMove::Exchange { tiles }).ok_or(BadLastMove::Exchange { limit })
}

/// Takes the tiles of a play off the board that it led to, and scores the play on the board before it.
fn read_last_play(coordinate: &str, word: &str, board: &Board, setup: &Setup) -> Result<LastPlay, BadLastMove> {
    let (start, direction) = notation::read_start(coordinate)?;
    let mut before = board.clone();
    let (lane, first) = start.lane(direction);
    for (offset, square) in (first..).zip(notation::read_word(word, &setup.tileset)?) {
        let WordSquare::Tile(tile) = square else { continue };
        let place = Square::in_lane(direction, lane, offset);
        if lane.max(offset) >= board.side() || before.get(place) != Some(tile) {
            return Err(BadLastMove::NotThere);
        }
        before.set(place, None);
    }
    let play = notation::read_play(coordinate, word, &before, &setup.tileset)?;
    let score = scoring::score(setup, &before, &play)?.score;
    Ok(LastPlay { board: before, play: Play { score, ..play } })
}

impl Game {
    /// Sets the move that led to this position. The tiles of a play are on the board already.
    pub(crate) fn set_last_move(&mut self, last: &LastMove) {
        self.last = Some(match last {
            LastMove::Play(last) => Last::Play(last.play, PlaySquares::new(&last.play, &last.board)),
            LastMove::Exchange { tiles } => Last::Exchange(*tiles),
            LastMove::Pass => Last::Pass,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross_set::CrossSets;
    use crate::tileset::TileSet;

    fn setup() -> Setup {
        Setup::from_words(TileSet::embedded("english").unwrap(), "AS\nCAT\nCATS\nSCAT\n").unwrap()
    }

    fn turn_on<'a>(setup: &'a Setup, board: &'a Board, cross_sets: &'a CrossSets, rack: Rack, bag: usize) -> Turn<'a> {
        Turn { setup, board, cross_sets, rack, unseen: Rack::default(), bag, spread: 0 }
    }

    /// Parses a move on a board with CAT at 8G, a rack and a number of tiles in the bag.
    fn read(text: &str, rack: &str, bag: usize) -> Result<Move, BadMove> {
        let setup = setup();
        let mut board = Board::new(15);
        let cat = notation::read_play("8G", "CAT", &board, &setup.tileset).unwrap();
        for (square, tile) in cat.placements(&board.clone()) {
            board.set(square, Some(tile));
        }
        let (cross_sets, rack) = (CrossSets::from_board(&setup, &board), Rack::parse(rack, &setup.tileset).unwrap());
        let turn = turn_on(&setup, &board, &cross_sets, rack, bag);
        let read = read_move(text, &turn);
        if let Ok(chosen @ Move::Play(play)) = &read {
            assert!(rack.contains(&Rack::from_tiles(chosen.tiles())));
            let mut after = board.clone();
            for (square, tile) in play.placements(&board) {
                after.set(square, Some(tile));
            }
            let written = notation::show(chosen, &board, &setup.tileset);
            let last = read_last_move(&written, &after, &setup).unwrap();
            assert_eq!(last, LastMove::Play(Box::new(LastPlay { board, play: *play })));
        }
        read
    }

    #[test]
    fn legal_moves_are_parsed_with_their_scores() {
        let score = |text, rack| read(text, rack, 50).map(|chosen| chosen.score());
        assert_eq!(score("8G (CAT)S", "SXQ"), Ok(6));
        assert_eq!(score("8G ...s", "?XQ"), Ok(5));
        assert_eq!(score("  8F   SCAT ", "SXQ"), Ok(6));
        assert_eq!(read("PASS", "SXQ", 0), Ok(Move::Pass));
        assert_eq!(read("-QX", "SXQ", 7).map(|chosen| chosen.tiles().len()), Ok(2));
        assert_eq!(read("J7 AS", "AS", 50).map(|chosen| chosen.tiles().len()), Ok(2));
    }

    #[test]
    fn a_play_of_one_tile_with_words_in_both_directions_is_turned_across() {
        let down = read("H8 (A)S", "SXQ", 50).unwrap();
        assert!(matches!(down, Move::Play(Play { direction: Direction::Down, .. })), "AS down is the only word: {down:?}");
        let setup = setup();
        let mut board = Board::new(15);
        for (at, word) in [("8G", "CAT"), ("J7", "A")] {
            let play = notation::read_play(at, word, &board, &setup.tileset).unwrap();
            for (square, tile) in play.placements(&board.clone()) {
                board.set(square, Some(tile));
            }
        }
        let (cross_sets, rack) = (CrossSets::from_board(&setup, &board), Rack::parse("S", &setup.tileset).unwrap());
        let turn = turn_on(&setup, &board, &cross_sets, rack, 50);
        let both = ["8G CATS", "J7 AS"].map(|text| read_move(text, &turn).unwrap());
        assert_eq!(both[0], both[1]);
    }

    #[test]
    fn an_illegal_move_is_distinguished_from_text_that_is_not_a_move() {
        let reason = |text: &str, rack, bag| {
            let error = read(text, rack, bag).unwrap_err();
            (error.is_a_move(), error.to_string())
        };
        for (text, part) in [
            ("8G CATX", "not in the lexicon: CATX"),
            ("8G CATZ", "the rack QSX does not contain"),
            ("8G CATs", "the rack QSX does not contain"),
            ("1A SXQ", "touches no tile"),
            ("8G CUTS", "needs U on 8H"),
            ("8H S", "needs S on 8H"),
            ("8J SXQXQXQ", "does not fit"),
            ("8K SXQ", "touches no tile"),
            ("8G CAT", "the play lays no tile"),
            ("-AA", "does not contain"),
        ] {
            let (is_a_move, message) = reason(text, "SXQ", 50);
            assert!(is_a_move && message.contains(part), "{text}: {message}");
        }
        assert!(reason("-QX", "SXQ", 6).1.contains("cannot exchange 2 tiles with 6 in the bag"));
        for text in
            ["", "CAT", "8G", "8G C7T", "8G CAT?", "8G (CAT", "99 CATS", "-", "-7", "-CATCATCATCAT", "8G CATS now", "resign"]
        {
            let (is_a_move, message) = reason(text, "SXQ", 50);
            assert!(!is_a_move, "{text}: {message}");
        }
    }

    #[test]
    fn a_last_play_must_be_on_the_board() {
        let setup = setup();
        let board = Board::new(15);
        for (text, part) in [
            ("CAT", "a coordinate and a word"),
            ("8H CAT", "does not have these tiles"),
            ("99Z CAT", "not a coordinate"),
            ("21A CAT", "does not have these tiles"),
            ("8U CAT", "does not have these tiles"),
            ("8H (CAT)", "plays through 8H, which is empty"),
        ] {
            let message = read_last_move(text, &board, &setup).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn a_last_move_may_be_an_exchange_or_a_pass() {
        let (setup, board) = (setup(), Board::new(15));
        let read = |text| read_last_move(text, &board, &setup).map_err(|error| error.to_string());
        for (text, tiles) in [("exch 3", 3), ("-7", 7), (" EXCH  1 ", 1)] {
            assert_eq!(read(text), Ok(LastMove::Exchange { tiles }), "{text}");
        }
        assert_eq!(read("Pass"), Ok(LastMove::Pass));
        for (text, part) in [
            ("exch", "1 to 7"),
            ("exch 8", "1 to 7"),
            ("exch 0", "1 to 7"),
            ("-AAI", "with the number of tiles"),
            ("-", "with the number of tiles"),
            ("exch 3 4", "coordinate and a word"),
            ("", "coordinate and a word"),
            ("COT", "coordinate and a word"),
            ("8H CAT", "does not have these tiles"),
        ] {
            assert!(read(text).unwrap_err().contains(part), "{text}");
        }
    }
}
