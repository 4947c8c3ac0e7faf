//! Word lists, read from text or from a word graph.

use std::path::Path;

use rayon::slice::ParallelSliceMut;

use super::error::LexiconError;
use super::kwg;
use super::packed_word::{PackedWord, check_length};
use super::word_report::WordReport;
use crate::gzip::unpack_if_packed;
use crate::tileset::{Style, Tile, TileSet};

/// The maximum length of an unpacked word list, in bytes; far more than any has.
const MAX_TEXT: u64 = 1 << 31;

/// A word list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordList {
    /// The distinct words, sorted.
    pub words: Vec<PackedWord>,
    /// The result of reading the list, with the rejected lines.
    pub report: WordReport,
}

impl WordList {
    /// Reads text, gzipped text or a `.kwg` file, which is recognised by its name. Text has one word per line, in UTF-8 and
    /// in upper or lower case; empty lines are ignored.
    ///
    /// # Errors
    /// [`LexiconError`] if the file cannot be read as a word list or contains no words.
    pub fn from_bytes(bytes: &[u8], path: &Path, tileset: &TileSet, longest: usize) -> Result<WordList, LexiconError> {
        let mut report = WordReport::default();
        let mut words = if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("kwg")) {
            kwg::words(bytes, tileset.letters(), longest, &mut |word, reason| report.reject(0, &show(word, tileset), reason))
                .map_err(|source| LexiconError::Kwg { path: path.into(), source })?
        } else {
            let text =
                unpack_if_packed(bytes, MAX_TEXT).map_err(|source| LexiconError::Gzip { path: path.into(), source })?;
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
        return Err(format!("tile {} is a blank; a word has only letters", place + 1));
    }
    check_length(tiles.len(), longest)?;
    Ok(PackedWord::new(tiles.iter().map(|tile| tile.letter())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, tileset: &str) -> WordList {
        let tileset = TileSet::embedded(tileset).unwrap();
        WordList::from_bytes(text.as_bytes(), Path::new("list.txt"), &tileset, 15).unwrap()
    }

    #[test]
    fn rejected_lines_are_reported_with_place_and_reason() {
        let list = read("\u{feff}care\r\nA\nC4RE\n\nCARE\nABCDEFGHIJKLMNOP\nS?\nÜBER\n", "english");
        assert_eq!((list.words.len(), list.report.duplicates, list.report.rejected), (1, 1, 5));
        let text = list.report.to_string();
        for part in [
            "line 2: \"A\": 1 tile",
            "line 3: \"C4RE\": column 2: \"4\"",
            "line 6",
            "16 tiles; the board is 15",
            "tile 2 is a blank",
            "\"Ü\"",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn twenty_rejected_lines_are_quoted_and_the_rest_counted() {
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
