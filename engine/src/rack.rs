//! Racks: small multisets of tiles.

use thiserror::Error;

use crate::tileset::{BadTiles, MAX_KINDS, NotInSet, Style, Tile, TileSet};

pub(crate) mod sub_racks;
mod ranking;

pub use ranking::Ranking;
pub use sub_racks::{MAX_SUB_RACKS, SubRacks};

/// A multiset of tiles: a rack, a leave, or the unseen tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rack {
    counts: [u8; MAX_KINDS],
    size: u8,
}

impl Default for Rack {
    fn default() -> Self {
        Rack { counts: [0; MAX_KINDS], size: 0 }
    }
}

/// Why a text is not a valid rack.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadRack {
    #[error("rack {text:?}, {source}")]
    Tiles { text: String, source: BadTiles },
    #[error("rack {text:?} has {size} tiles; a rack holds at most {limit}")]
    TooMany { text: String, size: usize, limit: usize },
    /// A blank has a letter, which is possible only on the board.
    #[error("rack {text:?} gives a blank the letter {label}; on a rack, write a blank as ? and letters in upper case")]
    BlankWithLetter { text: String, label: String },
    #[error("rack {text:?} has {source}")]
    NotInSet { text: String, source: NotInSet },
    #[error(
        "rack {text:?} can be the tiles {one} or the tiles {other}; write a tile of several characters in brackets, and single tiles that could be one too, \
         as in [CH] or [C][H]"
    )]
    TwoReadings { text: String, one: String, other: String },
}

impl Rack {
    /// Creates the rack of these tiles. A blank with a letter counts as a blank.
    pub fn from_tiles(tiles: &[Tile]) -> Rack {
        let mut rack = Rack::default();
        for tile in tiles {
            rack.add(tile.kind());
        }
        rack
    }

    /// Creates the rack with one tile for each element of `kinds`.
    pub fn from_kinds(kinds: &[u8]) -> Rack {
        let mut rack = Rack::default();
        for &kind in kinds {
            rack.add(kind);
        }
        rack
    }

    /// Creates the rack with `counts[kind]` tiles of each kind. There must be at most [`MAX_KINDS`] kinds and 255 tiles.
    /// Debug builds check this.
    pub fn from_counts(counts: &[u8]) -> Rack {
        debug_assert!(counts.len() <= MAX_KINDS && counts.iter().map(|&count| usize::from(count)).sum::<usize>() <= 255);
        let mut rack = Rack::default();
        rack.counts[..counts.len()].copy_from_slice(counts);
        rack.size = counts.iter().sum();
        rack
    }

    /// Parses a rack as a person types it, in upper or lower case: `AEINR?`, `[CH]U[RR]O`. With brackets it is read as
    /// [`Rack::from_notation`] does. Without, `NY` is one tile if the tile set has no Y.
    ///
    /// # Errors
    /// [`BadRack`] for an unknown character, more tiles than the rack size, more tiles of a kind than in the tile set, or a text
    /// without brackets that can be read in two ways.
    pub fn parse(text: &str, tileset: &TileSet) -> Result<Rack, BadRack> {
        let text = text.to_uppercase();
        let greedy = tileset.parse(&text, Style::Greedy).is_ok_and(|tiles| tiles.len() < text.chars().count());
        if text.contains('[') || !greedy {
            return Rack::from_notation(&text, tileset);
        }
        match [Style::Greedy, Style::Bracketed].map(|style| Rack::read(text.clone(), tileset, style)) {
            [Ok(one), Ok(other)] => {
                let show =
                    |rack: Rack| rack.tiles().map(|tile| tileset.show(tile).to_string()).collect::<Vec<_>>().join(" ");
                Err(BadRack::TwoReadings { text, one: show(one), other: show(other) })
            }
            [Err(_), single @ Ok(_)] => single,
            [greedy, _] => greedy,
        }
    }

    /// Parses a rack of a file, in upper case and with tiles of several characters in brackets: `AEINR?`, `[CH]U[RR]O`.
    ///
    /// # Errors
    /// As [`Rack::parse`], and [`BadRack::BlankWithLetter`].
    pub fn from_notation(text: &str, tileset: &TileSet) -> Result<Rack, BadRack> {
        Rack::read(text.into(), tileset, Style::Bracketed)
    }

    fn read(text: String, tileset: &TileSet, style: Style) -> Result<Rack, BadRack> {
        let tiles = tileset.parse(&text, style).map_err(|source| BadRack::Tiles { text: text.clone(), source })?;
        if let Some(&blank) = tiles.iter().find(|tile| tile.is_blank() && tile.letter() != 0) {
            return Err(BadRack::BlankWithLetter { text, label: tileset.show(blank).to_string() });
        }
        let limit = tileset.rules().rack_size;
        if tiles.len() > limit {
            return Err(BadRack::TooMany { text, size: tiles.len(), limit });
        }
        let rack = Rack::from_tiles(&tiles);
        match tileset.check_counts(&rack.counts.map(usize::from)) {
            Ok(()) => Ok(rack),
            Err(source) => Err(BadRack::NotInSet { text, source }),
        }
    }

    /// Adds a tile of a kind.
    pub fn add(&mut self, kind: u8) {
        self.counts[kind as usize] += 1;
        self.size += 1;
    }

    /// Removes a tile of a kind. Returns `false` and changes nothing if there is none.
    pub fn remove(&mut self, kind: u8) -> bool {
        let there = self.counts[kind as usize] > 0;
        self.counts[kind as usize] -= u8::from(there);
        self.size -= u8::from(there);
        there
    }

    /// Returns the number of tiles of a kind.
    pub fn count(&self, kind: u8) -> u8 {
        self.counts[kind as usize]
    }

    /// Returns the number of tiles.
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// Returns whether there are no tiles.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the kinds on the rack with their counts, in the order of the tile set.
    pub fn kinds(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        (0u8..).zip(self.counts).filter(|&(_, count)| count > 0)
    }

    /// Returns every tile, in the order of the tile set.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        self.kinds().flat_map(|(kind, count)| std::iter::repeat_n(Tile::letter_tile(kind), count as usize))
    }

    /// Returns whether the rack contains every tile of `other`.
    pub fn contains(&self, other: &Rack) -> bool {
        self.counts.iter().zip(other.counts).all(|(&mine, theirs)| mine >= theirs)
    }

    /// Returns the tiles of both racks together.
    #[must_use]
    pub fn plus(&self, other: &Rack) -> Rack {
        let mut rack = *self;
        rack.counts.iter_mut().zip(other.counts).for_each(|(mine, theirs)| *mine += theirs);
        rack.size += other.size;
        rack
    }

    /// Returns the rack without the tiles of `other`, or `None` if it does not contain them all.
    pub fn minus(&self, other: &Rack) -> Option<Rack> {
        if !self.contains(other) {
            return None;
        }
        let mut rack = *self;
        rack.counts.iter_mut().zip(other.counts).for_each(|(mine, theirs)| *mine -= theirs);
        rack.size -= other.size;
        Some(rack)
    }

    /// Returns the total value of the tiles in points, as counted at the end of a game.
    pub fn points(&self, tileset: &TileSet) -> i32 {
        self.kinds().map(|(kind, count)| i32::from(count) * tileset.value(Tile::letter_tile(kind))).sum()
    }

    /// Returns the rack in notation, blanks last.
    pub fn show(&self, tileset: &TileSet) -> String {
        let (blanks, letters): (Vec<Tile>, Vec<Tile>) = self.tiles().partition(|tile| tile.is_blank());
        tileset.show_all(&letters) + &tileset.show_all(&blanks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn racks_are_parsed_and_shown() {
        let english = TileSet::embedded("english").unwrap();
        let rack = Rack::parse("z?aae", &english).unwrap();
        assert_eq!((rack.size(), rack.count(1), rack.points(&english)), (5, 2, 13));
        assert_eq!(rack.show(&english), "AAEZ?");
        let part = Rack::parse("AZ", &english).unwrap();
        assert_eq!(rack.minus(&part).unwrap().show(&english), "AE?");
        assert_eq!(part.minus(&rack), None);
    }

    #[test]
    fn invalid_racks_are_refused_with_the_reason() {
        let english = TileSet::embedded("english").unwrap();
        let message = |text| Rack::parse(text, &english).unwrap_err().to_string();
        assert!(message("ZZ").contains("2 Z, but the english tile set has 1"));
        assert!(message("ABCDEFGH").contains("8 tiles"));
        assert!(message("AB3").contains("column 3"));
        let catalan = TileSet::embedded("catalan").unwrap();
        assert_eq!(Rack::parse("nyaa", &catalan).unwrap().show(&catalan), "AA[NY]", "there is no Y");
        let spanish = TileSet::embedded("spanish").unwrap();
        let read = |text| Rack::from_notation(text, &spanish).map(|rack| rack.show(&spanish)).map_err(|bad| bad.to_string());
        assert_eq!((read("CH?[CH]"), read("")), (Ok("C[CH]H?".into()), Ok(String::new())));
        let typed = |text| Rack::parse(text, &spanish).map(|rack| rack.show(&spanish)).map_err(|bad| bad.to_string());
        assert_eq!((typed("a[ch]osrri"), typed("[r][r]o")), (Ok("A[CH]IORRS".into()), Ok("ORR".into())));
        assert!(typed("aosrri").unwrap_err().contains("can be the tiles A I O [RR] S or the tiles A I O R R S"));
        assert!(read("AB[ch]").unwrap_err().contains("gives a blank the letter [ch]"));
    }
}
