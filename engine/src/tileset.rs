//! Tile sets: the letters of a language, how many tiles of each there are and what they score, and the rules that come
//! with them.
//!
//! Letters are tiles, not characters: Spanish `CH` is one tile that counts one, Polish has 32 letters. A tile set is a TOML
//! file in `configs/tilesets`; ten are embedded.

use std::fmt;

use serde::Deserialize;
use thiserror::Error;

mod text;

pub use text::{BadTiles, Style};

/// Kinds of tiles a set can have, the blank included.
pub const MAX_KINDS: usize = 64;
/// Tiles on the fullest rack a rule set may allow.
pub const MAX_RACK_SIZE: usize = 8;
/// Points of the most valuable tile a set may have: with the limit of word squares on a board it keeps every score far below
/// what [`crate::equity::Equity`] holds.
pub const MAX_VALUE: u8 = 50;
/// Tiles in the largest set.
pub const MAX_TILES: usize = 250;

/// A tile: on a rack or in the bag its kind (0 is the blank, 1… the letters in their order); on the board its letter, with a
/// mark when a blank plays it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

const BLANK_MARK: u8 = 0x80;

impl Tile {
    /// The blank before it is given a letter.
    pub const BLANK: Tile = Tile(0);

    /// A natural tile of letter 1, 2, ….
    pub const fn letter_tile(letter: u8) -> Tile {
        Tile(letter)
    }

    /// A blank playing `letter`.
    pub const fn blank_as(letter: u8) -> Tile {
        Tile(letter | BLANK_MARK)
    }

    /// The letter it shows; 0 for an undesignated blank.
    pub const fn letter(self) -> u8 {
        self.0 & !BLANK_MARK
    }

    /// Whether it is a blank, designated or not.
    pub const fn is_blank(self) -> bool {
        self.0 == 0 || self.0 & BLANK_MARK != 0
    }

    /// Its kind on a rack: 0 for any blank, else its letter.
    pub const fn kind(self) -> u8 {
        if self.is_blank() { 0 } else { self.0 }
    }
}

/// What one kind of tile is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileKind {
    /// How it is written: `A`, `CH`; the blank is `?`.
    pub label: String,
    /// How a blank playing it is written: `a`, `ch`.
    pub blank_label: String,
    /// Tiles of this kind in a full bag.
    pub count: u8,
    /// Points for playing it, without multipliers.
    pub value: u8,
    /// Whether it counts as a vowel.
    pub is_vowel: bool,
}

/// The numbers of the rules that a tile set brings along.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Tiles on a full rack.
    pub rack_size: usize,
    /// Points for playing a full rack in one turn.
    pub bingo_bonus: i32,
    /// Tiles the bag must hold before a player may exchange.
    pub exchange_minimum: usize,
}

/// A tile set with its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileSet {
    name: String,
    board: String,
    kinds: Vec<TileKind>,
    rules: Rules,
    values: [u8; MAX_KINDS],
    vowels: u64,
    total_tiles: usize,
    reader: text::Reader,
}

/// Why a tile set cannot be used.
#[derive(Debug, Error)]
pub enum TileSetError {
    /// Not TOML of the expected form.
    #[error("tile set {origin}: {source}")]
    Syntax {
        /// File or embedded name.
        origin: String,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// The counts and values contradict the published totals in the same file.
    #[error("tile set {origin}: the {what} of its tiles sum to {found}, but `total_{what}` says {stated}; mend one of them")]
    Sum {
        /// File or embedded name.
        origin: String,
        /// `tiles` or `points`.
        what: &'static str,
        /// The sum of the listed letters and blanks.
        found: usize,
        /// What the file states.
        stated: usize,
    },
    /// A value outside what the engine can hold, or two that contradict each other.
    #[error("tile set {origin}: {reason}")]
    Invalid {
        /// File or embedded name.
        origin: String,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// No embedded tile set of that name.
    #[error("no tile set is named {name:?}; name one of {known}, or a TOML file")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The embedded names.
        known: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    board: String,
    total_tiles: usize,
    total_points: usize,
    blanks: u8,
    letters: Vec<FileLetter>,
    rules: Rules,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLetter {
    letter: String,
    count: u8,
    value: u8,
    #[serde(default)]
    vowel: bool,
}

macro_rules! embedded {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../configs/tilesets/", $name, ".toml")))),*]
    };
}

/// Name and text of every embedded tile set.
const EMBEDDED: [(&str, &str); 10] = embedded!(
    "english",
    "french",
    "german",
    "spanish",
    "polish",
    "dutch",
    "norwegian",
    "swedish",
    "catalan",
    "english_super"
);

impl TileSet {
    /// The names of the embedded tile sets.
    pub fn embedded_names() -> impl Iterator<Item = &'static str> {
        EMBEDDED.iter().map(|(name, _)| *name)
    }

    /// An embedded tile set.
    ///
    /// # Errors
    /// [`TileSetError::Unknown`] lists the names there are.
    pub fn embedded(name: &str) -> Result<TileSet, TileSetError> {
        match EMBEDDED.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => TileSet::from_toml(text, name),
            None => Err(TileSetError::Unknown {
                name: name.into(),
                known: Self::embedded_names().collect::<Vec<_>>().join(", "),
            }),
        }
    }

    /// Reads a tile set; `origin` names it in errors.
    ///
    /// # Errors
    /// [`TileSetError`], with what is wrong and where.
    pub fn from_toml(text: &str, origin: &str) -> Result<TileSet, TileSetError> {
        let file: File = toml::from_str(text)
            .map_err(|source| TileSetError::Syntax { origin: origin.into(), source: Box::new(source) })?;
        check(&file).map_err(|reason| TileSetError::Invalid { origin: origin.into(), reason })?;
        let mut kinds =
            vec![TileKind { label: "?".into(), blank_label: "?".into(), count: file.blanks, value: 0, is_vowel: false }];
        kinds.extend(file.letters.iter().map(|letter| TileKind {
            label: letter.letter.clone(),
            blank_label: letter.letter.to_lowercase(),
            count: letter.count,
            value: letter.value,
            is_vowel: letter.vowel,
        }));
        let total_tiles = kinds.iter().map(|kind| kind.count as usize).sum();
        let total_points = kinds.iter().map(|kind| kind.count as usize * kind.value as usize).sum();
        for (what, found, stated) in [("tiles", total_tiles, file.total_tiles), ("points", total_points, file.total_points)]
        {
            if found != stated {
                return Err(TileSetError::Sum { origin: origin.into(), what, found, stated });
            }
        }
        if total_tiles > MAX_TILES || total_tiles < 2 * file.rules.rack_size {
            let least = 2 * file.rules.rack_size;
            let reason = format!("{total_tiles} tiles; a game needs {least} to {MAX_TILES}");
            return Err(TileSetError::Invalid { origin: origin.into(), reason });
        }
        let mut values = [0; MAX_KINDS];
        let mut vowels = 0;
        for (index, kind) in kinds.iter().enumerate() {
            values[index] = kind.value;
            vowels |= u64::from(kind.is_vowel) << index;
        }
        let reader = text::Reader::new(&kinds);
        Ok(TileSet { name: file.name, board: file.board, kinds, rules: file.rules, values, vowels, total_tiles, reader })
    }

    /// Its name, as in `--tileset`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the board it is played on.
    pub fn board(&self) -> &str {
        &self.board
    }

    /// The numbers of its rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// All kinds: the blank first, then the letters in their order.
    pub fn kinds(&self) -> &[TileKind] {
        &self.kinds
    }

    /// How many letters there are; letters are numbered 1 to this.
    pub fn letters(&self) -> u8 {
        (self.kinds.len() - 1) as u8
    }

    /// Every letter as a bit: bit 1 for the first letter.
    pub fn all_letters(&self) -> u64 {
        (u64::MAX >> (63 - u32::from(self.letters()))) & !1
    }

    /// Tiles of each kind in a full bag.
    pub fn counts(&self) -> Vec<u8> {
        self.kinds.iter().map(|kind| kind.count).collect()
    }

    /// Tiles in a full bag.
    pub fn total_tiles(&self) -> usize {
        self.total_tiles
    }

    /// Points a tile scores before multipliers; a blank scores none.
    pub fn value(&self, tile: Tile) -> i32 {
        i32::from(self.values[tile.kind() as usize & (MAX_KINDS - 1)])
    }

    /// Points of a natural tile of each kind.
    pub(crate) fn values(&self) -> &[u8; MAX_KINDS] {
        &self.values
    }

    /// Whether the kind counts as a vowel; the blank does not.
    pub fn is_vowel(&self, kind: u8) -> bool {
        self.vowels >> kind & 1 == 1
    }

    /// A hash of letters, counts, values, vowels, rules and the board's name. Hexadecimal.
    pub fn hash(&self) -> String {
        let mut text = format!("{} {:?}\n", self.board, self.rules);
        for kind in &self.kinds {
            text += &format!("{} {} {} {}\n", kind.label, kind.count, kind.value, kind.is_vowel);
        }
        crate::hash::sha256(text.as_bytes())
    }

    /// Reads tiles from text; `?` is the blank, lower case a blank playing that letter, `[CH]` one tile of several characters.
    ///
    /// # Errors
    /// [`BadTiles`] says which character no tile begins with.
    pub fn parse(&self, text: &str, style: Style) -> Result<Vec<Tile>, BadTiles> {
        self.reader.parse(text, style)
    }

    /// How a tile is written in notation: upper case natural, lower case blank, several characters in brackets.
    pub fn show(&self, tile: Tile) -> Shown<'_> {
        Shown(self, tile)
    }

    /// Several tiles in notation.
    pub fn show_all(&self, tiles: &[Tile]) -> String {
        tiles.iter().map(|&tile| self.show(tile).to_string()).collect()
    }
}

fn check(file: &File) -> Result<(), String> {
    let rules = &file.rules;
    if file.letters.is_empty() || file.letters.len() >= MAX_KINDS {
        return Err(format!("{} letters; 1 to {} fit", file.letters.len(), MAX_KINDS - 1));
    }
    if !(1..=MAX_RACK_SIZE).contains(&rules.rack_size) {
        return Err(format!("rack_size = {}; 1 to {MAX_RACK_SIZE} fit", rules.rack_size));
    }
    if !(0..=10_000).contains(&rules.bingo_bonus) {
        return Err(format!("bingo_bonus = {}; 0 to 10000 points make sense", rules.bingo_bonus));
    }
    if rules.exchange_minimum == 0 {
        return Err("exchange_minimum = 0; nothing can be drawn from an empty bag, so it is 1 or more".into());
    }
    for (index, letter) in file.letters.iter().enumerate() {
        let label = &letter.letter;
        if label.is_empty() || label.contains(|c: char| c.is_whitespace() || c.is_ascii_digit() || "?[]./#".contains(c)) {
            return Err(format!("letter {label:?} is empty or holds a space, digit, or one of ? [ ] . / #"));
        }
        if label.to_lowercase() == *label || label.to_uppercase() != *label {
            return Err(format!("letter {label:?} needs upper case, so that lower case can show a blank"));
        }
        if letter.value > MAX_VALUE {
            return Err(format!("letter {label:?} has value {}; 0 to {MAX_VALUE} points fit", letter.value));
        }
        if file.letters[..index].iter().any(|other| other.letter == *label) {
            return Err(format!("letter {label:?} is listed twice"));
        }
    }
    Ok(())
}

/// A tile ready to print; see [`TileSet::show`].
pub struct Shown<'a>(&'a TileSet, Tile);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(tiles, tile) = self;
        let kind = &tiles.kinds[tile.letter() as usize];
        let label = if tile.is_blank() { &kind.blank_label } else { &kind.label };
        if label.chars().nth(1).is_some() { write!(formatter, "[{label}]") } else { formatter.write_str(label) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_set_reads_and_matches_the_published_totals() {
        let totals = [
            ("english", 100, 187),
            ("french", 102, 197),
            ("german", 102, 202),
            ("spanish", 100, 192),
            ("polish", 100, 190),
            ("dutch", 102, 230),
            ("norwegian", 100, 202),
            ("swedish", 100, 194),
            ("catalan", 100, 189),
            ("english_super", 200, 381),
        ];
        assert_eq!(totals.len(), EMBEDDED.len());
        for (name, tiles, points) in totals {
            let set = TileSet::embedded(name).unwrap();
            let sum: usize = set.kinds().iter().map(|kind| kind.count as usize * kind.value as usize).sum();
            assert_eq!((set.name(), set.total_tiles(), sum), (name, tiles, points));
        }
        assert_eq!(TileSet::embedded("polish").unwrap().letters(), 32);
    }

    #[test]
    fn names_wrong_sums_and_odd_letters_are_told() {
        let english = EMBEDDED[0].1;
        let error = TileSet::embedded("klingon").unwrap_err().to_string();
        assert!(error.contains("klingon") && error.contains("english_super"), "{error}");
        let wrong = english.replace("total_tiles = 100", "total_tiles = 99");
        let error = TileSet::from_toml(&wrong, "my.toml").unwrap_err().to_string();
        assert!(error.contains("my.toml") && error.contains("sum to 100") && error.contains("says 99"), "{error}");
        let wrong = english.replace("\"E\"", "\"e\"");
        let error = TileSet::from_toml(&wrong, "my.toml").unwrap_err().to_string();
        assert!(error.contains("\"e\"") && error.contains("upper case"), "{error}");
        let wrong = english.replace("value = 8", "value = 51");
        let error = TileSet::from_toml(&wrong, "my.toml").unwrap_err().to_string();
        assert!(error.contains("\"J\" has value 51; 0 to 50"), "{error}");
        let wrong = english.replace("value = 8", "value = -8");
        let error = TileSet::from_toml(&wrong, "my.toml").unwrap_err().to_string();
        assert!(error.contains("line 1") || error.contains("-8"), "{error}");
    }

    #[test]
    fn a_designated_blank_shows_its_letter_and_scores_nothing() {
        let english = TileSet::embedded("english").unwrap();
        let blank_q = Tile::blank_as(17);
        assert_eq!((blank_q.kind(), blank_q.letter(), english.value(blank_q)), (0, 17, 0));
        assert_eq!(english.value(Tile::letter_tile(17)), 10);
        assert_eq!(english.show_all(&[Tile::letter_tile(17), blank_q, Tile::BLANK]), "Qq?");
    }
}
