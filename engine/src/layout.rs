//! Board layouts: the size, the premium squares and the start square.

use serde::{Deserialize, Serialize};

use crate::configs::{self, ConfigError};
use crate::hash::sha256;
use crate::tileset::MAX_RACK_SIZE;

/// The maximum number of rows and columns of a board.
pub const MAX_SIDE: usize = 21;
/// The maximum number of squares of a board.
pub(crate) const MAX_SQUARES: usize = MAX_SIDE * MAX_SIDE;

/// The maximum word multiplier that one play may reach.
pub(crate) const MAX_WORD_MULTIPLIER: u64 = 256;

/// The direction of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// Along a row.
    Across,
    /// Along a column.
    Down,
}

impl Direction {
    /// Both directions.
    pub const BOTH: [Direction; 2] = [Direction::Across, Direction::Down];

    /// Returns the other direction.
    #[must_use]
    pub const fn other(self) -> Direction {
        match self {
            Direction::Across => Direction::Down,
            Direction::Down => Direction::Across,
        }
    }
}

/// A square of the board, counted from the top left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Square {
    /// The row, from 0 at the top.
    pub row: u8,
    /// The column, from 0 at the left.
    pub column: u8,
}

impl Square {
    /// Returns the square at `offset` in a lane. A lane is a row across or a column down.
    pub const fn in_lane(direction: Direction, lane: usize, offset: usize) -> Square {
        match direction {
            Direction::Across => Square { row: lane as u8, column: offset as u8 },
            Direction::Down => Square { row: offset as u8, column: lane as u8 },
        }
    }

    /// Returns the lane and the offset in a direction: (row, column) across, (column, row) down.
    pub const fn lane(self, direction: Direction) -> (usize, usize) {
        match direction {
            Direction::Across => (self.row as usize, self.column as usize),
            Direction::Down => (self.column as usize, self.row as usize),
        }
    }
}

/// The multipliers of a square. 1 means no premium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Premium {
    /// The letter multiplier, 1 to 4.
    pub letter: u8,
    /// The word multiplier, 1 to 4.
    pub word: u8,
}

/// A board layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    name: String,
    side: usize,
    start: Square,
    /// All squares row by row, and again column by column.
    premiums: [Vec<Premium>; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    start: String,
    squares: Vec<String>,
}

impl Layout {
    /// Loads an embedded layout: `standard` (15 × 15) or `super` (21 × 21).
    ///
    /// # Errors
    /// [`ConfigError::Unknown`] for any other name.
    pub fn embedded(name: &str) -> Result<Layout, ConfigError> {
        let known = "standard or super".into();
        let unknown = ConfigError::Unknown { what: "board", name: name.into(), known };
        Layout::from_toml(configs::text("boards", name).ok_or(unknown)?, name)
    }

    /// Reads a layout from TOML. Errors name it `origin`.
    ///
    /// # Errors
    /// [`ConfigError`] with the row and the column.
    pub fn from_toml(text: &str, origin: &str) -> Result<Layout, ConfigError> {
        configs::read("board", text, origin, Layout::from_file)
    }

    fn from_file(file: File) -> Result<Layout, String> {
        let side = file.squares.len();
        if !(2..=MAX_SIDE).contains(&side) {
            return Err(format!("it has {side} rows; a board has 2 to {MAX_SIDE}"));
        }
        let mut across = Vec::with_capacity(side * side);
        for (row, text) in file.squares.iter().enumerate() {
            for (column, word) in text.split_whitespace().enumerate() {
                let square = premium(word).ok_or_else(|| {
                    format!("row {}, square {}: {word:?} is not .., 2L, 3L, 4L, 2W, 3W or 4W", row + 1, column + 1)
                })?;
                across.push(square);
            }
            if across.len() != side * (row + 1) {
                let found = across.len() - side * row;
                return Err(format!("row {} has {found} squares; a board of {side} rows needs {side}", row + 1));
            }
        }
        let start = read_coordinate(&file.start)
            .map(|(square, _)| square)
            .filter(|square| (square.row as usize) < side && (square.column as usize) < side)
            .ok_or_else(|| format!("start {:?} is not a square of the board, such as 8H", file.start))?;
        let down: Vec<Premium> = (0..side * side).map(|index| across[index % side * side + index / side]).collect();
        for (what, squares) in [("row", &across), ("column", &down)] {
            for (lane, squares) in squares.chunks(side).enumerate() {
                let mut words: Vec<u64> = squares.iter().map(|square| square.word.into()).collect();
                words.sort_unstable_by(|a, b| b.cmp(a));
                let product: u64 = words.iter().take(MAX_RACK_SIZE).product();
                if product > MAX_WORD_MULTIPLIER {
                    let lane = lane + 1;
                    return Err(format!(
                        "a play in {what} {lane} can reach a word multiplier of {product}; the maximum is {MAX_WORD_MULTIPLIER}"
                    ));
                }
            }
        }
        Ok(Layout { name: file.name, side, start, premiums: [across, down] })
    }

    /// Returns the hash of the size, the start square and the premium squares, in hexadecimal.
    pub(crate) fn hash(&self) -> String {
        let premiums: String = self.premiums[0].iter().map(|square| format!("{}{} ", square.letter, square.word)).collect();
        sha256(format!("{} {:?} {premiums}", self.side, self.start).as_bytes())
    }

    /// Returns the name, as in the CGP opcode `bdn`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of rows, which is the number of columns.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Returns the start square, which the first play must cover.
    pub fn start(&self) -> Square {
        self.start
    }

    /// Returns whether swapping rows and columns changes neither the premium squares nor the start square.
    pub fn is_symmetric(&self) -> bool {
        self.premiums[0] == self.premiums[1] && self.start.row == self.start.column
    }

    /// Returns the multipliers of a square.
    pub fn premium(&self, square: Square) -> Premium {
        self.premiums[0][square.row as usize * self.side + square.column as usize]
    }

    /// Returns the multipliers of the squares of a lane.
    pub(crate) fn lane(&self, direction: Direction, lane: usize) -> &[Premium] {
        &self.premiums[direction as usize][lane * self.side..][..self.side]
    }
}

fn premium(word: &str) -> Option<Premium> {
    let (letter, word) = match word.as_bytes() {
        b".." => (1, 1),
        [times @ b'2'..=b'4', b'L'] => (times - b'0', 1),
        [times @ b'2'..=b'4', b'W'] => (1, times - b'0'),
        _ => return None,
    };
    Some(Premium { letter, word })
}

/// Parses `8H` (across: row first) or `H8` (down: column first).
pub(crate) fn read_coordinate(text: &str) -> Option<(Square, Direction)> {
    let (number, letter, direction) = match text.find(|c: char| c.is_ascii_alphabetic())? {
        0 => (&text[1..], &text[..1], Direction::Down),
        at if at + 1 == text.len() => (&text[..at], &text[at..], Direction::Across),
        _ => return None,
    };
    let row = number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse::<u8>().ok())??;
    let column = letter.as_bytes()[0].to_ascii_uppercase() - b'A';
    let inside = (1..=MAX_SIDE as u8).contains(&row) && (column as usize) < MAX_SIDE;
    inside.then(|| (Square { row: row - 1, column }, direction))
}

/// Formats a coordinate: `8H` across, `H8` down.
pub fn show_coordinate(square: Square, direction: Direction) -> String {
    let (row, column) = (square.row + 1, char::from(b'A' + square.column));
    match direction {
        Direction::Across => format!("{row}{column}"),
        Direction::Down => format!("{column}{row}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_embedded_boards_are_symmetric() {
        for (name, side, double, triple, quadruple) in [("standard", 15, 17, 8, 0), ("super", 21, 0, 0, 4)] {
            let layout = Layout::embedded(name).unwrap();
            assert_eq!((layout.name(), layout.side()), (name, side));
            let words = |multiplier| layout.premiums[0].iter().filter(|square| square.word == multiplier).count();
            if name == "standard" {
                assert_eq!((words(2), words(3)), (double, triple));
            }
            assert_eq!(words(4), quadruple);
            assert_eq!(layout.premiums[0], layout.premiums[1]);
            let reversed: Vec<Premium> = layout.premiums[0].iter().rev().copied().collect();
            assert_eq!(layout.premiums[0], reversed);
        }
    }

    #[test]
    fn an_invalid_square_is_reported_with_its_place() {
        let text = configs::text("boards", "standard").unwrap();
        let error = Layout::from_toml(&text.replacen(".. 2L", ".. 2Q", 1), "b.toml").unwrap_err().to_string();
        assert!(error.contains("row 1, square 4") && error.contains("2Q"), "{error}");
        let error = Layout::from_toml(&text.replacen(".. 2L ", ".. ", 1), "b.toml").unwrap_err().to_string();
        assert!(error.contains("row 1 has 14 squares"), "{error}");
        let error = Layout::from_toml(&text.replace("2L", "4W"), "b.toml").unwrap_err().to_string();
        assert!(error.contains("row 1 can reach a word multiplier of 432; the maximum is 256"), "{error}");
        let error = Layout::from_toml(&text.replacen("8H", "8Z", 1), "b.toml").unwrap_err().to_string();
        assert!(error.contains("8Z"), "{error}");
    }

    #[test]
    fn coordinates_are_parsed_and_shown() {
        for (text, row, column, direction) in [("8H", 7, 7, Direction::Across), ("O15", 14, 14, Direction::Down)] {
            assert_eq!(read_coordinate(text), Some((Square { row, column }, direction)));
            assert_eq!(show_coordinate(Square { row, column }, direction), text);
        }
        for bad in ["", "8", "H", "0H", "22A", "8HH", "H-1", "99999H", "8Ñ", "+8H"] {
            assert_eq!(read_coordinate(bad), None, "{bad}");
        }
    }
}
