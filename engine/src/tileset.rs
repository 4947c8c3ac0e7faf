//! Tile sets: the letters of a language, the number of tiles of each, their values, and the rules that go with them.
//!
//! Letters are tiles, not characters: Spanish `CH` is one tile and one letter of a word, and Polish has 32 letters. A tile
//! set is a TOML file in `engine/configs/tilesets`. Nineteen are embedded.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use unicode_normalization::char::is_combining_mark;

use crate::configs::{self, ConfigError};

mod tile;

pub use tile::{BadTiles, Style, Tile, TileKind};

/// The maximum number of kinds of tiles in a set, including the blank.
pub const MAX_KINDS: usize = 64;
/// The maximum rack size that a rule set may allow, in tiles.
pub const MAX_RACK_SIZE: usize = 8;
/// The maximum value of a tile, in points. Together with the largest word multiplier of a board it keeps every score far
/// below the range of [`crate::equity::Equity`].
pub const MAX_VALUE: u8 = 50;
/// The maximum number of different racks, of a full rack and fewer tiles: [`Ranking`](crate::rack::Ranking) numbers them in 32 bits.
const MAX_RACKS: u64 = u32::MAX as u64;
/// The maximum number of tiles in a set.
pub(crate) const MAX_TILES: usize = 250;
/// The number of consecutive scoreless turns that ends a game, unless a tile set has another.
const SCORELESS_TURNS_TO_END: u32 = 6;
/// The maximum number of consecutive turns that may end a game. It keeps every game and every endgame search finite.
const MAX_TURNS_TO_END: u32 = 24;

/// The rules that belong to a tile set.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Tiles on a full rack.
    pub rack_size: usize,
    /// Points for a bingo: a play that uses a full rack.
    pub bingo_bonus: i32,
    /// The number of tiles that the bag must hold for an exchange, however few tiles are exchanged.
    pub exchange_minimum: usize,
    /// The number of consecutive scoreless turns that ends a game. Exchanges, passes and plays without points count.
    #[serde(default = "scoreless_turns_to_end")]
    pub scoreless_turns_to_end: u32,
    /// The number of consecutive passes that ends a game, if there is one.
    #[serde(default)]
    pub passes_to_end: Option<u32>,
    /// The points for the tiles of the opponent when a player goes out.
    #[serde(default)]
    pub tiles_left: TilesLeft,
}

fn scoreless_turns_to_end() -> u32 {
    SCORELESS_TURNS_TO_END
}

/// The points for the tiles of the opponent when a player goes out. Both forms change the spread by the same points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TilesLeft {
    /// The player who goes out gains twice the points of the tiles.
    #[default]
    Twice,
    /// The player who goes out gains the points of the tiles, and the opponent loses them.
    Both,
}

impl TilesLeft {
    /// Returns the gain of the player who goes out and the loss of the opponent, in points, for tiles of `points` points.
    pub(crate) fn gain_and_loss(self, points: i32) -> (i32, i32) {
        match self {
            TilesLeft::Twice => (2 * points, 0),
            TilesLeft::Both => (points, points),
        }
    }
}

impl Rules {
    /// Returns the number of consecutive passes after which the game ends, or 0 if it has ended: after `scoreless_turns`
    /// consecutive scoreless turns, the last `passes` of them passes.
    pub fn passes_left(&self, scoreless_turns: u32, passes: u32) -> u32 {
        let left = self.scoreless_turns_to_end.saturating_sub(scoreless_turns);
        self.passes_to_end.map_or(left, |most| left.min(most.saturating_sub(passes)))
    }

    /// Returns the rules as the hash has them. A rule that came later is named only where it differs from its default, so
    /// that the hashes of older tables stay valid.
    fn hashed(&self) -> String {
        let Rules { rack_size, bingo_bonus, exchange_minimum, scoreless_turns_to_end, passes_to_end, tiles_left } = self;
        let mut text =
            format!("Rules {{ rack_size: {rack_size}, bingo_bonus: {bingo_bonus}, exchange_minimum: {exchange_minimum} }}");
        if *scoreless_turns_to_end != SCORELESS_TURNS_TO_END {
            text += &format!(" scoreless_turns_to_end {scoreless_turns_to_end}");
        }
        if let Some(passes) = passes_to_end {
            text += &format!(" passes_to_end {passes}");
        }
        if *tiles_left == TilesLeft::Both {
            text += " tiles_left both";
        }
        text
    }
}

/// A tile set and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileSet {
    name: String,
    board: String,
    kinds: Vec<TileKind>,
    rules: Rules,
    values: [u8; MAX_KINDS],
    total_tiles: usize,
    reader: tile::Reader,
}

/// More tiles of a kind than a tile set has.
#[expect(missing_docs, reason = "the message describes the fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{count} {label}, but the {tileset} tile set has {available}")]
pub struct NotInSet {
    pub label: String,
    pub count: usize,
    pub(crate) available: u8,
    pub tileset: String,
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

impl TileSet {
    /// Returns the names of the embedded tile sets.
    pub fn embedded_names() -> impl Iterator<Item = &'static str> {
        configs::of_folder("tilesets").map(|config| config.name)
    }

    /// Loads an embedded tile set.
    ///
    /// # Errors
    /// [`ConfigError::Unknown`] for an unknown name.
    pub fn embedded(name: &str) -> Result<TileSet, ConfigError> {
        let names = || Self::embedded_names().collect::<Vec<_>>().join(", ");
        let known = || format!("one of {}, or the path of a TOML file", names());
        let unknown = || ConfigError::Unknown { what: "tile set", name: name.into(), known: known() };
        TileSet::from_toml(configs::text("tilesets", name).ok_or_else(unknown)?, name)
    }

    /// Reads a tile set from TOML. Errors name it `origin`.
    ///
    /// # Errors
    /// [`ConfigError`] with the place and the reason.
    pub fn from_toml(text: &str, origin: &str) -> Result<TileSet, ConfigError> {
        configs::read("tile set", text, origin, TileSet::from_file)
    }

    fn from_file(file: File) -> Result<TileSet, String> {
        check(&file)?;
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
                return Err(format!("its {what} add up to {found}, but `total_{what}` is {stated}; correct one of them"));
            }
        }
        if total_tiles > MAX_TILES || total_tiles < 2 * file.rules.rack_size {
            let least = 2 * file.rules.rack_size;
            return Err(format!("it has {total_tiles} tiles; a game needs {least} to {MAX_TILES}"));
        }
        let racks = multisets_by_size(kinds.iter().map(|kind| kind.count), file.rules.rack_size);
        let racks = racks.into_iter().fold(0, u64::saturating_add);
        if racks > MAX_RACKS {
            return Err(format!(
                "it has {racks} different racks; use fewer letters or a smaller rack_size, for at most {MAX_RACKS}"
            ));
        }
        let mut values = [0; MAX_KINDS];
        values.iter_mut().zip(&kinds).for_each(|(value, kind)| *value = kind.value);
        let reader = tile::Reader::new(&kinds);
        Ok(TileSet { name: file.name, board: file.board, kinds, rules: file.rules, values, total_tiles, reader })
    }

    /// Returns the name, as in `--tileset`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of its board layout.
    pub fn board(&self) -> &str {
        &self.board
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns all kinds: the blank first, then the letters in order.
    pub fn kinds(&self) -> &[TileKind] {
        &self.kinds
    }

    /// Returns the number of letters. Letters are numbered from 1 to this number.
    pub fn letters(&self) -> u8 {
        (self.kinds.len() - 1) as u8
    }

    /// Returns the set of all letters as bits. Bit 1 is the first letter.
    pub(crate) fn all_letters(&self) -> u64 {
        (u64::MAX >> (63 - u32::from(self.letters()))) & !1
    }

    /// Returns the number of tiles of each kind in a full bag.
    pub fn counts(&self) -> Vec<u8> {
        self.kinds.iter().map(|kind| kind.count).collect()
    }

    /// Checks that the tile set has these tiles, counted by kind.
    pub(crate) fn check_counts(&self, counts: &[usize; MAX_KINDS]) -> Result<(), NotInSet> {
        let beyond = self.kinds.iter().zip(*counts).find(|(kind, count)| *count > usize::from(kind.count));
        beyond.map_or(Ok(()), |(TileKind { label, count: available, .. }, count)| {
            Err(NotInSet { label: label.clone(), count, available: *available, tileset: self.name.clone() })
        })
    }

    /// Returns the number of tiles in a full bag.
    pub fn total_tiles(&self) -> usize {
        self.total_tiles
    }

    /// Returns the value of a tile in points, before premium squares, or 0 for a blank.
    pub fn value(&self, tile: Tile) -> i32 {
        i32::from(self.values[tile.kind() as usize & (MAX_KINDS - 1)])
    }

    /// Returns the value of a natural tile of each kind, in points.
    pub(crate) fn values(&self) -> &[u8; MAX_KINDS] {
        &self.values
    }

    /// Returns whether a kind counts as a vowel. The blank does not.
    pub fn is_vowel(&self, kind: u8) -> bool {
        self.kinds[usize::from(kind)].is_vowel
    }

    /// Returns the hash of letters, counts, values, vowels, rules and the name of the board, in hexadecimal.
    pub fn hash(&self) -> String {
        let mut text = format!("{} {}\n", self.board, self.rules.hashed());
        for kind in &self.kinds {
            text += &format!("{} {} {} {}\n", kind.label, kind.count, kind.value, kind.is_vowel);
        }
        crate::hash::sha256(text.as_bytes())
    }

    /// Parses tiles: `?` is a blank, a lower-case letter a blank that stands for it, `[CH]` one tile of several characters.
    ///
    /// # Errors
    /// [`BadTiles`] with the first character that is not a tile.
    pub fn parse(&self, text: &str, style: Style) -> Result<Vec<Tile>, BadTiles> {
        self.reader.parse(text, style)
    }

    /// Returns a tile in notation: upper case for a natural tile, lower case for a blank, several characters in brackets.
    pub fn show(&self, tile: Tile) -> TileDisplay<'_> {
        TileDisplay(self, tile)
    }

    /// Returns a word in the spelling of word lists, from which [`Style::Greedy`] reads the same letters. Letters that would be read as one
    /// tile, such as C and H in Spanish, stand in brackets.
    pub fn spell(&self, letters: &[u8]) -> String {
        let labels = letters.iter().map(|&letter| self.kinds[letter as usize].label.as_str());
        let plain: String = labels.clone().collect();
        let is_read = |tiles: &[Tile]| tiles.iter().map(|tile| tile.letter()).eq(letters.iter().copied());
        if self.parse(&plain, Style::Greedy).is_ok_and(|tiles| is_read(&tiles)) {
            plain
        } else {
            labels.map(|label| format!("[{label}]")).collect()
        }
    }

    /// Returns several tiles in notation.
    pub fn show_all(&self, tiles: &[Tile]) -> String {
        tiles.iter().map(|&tile| self.show(tile).to_string()).collect()
    }
}

fn check(file: &File) -> Result<(), String> {
    let rules = &file.rules;
    if file.letters.is_empty() || file.letters.len() >= MAX_KINDS {
        return Err(format!("it has {} letters; a tile set has 1 to {}", file.letters.len(), MAX_KINDS - 1));
    }
    if !(1..=MAX_RACK_SIZE).contains(&rules.rack_size) {
        return Err(format!("rack_size = {} is out of range; use 1 to {MAX_RACK_SIZE}", rules.rack_size));
    }
    if !(0..=10_000).contains(&rules.bingo_bonus) {
        return Err(format!("bingo_bonus = {} is out of range; use 0 to 10000 points", rules.bingo_bonus));
    }
    if rules.exchange_minimum == 0 {
        return Err("exchange_minimum = 0 is out of range; use 1 or more, because an exchange draws from the bag".into());
    }
    let turns = [("scoreless_turns_to_end", Some(rules.scoreless_turns_to_end)), ("passes_to_end", rules.passes_to_end)];
    for (key, turns) in turns.into_iter().filter_map(|(key, turns)| Some((key, turns?))) {
        if !(2..=MAX_TURNS_TO_END).contains(&turns) {
            return Err(format!("{key} = {turns} is out of range; use 2 to {MAX_TURNS_TO_END}, so that every game ends"));
        }
    }
    for (index, letter) in file.letters.iter().enumerate() {
        let label = &letter.letter;
        // Other characters mean something in plays, games, tables or the names of columns.
        let is_of_letters = |c: char| c.is_alphabetic() || is_combining_mark(c) || "·'’".contains(c);
        if label.is_empty() || !label.chars().all(is_of_letters) {
            return Err(format!(
                "letter {label:?} is empty or has a character that is no letter; only · and ' may be there too"
            ));
        }
        if label.to_lowercase() == *label || label.to_uppercase() != *label {
            return Err(format!("letter {label:?} must be upper case; lower case is for blanks"));
        }
        if letter.value > MAX_VALUE {
            return Err(format!("letter {label:?} has value {}; use 0 to {MAX_VALUE} points", letter.value));
        }
        if file.letters[..index].iter().any(|other| other.letter == *label) {
            return Err(format!("letter {label:?} is listed twice"));
        }
    }
    Ok(())
}

/// By size, 0 to `most` tiles, the number of different multisets with at most as many tiles of each kind as are given.
pub(crate) fn multisets_by_size(counts: impl Iterator<Item = u8>, most: usize) -> Vec<u64> {
    let mut of_size = vec![0; most + 1];
    of_size[0] = 1_u64;
    for count in counts {
        for size in (1..=most).rev() {
            let with_kind = (1..=size.min(count.into())).map(|tiles| of_size[size - tiles]);
            of_size[size] = with_kind.fold(of_size[size], u64::saturating_add);
        }
    }
    of_size
}

/// A tile that prints itself in notation (see [`TileSet::show`]).
#[derive(Debug)]
pub struct TileDisplay<'a>(&'a TileSet, Tile);

impl fmt::Display for TileDisplay<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TileDisplay(tiles, tile) = self;
        let kind = &tiles.kinds[tile.letter() as usize];
        let label = if tile.is_blank() { &kind.blank_label } else { &kind.label };
        if label.chars().nth(1).is_some() { write!(formatter, "[{label}]") } else { formatter.write_str(label) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_tile_set_matches_the_published_totals() {
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
            ("slovene", 100, 180),
            ("portuguese", 120, 204),
            ("italian", 120, 293),
            ("danish", 100, 247),
            ("romanian", 100, 211),
            ("hungarian", 100, 235),
            ("czech", 100, 205),
            ("slovak", 100, 267),
            ("greek", 104, 206),
        ];
        assert_eq!(totals.len(), TileSet::embedded_names().count());
        for (name, tiles, points) in totals {
            let set = TileSet::embedded(name).unwrap();
            let sum: usize = set.kinds().iter().map(|kind| kind.count as usize * kind.value as usize).sum();
            assert_eq!((set.name(), set.total_tiles(), sum), (name, tiles, points));
        }
        assert_eq!(TileSet::embedded("polish").unwrap().letters(), 32);
    }

    #[test]
    fn an_unknown_name_a_wrong_total_and_a_bad_letter_are_reported() {
        let english = crate::configs::text("tilesets", "english").unwrap();
        let error = TileSet::embedded("klingon").unwrap_err().to_string();
        assert!(error.contains("klingon") && error.contains("english_super"), "{error}");
        let wrong = english.replace("total_tiles = 100", "total_tiles = 99");
        let error = TileSet::from_toml(&wrong, "my.toml").unwrap_err().to_string();
        assert!(error.contains("my.toml") && error.contains("tiles add up to 100") && error.contains("is 99"), "{error}");
        let wrong = english.replace("\"E\"", "\"e\"");
        let error = TileSet::from_toml(&wrong, "my.toml").unwrap_err().to_string();
        assert!(error.contains("\"e\"") && error.contains("upper case"), "{error}");
        for label in ["E=", "(E", "E,", "E;", "E-", "E:", "E F", "E2"] {
            let error =
                TileSet::from_toml(&english.replace("\"E\"", &format!("{label:?}")), "my.toml").unwrap_err().to_string();
            assert!(error.contains(label) && error.contains("no letter"), "{error}");
        }
        let wrong = english.replace("value = 8", "value = 51");
        let error = TileSet::from_toml(&wrong, "my.toml").unwrap_err().to_string();
        assert!(error.contains("\"J\" has value 51; use 0 to 50"), "{error}");
        let wrong = english.replace("value = 8", "value = -8");
        let error = TileSet::from_toml(&wrong, "my.toml").unwrap_err().to_string();
        assert!(error.contains("line 1") || error.contains("-8"), "{error}");
    }

    #[test]
    fn a_rule_changes_the_hash_unless_it_is_the_default() {
        let english = crate::configs::text("tilesets", "english").unwrap();
        let tiles = english.split("[rules]").next().unwrap();
        let rules = format!("{tiles}[rules]\nrack_size = 7\nbingo_bonus = 50\nexchange_minimum = 7\n");
        let set = |more: &str| TileSet::from_toml(&(rules.clone() + more), "my.toml");
        let hash = |more: &str| set(more).unwrap().hash();
        // The hash of English tables from before these rules had keys.
        assert_eq!(hash(""), "7a224155aea078c2be59a286416cdb6dc15b20692e1c5717bacfade03f816317");
        for same in
            ["scoreless_turns_to_end = 6", "tiles_left = \"twice\"", "tiles_left = \"twice\"\nscoreless_turns_to_end = 6"]
        {
            assert_eq!(hash(same), hash(""), "{same}");
        }
        let others = ["scoreless_turns_to_end = 12", "passes_to_end = 12", "passes_to_end = 6", "tiles_left = \"both\""];
        let mut hashes: Vec<String> = others.map(hash).into_iter().chain([hash("")]).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), others.len() + 1);
        for (wrong, reason) in [
            ("scoreless_turns_to_end = 1", "scoreless_turns_to_end = 1 is out of range; use 2 to 24"),
            ("passes_to_end = 25", "passes_to_end = 25 is out of range; use 2 to 24"),
            ("tiles_left = \"once\"", "expected `twice` or `both`"),
        ] {
            let error = set(wrong).unwrap_err().to_string();
            assert!(error.contains("my.toml") && error.contains(reason), "{error}");
        }
    }

    #[test]
    fn more_racks_than_tables_number_are_refused() {
        let of_letters = |letters: usize, rack_size: usize| {
            let letter = |index: usize| {
                let label = ["A", "B", "C", "D"][index % 4].repeat(1 + index / 4);
                format!("{{ letter = \"{label}\", count = 3, value = 1, vowel = true }}, ")
            };
            let letters: String = (0..letters).map(letter).collect();
            let tiles = 3 * letters.matches('{').count();
            let text = format!(
                "name = \"many\"\nboard = \"standard\"\ntotal_tiles = {tiles}\ntotal_points = {tiles}\nblanks = 0\n\
                 letters = [{letters}]\n[rules]\nrack_size = {rack_size}\nbingo_bonus = 50\nexchange_minimum = 7\n"
            );
            TileSet::from_toml(&text, "my.toml")
        };
        let small = of_letters(4, 3).unwrap();
        let ranking = crate::rack::Ranking::new(&small.counts(), 3);
        assert_eq!(multisets_by_size(small.counts().into_iter(), 3).iter().sum::<u64>(), ranking.len() as u64);
        assert!(of_letters(32, 7).is_ok());
        let error = of_letters(63, 8).unwrap_err().to_string();
        assert!(
            error.contains("my.toml") && error.contains("different racks") && error.contains("at most 4294967295"),
            "{error}"
        );
    }

    #[test]
    fn a_word_is_spelled_so_that_lists_read_it_back() {
        let spanish = TileSet::embedded("spanish").unwrap();
        let letters = |text: &str| -> Vec<u8> {
            spanish.parse(text, Style::Greedy).unwrap().iter().map(|tile| tile.letter()).collect()
        };
        for (text, spelled) in [("CHE", "CHE"), ("[C][H]E", "[C][H][E]"), ("ÑU", "ÑU"), ("A[RR]E", "ARRE")] {
            assert_eq!(spanish.spell(&letters(text)), spelled);
            assert_eq!(letters(spelled), letters(text));
        }
    }

    #[test]
    fn a_blank_shows_its_letter_and_scores_nothing() {
        let english = TileSet::embedded("english").unwrap();
        let blank_q = Tile::blank_as(17);
        assert_eq!((blank_q.kind(), blank_q.letter(), english.value(blank_q)), (0, 17, 0));
        assert_eq!(english.value(Tile::letter_tile(17)), 10);
        assert_eq!(english.show_all(&[Tile::letter_tile(17), blank_q, Tile::BLANK]), "Qq?");
    }
}
