//! Tiles from text and back.

use thiserror::Error;

use super::{Tile, TileKind};

/// How characters become tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The longest tile that fits, as in word lists and typed racks: `CH` is one tile where the set has it. `[C][H]` keeps
    /// two tiles apart.
    Greedy,
    /// One character a tile, several characters only in brackets, as CGP, GCG and leave files are written.
    Bracketed,
}

/// Text that is not tiles.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: no tile of the set begins with {found:?}")]
pub struct BadTiles {
    /// 1-based, in characters.
    pub column: usize,
    /// The offending character, or the bracketed group.
    pub found: String,
}

/// Every spelling of every tile, the longest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reader {
    spellings: Vec<(String, Tile)>,
    /// Tiles of one ASCII character, where no longer spelling begins with it: the usual case.
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

    /// The tile at the start of `rest`, and how many bytes it takes.
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
    fn digraphs_are_one_tile_unless_brackets_keep_them_apart() {
        let spanish = TileSet::embedded("spanish").unwrap();
        let show = |text, style| spanish.parse(text, style).map(|tiles| (tiles.len(), spanish.show_all(&tiles)));
        assert_eq!(show("CHURRO", Style::Greedy), Ok((4, "[CH]U[RR]O".into())));
        assert_eq!(show("[CH]U[RR]O", Style::Greedy), Ok((4, "[CH]U[RR]O".into())));
        assert_eq!(show("[C][H]", Style::Greedy), Ok((2, "CH".into())));
        assert_eq!(show("CH", Style::Bracketed), Ok((2, "CH".into())));
        assert_eq!(show("[ch]Ññ?", Style::Bracketed), Ok((4, "[ch]Ññ?".into())));
    }

    #[test]
    fn a_character_of_no_tile_is_named_with_its_column() {
        let spanish = TileSet::embedded("spanish").unwrap();
        let error = |text| spanish.parse(text, Style::Greedy).unwrap_err();
        assert_eq!(error("ÑUKU"), BadTiles { column: 3, found: "K".into() });
        assert_eq!(error("A[XY]"), BadTiles { column: 2, found: "[XY]".into() });
        assert_eq!(error("A[CH"), BadTiles { column: 2, found: "[CH".into() });
    }
}
