//! Word lists: what was read, and what was wrong with the rest.

use std::fmt;
use std::io::Read;
use std::path::Path;

use rayon::slice::ParallelSliceMut;
use serde::{Deserialize, Serialize};

use super::{LexiconError, kwg};
use crate::layout::MAX_SIDE;
use crate::tileset::{Style, Tile, TileSet};

/// Bad lines quoted in a report; the rest are counted.
const QUOTED: usize = 20;
/// No word list is this long; a file that unpacks to more is not one.
const MAX_TEXT: u64 = 1 << 31;
const BITS: u32 = 6;

/// A word of up to 21 letters, six bits each from the top: packed words sort as words do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedWord(u128);

impl PackedWord {
    /// Packs letters 1 to 63; at most 21 of them.
    pub fn new(letters: impl IntoIterator<Item = u8>) -> PackedWord {
        let mut word = PackedWord::default();
        for (place, letter) in (0u32..).zip(letters) {
            debug_assert!(place < MAX_SIDE as u32 && (1..64).contains(&letter));
            word.0 |= u128::from(letter) << (128 - BITS * (place + 1));
        }
        word
    }

    /// Its letters in order.
    pub fn letters(self) -> impl DoubleEndedIterator<Item = u8> + Clone {
        (0..self.len() as u32).map(move |place| (self.0 >> (128 - BITS * (place + 1))) as u8 & 63)
    }

    /// Letters in it.
    pub fn len(self) -> usize {
        // The two lowest bits are never used, so a full word has at most 126 significant ones.
        (128 - self.0.trailing_zeros()).div_ceil(BITS) as usize * usize::from(self.0 != 0)
    }

    /// Whether it has no letter.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Letters at the start that both words share.
    pub(super) fn shared_prefix(self, other: PackedWord) -> usize {
        ((self.0 ^ other.0).leading_zeros() / BITS).min(MAX_SIDE as u32) as usize
    }

    /// The first `length` letters.
    pub(super) fn prefix(self, length: usize) -> PackedWord {
        if length == 0 { PackedWord(0) } else { PackedWord(self.0 & (u128::MAX << (128 - BITS * length as u32))) }
    }

    /// The letters from the last to the first.
    pub(super) fn reversed(self) -> PackedWord {
        PackedWord::new(self.letters().rev())
    }
}

/// A line that is no word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejected {
    /// 1-based; 0 for a word of a graph.
    pub line: usize,
    /// As it stands in the file, shortened if very long.
    pub word: String,
    /// Why not.
    pub reason: String,
}

/// What reading a word list found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordReport {
    /// Distinct words taken.
    pub words: usize,
    /// Words that stood there more than once, counted each further time.
    pub duplicates: usize,
    /// Lines that are no words.
    pub rejected: usize,
    /// The first of them.
    pub examples: Vec<Rejected>,
}

impl WordReport {
    fn reject(&mut self, line: usize, word: &str, reason: String) {
        self.rejected += 1;
        if self.examples.len() < QUOTED {
            let word = word.chars().take(40).collect();
            self.examples.push(Rejected { line, word, reason });
        }
    }

    /// Whether every line was a new word.
    pub fn is_clean(&self) -> bool {
        self.rejected == 0 && self.duplicates == 0
    }
}

impl fmt::Display for WordReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} words", self.words)?;
        if self.duplicates > 0 {
            write!(formatter, ", {} duplicates", self.duplicates)?;
        }
        if self.rejected > 0 {
            write!(formatter, ", {} lines left out:", self.rejected)?;
        }
        for Rejected { line, word, reason } in &self.examples {
            // The words of a graph have no lines.
            match line {
                0 => write!(formatter, "\n  {word:?}: {reason}")?,
                _ => write!(formatter, "\n  line {line}: {word:?}: {reason}")?,
            }
        }
        if self.rejected > self.examples.len() {
            write!(formatter, "\n  and {} more", self.rejected - self.examples.len())?;
        }
        Ok(())
    }
}

/// Distinct words, sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordList {
    /// Sorted, each once.
    pub words: Vec<PackedWord>,
    /// What was read and left out.
    pub report: WordReport,
}

impl WordList {
    /// Reads text, gzipped text or a `.kwg`, told apart by content and, for `.kwg`, by name. One word a line in UTF-8, either
    /// case; empty lines are passed over.
    ///
    /// # Errors
    /// [`LexiconError`] when nothing can be made of the file, an empty result among it.
    pub fn from_bytes(bytes: &[u8], path: &Path, tileset: &TileSet, longest: usize) -> Result<WordList, LexiconError> {
        let mut report = WordReport::default();
        let mut words = if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("kwg")) {
            kwg::words(bytes, tileset.letters(), longest, &mut |word, reason| report.reject(0, &show(word, tileset), reason))
                .map_err(|source| LexiconError::Kwg { path: path.into(), source })?
        } else {
            let text = unpack(bytes).map_err(|source| LexiconError::Gzip { path: path.into(), source })?;
            let text = std::str::from_utf8(&text).map_err(|error| LexiconError::NotUtf8 {
                path: path.into(),
                line: text[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1,
            })?;
            read_lines(text, tileset, longest, &mut report)
        };
        if !words.is_sorted() {
            words.par_sort_unstable();
        }
        let lines = words.len();
        words.dedup();
        report.words = words.len();
        report.duplicates = lines - words.len();
        if words.is_empty() {
            let tileset = tileset.name().to_string();
            return Err(LexiconError::Empty { path: path.into(), tileset, report: Box::new(report) });
        }
        Ok(WordList { words, report })
    }
}

fn show(letters: &[u8], tileset: &TileSet) -> String {
    letters.iter().map(|&letter| tileset.show(Tile::letter_tile(letter)).to_string()).collect()
}

fn unpack(bytes: &[u8]) -> std::io::Result<std::borrow::Cow<'_, [u8]>> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes.into());
    }
    let mut text = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes).take(MAX_TEXT).read_to_end(&mut text)?;
    Ok(text.into())
}

fn read_lines(text: &str, tileset: &TileSet, longest: usize, report: &mut WordReport) -> Vec<PackedWord> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut words = Vec::with_capacity(text.len() / 10);
    for (line, raw) in (1..).zip(text.lines()) {
        let word = raw.trim();
        if word.is_empty() {
            continue;
        }
        match read_word(word, tileset, longest) {
            Ok(packed) => words.push(packed),
            Err(reason) => report.reject(line, word, reason),
        }
    }
    words
}

fn read_word(word: &str, tileset: &TileSet, longest: usize) -> Result<PackedWord, String> {
    let upper;
    let text = if word.chars().any(char::is_lowercase) {
        upper = word.to_uppercase();
        &upper
    } else {
        word
    };
    let tiles = tileset.parse(text, Style::Greedy).map_err(|bad| {
        format!("column {}: {:?} is not a letter of the {} tile set", bad.column, bad.found, tileset.name())
    })?;
    if let Some(place) = tiles.iter().position(|tile| tile.is_blank()) {
        return Err(format!("tile {}: a word has letters, no blanks", place + 1));
    }
    check_length(tiles.len(), longest)?;
    Ok(PackedWord::new(tiles.iter().map(|tile| tile.letter())))
}

/// Whether a word of this many tiles fits the board.
pub(super) fn check_length(tiles: usize, longest: usize) -> Result<(), String> {
    if tiles < 2 {
        return Err(format!("{tiles} tile; a word has 2 or more"));
    }
    if tiles > longest {
        return Err(format!("{tiles} tiles; the board is {longest} wide"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, tileset: &str) -> WordList {
        let tileset = TileSet::embedded(tileset).unwrap();
        WordList::from_bytes(text.as_bytes(), Path::new("list.txt"), &tileset, 15).unwrap()
    }

    #[test]
    fn packed_words_sort_shorten_and_reverse() {
        let pack = |letters: &[u8]| PackedWord::new(letters.iter().copied());
        assert!(pack(&[1, 2]) < pack(&[1, 2, 1]) && pack(&[1, 2, 63]) < pack(&[1, 3]));
        for length in 0..=21 {
            let letters: Vec<u8> = (1..=length).map(|letter| letter * 3).collect();
            let word = pack(&letters);
            assert_eq!(word.len(), letters.len());
            assert_eq!(word.letters().collect::<Vec<_>>(), letters);
            assert_eq!(word.reversed().reversed(), word);
            assert_eq!(word.prefix(length as usize / 2).len(), length as usize / 2);
        }
        assert_eq!(pack(&[1, 2, 3]).shared_prefix(pack(&[1, 2, 4, 5])), 2);
        assert_eq!(pack(&[1, 2]).shared_prefix(pack(&[1, 2, 4])), 2);
    }

    #[test]
    fn bad_lines_are_told_with_place_and_reason() {
        let list = read("\u{feff}care\r\nA\nC4RE\n\nCARE\nABCDEFGHIJKLMNOP\nS?\nÜBER\n", "english");
        assert_eq!((list.words.len(), list.report.duplicates, list.report.rejected), (1, 1, 5));
        let text = list.report.to_string();
        for part in [
            "line 2: \"A\": 1 tile",
            "line 3: \"C4RE\": column 2: \"4\"",
            "line 6",
            "16 tiles; the board is 15",
            "no blanks",
            "\"Ü\"",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn twenty_bad_lines_are_quoted_and_the_rest_counted() {
        let text: String = (0..30).map(|_| "X1\n").chain(["AB\n"]).collect();
        let report = read(&text, "english").report;
        assert_eq!((report.rejected, report.examples.len()), (30, 20));
        assert!(report.to_string().ends_with("and 10 more"));
    }

    #[test]
    fn letters_are_tiles() {
        let list = read("CHURRO\ncalle\nñu\n", "spanish");
        let lengths: Vec<usize> = list.words.iter().map(|word| word.len()).collect();
        assert_eq!(lengths, [4, 4, 2]);
    }
}
