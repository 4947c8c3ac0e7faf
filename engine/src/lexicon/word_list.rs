//! Word lists, read from text or from a word graph. Letters that a tile set lacks are spelled with letters that it has: `É` as `E`, `Œ` as `OE`.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::iter;
use std::path::Path;

use rayon::slice::ParallelSliceMut;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::content::{Content, LexiconError, content};
use super::dawg::{PackedWord, check_length};
use super::kwg;
use super::word_report::{LineForm, MAX_REJECTED, WordReport};
use crate::tileset::{Style, Tile, TileSet};

/// A word list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordList {
    /// The distinct words, sorted.
    pub words: Vec<PackedWord>,
    /// The result of reading the list, with the rejected lines.
    pub report: WordReport,
}

impl WordList {
    /// Reads text or a word graph, which may be packed with gzip, xz or zip. Text has one word per line, in UTF-8 or UTF-16
    /// and in upper or lower case. Empty lines and everything after a tab are ignored. A `.kwg`, and any file that is not
    /// text, is a word graph.
    ///
    /// # Errors
    /// [`LexiconError`] if the file cannot be read as a word list or contains no words.
    pub fn from_bytes(
        bytes: &[u8],
        path: &Path,
        tileset: &TileSet,
        longest: usize,
        form: LineForm,
    ) -> Result<WordList, LexiconError> {
        let mut report = WordReport::default();
        let mut words = match content(bytes, path)? {
            Content::Text(text) => {
                let folding = Folding::new(tileset);
                let lines = Lines { tileset, longest, most: kwg::MAX_WORDS, most_rejected: MAX_REJECTED, folding };
                let words = lines.read(&text, form, &mut report);
                words.map_err(|excess| match excess {
                    Excess::Words => LexiconError::TooManyWords { path: path.into() },
                    Excess::Rejected => LexiconError::TooManyRejected {
                        path: path.into(),
                        tileset: tileset.name().into(),
                        report: Box::new(report.clone()),
                    },
                })?
            }
            Content::Graph(bytes) => kwg::words(&bytes, tileset.letters(), longest, &mut |word, reason| {
                report.reject(0, &show(word, tileset), reason);
            })
            .map_err(|source| LexiconError::Kwg { path: path.into(), source })?,
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

/// The most bytes of a word that is looked at, far more than any board holds.
const LONGEST_WORD: usize = 1 << 12;

/// Reads lines as words of a tile set.
struct Lines<'a> {
    tileset: &'a TileSet,
    longest: usize,
    /// The most words that are read.
    most: usize,
    /// The most rejected lines that are looked at.
    most_rejected: usize,
    folding: Folding,
}

/// The items of which a list has too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Excess {
    Words,
    Rejected,
}

impl Lines<'_> {
    /// The words of the lines.
    ///
    /// # Errors
    /// There are too many lines of a kind.
    fn read(&self, text: &str, form: LineForm, report: &mut WordReport) -> Result<Vec<PackedWord>, Excess> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut words = Vec::with_capacity(text.len() / 10);
        // A cure is added to the form that the user asked for already.
        for LineForm { first_column, fold } in report.cures.iter_mut().map(|cure| &mut cure.form) {
            (*first_column, *fold) = (*first_column || form.first_column, *fold || form.fold);
        }
        for (line, raw) in (1..).zip(text.lines()) {
            let entry = raw.trim().split('\t').next().unwrap_or_default().trim_end();
            if entry.is_empty() {
                continue;
            }
            match self.word_of(entry, form) {
                Ok(_) if words.len() == self.most => return Err(Excess::Words),
                Ok(packed) => words.push(packed),
                Err(_) if report.rejected == self.most_rejected => return Err(Excess::Rejected),
                Err(reason) => {
                    report.reject(line, entry, reason);
                    let is_word = |form| self.word_of(entry, form).is_ok();
                    report.cures.iter_mut().for_each(|cure| cure.words += usize::from(is_word(cure.form)));
                }
            }
        }
        Ok(words)
    }

    fn word_of(&self, entry: &str, form: LineForm) -> Result<PackedWord, String> {
        let word = if form.first_column {
            let end = entry.find([' ', ',', ';']).unwrap_or(entry.len());
            entry[..end].trim_matches('"')
        } else {
            entry
        };
        if word.len() > LONGEST_WORD {
            return Err(format!("it has {} bytes, and no word has more than {LONGEST_WORD}", word.len()));
        }
        if form.fold {
            return self.packed(&self.folding.word(word));
        }
        if word.chars().any(is_combining_mark) {
            return self.packed(&word.nfc().collect::<String>());
        }
        self.packed(word)
    }

    fn packed(&self, word: &str) -> Result<PackedWord, String> {
        let is_lower = word.chars().any(char::is_lowercase);
        let text = if is_lower { Cow::Owned(word.to_uppercase()) } else { Cow::Borrowed(word) };
        let tiles = self.tileset.parse(&text, Style::Greedy).map_err(|bad| {
            format!("column {}: {:?} is not a letter of the {} tile set", bad.column, bad.found, self.tileset.name())
        })?;
        if let Some(place) = tiles.iter().position(|tile| tile.is_blank()) {
            return Err(format!("tile {} is a blank; a word has only letters", place + 1));
        }
        check_length(tiles.len(), self.longest)?;
        Ok(PackedWord::new(tiles.iter().map(|tile| tile.letter())))
    }
}

/// Spells words with the letters of a tile set.
#[derive(Clone, Debug)]
pub struct Folding {
    /// The characters in the labels of the tiles.
    letters: BTreeSet<char>,
}

impl Folding {
    /// The folding to the letters of a tile set.
    pub fn new(tileset: &TileSet) -> Folding {
        Folding { letters: tileset.kinds().iter().skip(1).flat_map(|kind| kind.label.chars()).collect() }
    }

    /// Whether a tile has this character in its label: a capital, or a mark such as the dot of the Catalan `L·L`.
    pub fn has(&self, character: char) -> bool {
        self.letters.contains(&character)
    }

    /// Spells a capital that the tile set lacks: a ligature as its parts, any other letter without its accents, and an accent by
    /// itself, as in the Greek `Ϊ́`, not at all. `None` if the tile set lacks those too.
    pub fn letter(&self, letter: char) -> Option<String> {
        let folded = match letter {
            'Œ' => "OE".into(),
            'Æ' => "AE".into(),
            mark if is_combining_mark(mark) => String::new(),
            _ => iter::once(letter).nfd().next()?.to_string(),
        };
        folded.chars().all(|letter| self.has(letter)).then_some(folded)
    }

    /// A word in capitals with every letter that the tile set lacks folded, as far as it can be. Accents of their own are first
    /// joined to their letters.
    pub(crate) fn word(&self, word: &str) -> String {
        let letters = word.nfc().flat_map(char::to_uppercase);
        let spelled =
            letters.map(|letter| if self.has(letter) { None } else { self.letter(letter) }.unwrap_or(letter.into()));
        spelled.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Cure;

    fn read(text: &str, tileset: &str) -> WordList {
        let tileset = TileSet::embedded(tileset).unwrap();
        read_as(text, &tileset, LineForm::default())
    }

    fn read_as(text: &str, tileset: &TileSet, form: LineForm) -> WordList {
        WordList::from_bytes(text.as_bytes(), Path::new("list.txt"), tileset, 15, form).unwrap()
    }

    #[test]
    fn a_list_has_limits_of_words_and_of_other_lines() {
        let english = TileSet::embedded("english").unwrap();
        let read = |most, most_rejected| {
            let lines = Lines { tileset: &english, longest: 15, most, most_rejected, folding: Folding::new(&english) };
            let words = lines.read("AA\nAB\nxx1\nAD\n2\n", LineForm::default(), &mut WordReport::default());
            words.map(|words| words.len())
        };
        assert_eq!(read(3, 2), Ok(3));
        assert_eq!(read(2, 2), Err(Excess::Words));
        assert_eq!(read(3, 1), Err(Excess::Rejected));
    }

    #[test]
    fn a_word_without_end_is_rejected_unread() {
        let report = read(&format!("AA\n{}\n", "A".repeat(5000)), "english").report;
        assert_eq!((report.words, report.rejected), (1, 1));
        assert!(report.examples[0].reason.contains("5000 bytes"), "{:?}", report.examples);
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

    #[test]
    fn definitions_after_a_tab_and_separate_accents_are_no_obstacle() {
        let list = read("CARE\tto mind\nnin\u{303}o\ta child\n\tCAMA\n\tonly a definition\n", "spanish");
        assert_eq!((list.words.len(), list.report.rejected), (3, 1));
    }

    #[test]
    fn a_list_in_another_form_is_read_if_asked_and_the_report_names_the_cure() {
        let tileset = TileSet::embedded("english").unwrap();
        let text = "CAFÉ, a drink\n\"été\";summer\nCŒUR heart\nCARE\nX1\n";
        let plain = read(text, "english");
        assert_eq!((plain.words.len(), plain.report.rejected), (1, 4));
        let both = LineForm { first_column: true, fold: true };
        let cured = read_as(text, &tileset, both);
        assert_eq!((cured.words.len(), cured.report.rejected), (4, 1));
        let cure = Some(Cure { form: both, words: 3 });
        assert_eq!(plain.report.cure(), cure);
        assert_eq!(read_as(text, &tileset, LineForm { first_column: false, fold: true }).report.cure(), cure);

        // Fifty lines and one sentence instead of twenty examples.
        let text: String =
            ('A'..='Z').chain('A'..='Z').map(|letter| format!("É{letter}\n")).chain(["AB\n".into()]).collect();
        let report = read(&text, "english").report;
        assert_eq!(report.cure(), Some(Cure { form: LineForm { first_column: false, fold: true }, words: 52 }));
        assert!(report.to_string().lines().count() < 6, "{report}");
    }

    #[test]
    fn letters_of_the_tile_set_stay_and_others_lose_their_accents() {
        let words = [
            ("english", "cœur d’été", "COEUR D’ETE"),
            ("spanish", "pingu\u{308}i\u{301}no", "PINGUINO"),
            ("spanish", "nin\u{303}o", "NIÑO"),
            ("german", "Süß café", "SÜSS CAFE"),
            ("polish", "müsli źdźbło smørre", "MUSLI ŹDŹBŁO SMØRRE"),
            ("catalan", "col·legi", "COL·LEGI"),
        ];
        for (tileset, word, folded) in words {
            assert_eq!(Folding::new(&TileSet::embedded(tileset).unwrap()).word(word), folded, "{tileset}");
        }
    }
}
