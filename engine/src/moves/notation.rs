//! The notation of moves: `8D FA(C)Es`, `-AAI`, `pass`.

use thiserror::Error;

use super::{Move, Play, Tiles};
use crate::board::Board;
use crate::layout::{Direction, Square, read_coordinate, show_coordinate};
use crate::rack::Rack;
use crate::tileset::{Style, Tile, TileSet};

/// One square of a main word as written, before it is compared with a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordSquare {
    /// `.`: any tile played through.
    Dot,
    /// `(C)`: this tile, played through.
    Through(Tile),
    /// `C`: this tile, laid now, or on an occupied square, this letter played through.
    Tile(Tile),
}

/// Why a text is not a play.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadPlay {
    #[error("{text:?} is not a coordinate; write 8H for a play across or H8 for a play down")]
    Coordinate { text: String },
    #[error("the play has no word")]
    Empty,
    #[error("{word:?}: {found:?} is not a tile of the tile set")]
    Tile { word: String, found: String },
    #[error("{word:?} has a blank without a letter; write its letter in lower case")]
    BlankWithoutLetter { word: String },
    #[error("{word:?}: the brackets do not match")]
    Brackets { word: String },
    #[error("{word} at {coordinate} does not fit on a board of {side} rows and columns")]
    OffBoard { word: String, coordinate: String, side: usize },
    #[error("{word} plays through {square}, which is empty")]
    NothingThere { word: String, square: String },
    #[error("{word} needs {letter} on {square}, but the board has {there}")]
    Differs { word: String, letter: String, square: String, there: String },
    #[error("{word} lays more tiles than a rack holds ({limit})")]
    MoreThanARack { word: String, limit: usize },
    #[error("{word} ends before {there} on {square}; write the whole word")]
    GoesOn { word: String, square: String, there: String },
}

/// Returns the squares of the main word, given the board before the play.
pub(crate) fn word_squares(play: &Play, board: &Board) -> Vec<WordSquare> {
    let (lane, start) = play.start.lane(play.direction);
    let mut tiles = play.tiles.iter();
    let squares = board.lane(play.direction, lane)[start..].iter().map_while(|cell| match cell {
        Some(there) => Some(WordSquare::Through(*there)),
        None => tiles.next().map(|&tile| WordSquare::Tile(tile)),
    });
    squares.collect()
}

/// Returns a word in notation: `FA.Es` or `FA(C)Es`.
pub fn show_word(word: &[WordSquare], tileset: &TileSet) -> String {
    let mut text = String::new();
    let mut inside = false;
    for square in word {
        let through = matches!(square, WordSquare::Through(_));
        if through != inside {
            text.push(if through { '(' } else { ')' });
            inside = through;
        }
        match square {
            WordSquare::Dot => text.push('.'),
            WordSquare::Through(tile) | WordSquare::Tile(tile) => text += &tileset.show(*tile).to_string(),
        }
    }
    if inside {
        text.push(')');
    }
    text
}

/// Returns a move in notation, given the board before it: `8D FA(C)Es`, `-AAI`, `pass`.
pub fn show(chosen: &Move, board: &Board, tileset: &TileSet) -> String {
    match chosen {
        Move::Play(play) => {
            let word = show_word(&word_squares(play, board), tileset);
            format!("{} {word}", show_coordinate(play.start, play.direction))
        }
        Move::Exchange(tiles) => format!("-{}", Rack::from_tiles(tiles).show(tileset)),
        Move::Pass => "pass".into(),
    }
}

/// Parses a coordinate: `8D` (across) or `D8` (down).
///
/// # Errors
/// [`BadPlay::Coordinate`].
pub fn read_start(text: &str) -> Result<(Square, Direction), BadPlay> {
    read_coordinate(text).ok_or_else(|| BadPlay::Coordinate { text: text.into() })
}

/// Parses a main word without its board. A `.` or a letter in parentheses is a tile played through. A group in square
/// brackets is one tile if the tile set has it (`[CH]`), otherwise tiles played through (`[CAT]`), as some programs write
/// them.
///
/// # Errors
/// [`BadPlay`] if the text is not a word.
pub fn read_word(word: &str, tileset: &TileSet) -> Result<Vec<WordSquare>, BadPlay> {
    let unpaired = || BadPlay::Brackets { word: word.into() };
    let mut squares = Vec::new();
    let mut inside = false;
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let length = if first == '[' { rest.find(']').ok_or_else(unpaired)? + 1 } else { first.len_utf8() };
        let (token, after) = rest.split_at(length);
        rest = after;
        match first {
            '.' => squares.push(WordSquare::Dot),
            '(' | ')' if inside == (first == ')') => inside = first == '(',
            '(' | ')' => return Err(unpaired()),
            _ => match read_tile(word, token, tileset) {
                Ok(tile) if inside => squares.push(WordSquare::Through(tile)),
                Ok(tile) => squares.push(WordSquare::Tile(tile)),
                Err(wrong) if first != '[' => return Err(wrong),
                Err(wrong) => squares.extend(read_group(word, token, tileset).ok_or(wrong)?),
            },
        }
    }
    if inside {
        return Err(unpaired());
    }
    if squares.is_empty() { Err(BadPlay::Empty) } else { Ok(squares) }
}

fn read_tile(word: &str, token: &str, tileset: &TileSet) -> Result<Tile, BadPlay> {
    let tiles = tileset.parse(token, Style::Bracketed);
    let tile = tiles.ok().and_then(|tiles| tiles.first().copied());
    match tile {
        None => Err(BadPlay::Tile { word: word.into(), found: token.into() }),
        Some(tile) if tile.letter() == 0 => Err(BadPlay::BlankWithoutLetter { word: word.into() }),
        Some(tile) => Ok(tile),
    }
}

/// Parses `[CAT]`, several tiles played through.
fn read_group(word: &str, token: &str, tileset: &TileSet) -> Option<Vec<WordSquare>> {
    let letters = token.strip_prefix('[')?.strip_suffix(']')?;
    let tiles = letters.char_indices().map(|(at, letter)| {
        let tile = read_tile(word, &letters[at..at + letter.len_utf8()], tileset);
        tile.ok().map(WordSquare::Through)
    });
    tiles.collect::<Option<Vec<_>>>().filter(|tiles| !tiles.is_empty())
}

/// Creates a play from a parsed word and the board before the play. Its score is 0: `game::scoring::check` computes the
/// score and checks whether the play is legal.
///
/// # Errors
/// [`BadPlay`] with the square where the word does not fit the board.
pub(crate) fn place_word(
    start: Square,
    direction: Direction,
    squares: &[WordSquare],
    board: &Board,
    tileset: &TileSet,
) -> Result<Play, BadPlay> {
    let word = || show_word(squares, tileset);
    let (lane, offset) = start.lane(direction);
    if lane.max(offset) >= board.side() || squares.len() > board.side() - offset {
        let coordinate = show_coordinate(start, direction);
        return Err(BadPlay::OffBoard { word: word(), coordinate, side: board.side() });
    }
    let cells = &board.lane(direction, lane)[offset..];
    let name = |at: usize| show_coordinate(Square::in_lane(direction, lane, offset + at), Direction::Across);
    let shown = |tile: Tile| tileset.show(tile).to_string();
    let mut play = Play { direction, start, tiles: Tiles::default(), score: 0 };
    for (at, (square, cell)) in squares.iter().zip(cells).enumerate() {
        match (*square, *cell) {
            (WordSquare::Dot, Some(_)) => {}
            (WordSquare::Dot | WordSquare::Through(_), None) => {
                return Err(BadPlay::NothingThere { word: word(), square: name(at) });
            }
            (WordSquare::Through(tile) | WordSquare::Tile(tile), Some(there)) => {
                if there.letter() != tile.letter() {
                    let (letter, there) = (shown(tile), shown(there));
                    return Err(BadPlay::Differs { word: word(), letter, square: name(at), there });
                }
            }
            (WordSquare::Tile(tile), None) if tile.letter() == 0 => {
                return Err(BadPlay::BlankWithoutLetter { word: word() });
            }
            (WordSquare::Tile(_), None) if play.tiles.len() == tileset.rules().rack_size => {
                return Err(BadPlay::MoreThanARack { word: word(), limit: tileset.rules().rack_size });
            }
            (WordSquare::Tile(tile), None) => play.tiles.push(tile),
        }
    }
    if let Some(Some(there)) = cells.get(squares.len()) {
        return Err(BadPlay::GoesOn { word: word(), square: name(squares.len()), there: shown(*there) });
    }
    Ok(play)
}

/// Parses a play from its coordinate and its main word, given the board before it. A tile played through is written as `.`
/// or as its letter, with or without parentheses. The score of the play is 0: `game::scoring::check` computes the score and
/// checks whether the play is legal.
///
/// # Errors
/// [`BadPlay`] with the place and the reason.
pub fn read_play(coordinate: &str, word: &str, board: &Board, tileset: &TileSet) -> Result<Play, BadPlay> {
    let (start, direction) = read_start(coordinate)?;
    place_word(start, direction, &read_word(word, tileset)?, board, tileset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_word(coordinate: &str, word: &str, tileset: &TileSet) -> Board {
        let mut board = Board::new(15);
        let play = read_play(coordinate, word, &board, tileset).unwrap();
        let placed: Vec<_> = play.placements(&board).collect();
        for (square, tile) in placed {
            board.set(square, Some(tile));
        }
        board
    }

    #[test]
    fn every_notation_of_a_tile_played_through_gives_the_same_play() {
        let english = TileSet::embedded("english").unwrap();
        let board = with_word("8G", "aCE", &english);
        let plays = ["FA.Es", "FA(C)Es", "FACEs", "FA[C]Es", "FA(c)Es"];
        let plays = plays.map(|word| read_play("H6", word, &board, &english).unwrap());
        assert!(plays.iter().all(|play| *play == plays[0]), "{plays:?}");
        assert_eq!(show_word(&word_squares(&plays[0], &board), &english), "FA(C)Es");
        assert_eq!(show(&Move::Play(plays[0]), &board, &english), "H6 FA(C)Es");
        let longer = ["P(aCE)D", "P[aCE]D", "P...D", "P(AC)(E)D"];
        let longer = longer.map(|word| read_play("8F", word, &board, &english).unwrap());
        assert!(longer.iter().all(|play| *play == longer[0] && play.tiles.len() == 2), "{longer:?}");
        assert_eq!(show(&Move::Play(longer[0]), &board, &english), "8F P(aCE)D");
    }

    #[test]
    fn tiles_of_several_characters_are_written_in_brackets() {
        let spanish = TileSet::embedded("spanish").unwrap();
        let board = with_word("8H", "[CH]U[rr]O", &spanish);
        assert_eq!(board.tiles(), 4);
        for through in ["([CH])O[CH]O", ".O[CH]O", "[CH]O[CH]O"] {
            let play = read_play("H8", through, &board, &spanish).unwrap();
            assert_eq!(play.tiles.len(), 3);
            assert_eq!(show(&Move::Play(play), &board, &spanish), "H8 ([CH])O[CH]O");
        }
        assert_eq!(show_word(&read_word("(A)([ch])B", &spanish).unwrap(), &spanish), "(A[ch])B");
        let exchange = Move::Exchange(Rack::parse("[ch]ña?", &spanish).unwrap().tiles().collect());
        assert_eq!(show(&exchange, &board, &spanish), "-A[CH]Ñ?");
    }

    #[test]
    fn text_that_is_not_a_play_is_refused_with_the_reason() {
        let english = TileSet::embedded("english").unwrap();
        let board = with_word("8G", "ACE", &english);
        let reason = |coordinate, word| read_play(coordinate, word, &board, &english).unwrap_err().to_string();
        assert!(reason("88", "CAT").contains("not a coordinate"));
        assert!(reason("8P", "CAT").contains("does not fit on a board of 15"));
        assert!(reason("16A", "CAT").contains("does not fit"));
        assert!(reason("1N", "CAT").contains("CAT at 1N does not fit"));
        assert!(reason("1A", "C.T").contains("C.T plays through 1B, which is empty"));
        assert!(reason("A1", "C(A)T").contains("plays through 2A"));
        assert!(reason("1A", "[CAT]").contains("plays through 1A"));
        assert!(reason("H7", "AD").contains("needs D on 8H, but the board has C"));
        assert!(reason("8E", "PL").contains("ends before A on 8G; write the whole word"));
        assert!(reason("1A", "CA?").contains("blank without a letter"));
        assert!(reason("1A", "CA7").contains("\"7\" is not a tile of the tile set"));
        assert!(reason("1A", "CA[7X]").contains("[7X]"));
        assert!(reason("1A", "ABCDEFGH").contains("more tiles than a rack holds (7)"));
        for unpaired in ["(CA", "CA)", "((CA))", "[CA", "([C)A"] {
            assert!(reason("1A", unpaired).contains("brackets"), "{unpaired}");
        }
        for empty in ["", "()"] {
            assert_eq!(read_play("1A", empty, &board, &english), Err(BadPlay::Empty));
        }
        assert!(reason("1A", "[]").contains("\"[]\""));
    }
}
