//! Tiles and kinds of tiles, and their parsing from text.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A tile.
///
/// On a rack or in the bag it is a kind: 0 for the blank, 1, 2, … for the letters in the order of the tile set. On the board it
/// is a letter, marked if a blank stands for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Tile(u8);

const BLANK_MARK: u8 = 0x80;

impl Tile {
    /// A blank that has no letter yet.
    pub const BLANK: Tile = Tile(0);

    /// Creates the natural tile of letter 1, 2, ….
    pub const fn letter_tile(letter: u8) -> Tile {
        Tile(letter)
    }

    /// Creates a blank that stands for `letter`.
    pub const fn blank_as(letter: u8) -> Tile {
        Tile(letter | BLANK_MARK)
    }

    /// Returns the letter of the tile, or 0 for a blank that has no letter yet.
    pub const fn letter(self) -> u8 {
        self.0 & !BLANK_MARK
    }

    /// Returns whether the tile is a blank, with or without a letter.
    pub const fn is_blank(self) -> bool {
        self.0 == 0 || self.0 & BLANK_MARK != 0
    }

    /// Returns the kind of the tile on a rack: 0 for a blank, otherwise its letter.
    pub const fn kind(self) -> u8 {
        if self.is_blank() { 0 } else { self.0 }
    }
}

/// One kind of tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileKind {
    /// The label of a natural tile: `A`, `CH`, or `?` for the blank.
    pub label: String,
    /// The label of a blank that stands for this letter: `a`, `ch`.
    pub(crate) blank_label: String,
    /// Tiles of this kind in a full bag.
    pub count: u8,
    /// Points before premium squares.
    pub value: u8,
    /// Whether it counts as a vowel.
    pub is_vowel: bool,
}

/// The rule that splits text into tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Takes the longest tile that matches, as in word lists and typed racks: `CH` is one tile if the set has it. `[C][H]`
    /// are two tiles.
    Greedy,
    /// Takes one character per tile. A tile of several characters must stand in brackets, as in CGP, GCG and leave files.
    Bracketed,
}

/// Text that cannot be split into tiles.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: no tile of the tile set begins with {found:?}")]
pub struct BadTiles {
    /// 1-based, in characters.
    pub column: usize,
    /// The character, or the group in brackets, that is not a tile.
    pub found: String,
}

/// A parser of tiles: every spelling of every tile, the longest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reader {
    spellings: Vec<(String, Tile)>,
    /// The tile of each ASCII character that is a spelling by itself and begins no other. This is the usual case.
    simple: [Option<Tile>; 128],
}

impl Reader {
    pub(super) fn new(kinds: &[TileKind]) -> Reader {
        let mut spellings = vec![("?".to_string(), Tile::BLANK)];
        for (letter, kind) in (0u8..).zip(kinds).skip(1) {
            spellings.push((kind.label.clone(), Tile::letter_tile(letter)));
            spellings.push((kind.blank_label.clone(), Tile::blank_as(letter)));
        }
        spellings.sort_by(|(a, _), (b, _)| b.chars().count().cmp(&a.chars().count()).then(a.cmp(b)));
        let mut simple = [None; 128];
        for (spelling, tile) in &spellings {
            let alone = spellings.iter().filter(|(other, _)| other.as_bytes()[0] == spelling.as_bytes()[0]).count() == 1;
            if spelling.len() == 1 && alone {
                simple[spelling.as_bytes()[0] as usize] = Some(*tile);
            }
        }
        Reader { spellings, simple }
    }

    pub(super) fn parse(&self, text: &str, style: Style) -> Result<Vec<Tile>, BadTiles> {
        let mut tiles = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let (tile, length) = self.next(rest, first, style).ok_or_else(|| bad(text, rest, first))?;
            tiles.push(tile);
            rest = &rest[length..];
        }
        Ok(tiles)
    }

    /// Returns the tile at the start of `rest` and its length in bytes.
    fn next(&self, rest: &str, first: char, style: Style) -> Option<(Tile, usize)> {
        if first == '[' {
            let end = rest.find(']')?;
            let (_, tile) = self.spellings.iter().find(|(spelling, _)| *spelling == rest[1..end])?;
            return Some((*tile, end + 1));
        }
        if let Some(Some(tile)) = self.simple.get(first as usize) {
            return Some((*tile, 1));
        }
        let fits = |spelling: &str| match style {
            Style::Greedy => rest.starts_with(spelling),
            Style::Bracketed => spelling.len() == first.len_utf8() && rest.starts_with(spelling),
        };
        self.spellings.iter().find(|(spelling, _)| fits(spelling)).map(|(spelling, tile)| (*tile, spelling.len()))
    }
}

fn bad(text: &str, rest: &str, first: char) -> BadTiles {
    let column = text[..text.len() - rest.len()].chars().count() + 1;
    let found = if first == '[' { rest.find(']').map_or(rest, |end| &rest[..=end]).to_string() } else { first.to_string() };
    BadTiles { column, found }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tileset::TileSet;

    #[test]
    fn a_digraph_is_one_tile_unless_brackets_separate_its_letters() {
        let spanish = TileSet::embedded("spanish").unwrap();
        let show = |text, style| spanish.parse(text, style).map(|tiles| (tiles.len(), spanish.show_all(&tiles)));
        assert_eq!(show("CHURRO", Style::Greedy), Ok((4, "[CH]U[RR]O".into())));
        assert_eq!(show("[CH]U[RR]O", Style::Greedy), Ok((4, "[CH]U[RR]O".into())));
        assert_eq!(show("[C][H]", Style::Greedy), Ok((2, "CH".into())));
        assert_eq!(show("CH", Style::Bracketed), Ok((2, "CH".into())));
        assert_eq!(show("[ch]Ññ?", Style::Bracketed), Ok((4, "[ch]Ññ?".into())));
    }

    #[test]
    fn a_character_that_is_not_a_tile_is_reported_with_its_column() {
        let spanish = TileSet::embedded("spanish").unwrap();
        let error = |text| spanish.parse(text, Style::Greedy).unwrap_err();
        assert_eq!(error("ÑUKU"), BadTiles { column: 3, found: "K".into() });
        assert_eq!(error("A[XY]"), BadTiles { column: 2, found: "[XY]".into() });
        assert_eq!(error("A[CH"), BadTiles { column: 2, found: "[CH".into() });
    }
}
