//! The `.aff` file: tables of affixes, and flags with a special meaning. An affix has a condition for the end (or beginning)
//! of a word. `OCONV` replaces letters in the resulting words, if the dictionary spells them differently inside.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use super::flags::{Flag, FlagForm, FlagReader};
use crate::Failure;
use crate::lexicon::encoded_text::{self, in_line};

/// A pattern with one place per character.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition(Vec<Place>);

/// One of some characters, or any other.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    characters: Vec<char>,
    excludes: bool,
}

impl Place {
    fn fits(&self, character: char) -> bool {
        self.characters.contains(&character) != self.excludes
    }
}

impl Condition {
    /// Reads a condition. `.` is any character, `[abc]` one of these, `[^abc]` any other. Every other character is itself.
    /// There are no ranges: `[a-c]` is `a`, `-` or `c`. A single `.` is no condition: it fits an empty word too.
    pub fn read(text: &str) -> Result<Condition, Failure> {
        let mut places = Vec::new();
        let mut characters = text.chars();
        while text != "."
            && let Some(character) = characters.next()
        {
            let (characters, excludes) = match character {
                '.' => (Vec::new(), true),
                '[' => {
                    let class: Vec<char> = characters.by_ref().take_while(|&character| character != ']').collect();
                    // A class that reaches the end of the text is not closed, unless the last character is its bracket.
                    if characters.as_str().is_empty() && !text.ends_with(']') {
                        return Err(Failure::input(format!("the [ of condition {text:?} is not closed; close it with ]")));
                    }
                    match class.split_first() {
                        Some(('^', rest)) => (rest.to_vec(), true),
                        _ => (class, false),
                    }
                }
                _ => (vec![character], false),
            };
            places.push(Place { characters, excludes });
        }
        Ok(Condition(places))
    }

    /// Whether the first characters of the word fit.
    pub fn fits_start(&self, word: &str) -> bool {
        let mut characters = word.chars();
        self.0.iter().all(|place| characters.next().is_some_and(|character| place.fits(character)))
    }

    /// Whether the last characters of the word fit.
    pub fn fits_end(&self, word: &str) -> bool {
        let mut characters = word.chars().rev();
        self.0.iter().rev().all(|place| characters.next().is_some_and(|character| place.fits(character)))
    }
}

/// Replacements, the longest first.
#[derive(Clone, Debug, Default)]
pub struct Conversion(Vec<Replacement>);

#[derive(Clone, Debug)]
struct Replacement {
    from: String,
    to: String,
    only_at_start: bool,
    only_at_end: bool,
}

impl Conversion {
    /// Adds a replacement. `_` at an end of `from` restricts it to that end of a word. `_` elsewhere is a space.
    pub fn add(&mut self, from: &str, to: &str) {
        let only_at_start = from.starts_with('_');
        let from = from.strip_prefix('_').unwrap_or(from);
        let only_at_end = from.ends_with('_');
        let from = from.strip_suffix('_').unwrap_or(from).replace('_', " ");
        let to = to.replace('_', " ");
        if !from.is_empty() {
            self.0.push(Replacement { from, to, only_at_start, only_at_end });
            // The sort is stable: of two with the same length, the first in the file wins.
            self.0.sort_by_key(|replacement| std::cmp::Reverse(replacement.from.len()));
        }
    }

    /// Converts a word: from the left, the longest replacement that fits at each place.
    pub fn apply<'w>(&self, word: &'w str) -> Cow<'w, str> {
        if self.0.is_empty() {
            return word.into();
        }
        let mut read = String::with_capacity(word.len());
        let mut rest = word;
        while let Some(character) = rest.chars().next() {
            let fitting = self.0.iter().find_map(|replacement| {
                let after = rest.strip_prefix(&replacement.from)?;
                let at_start = rest.len() == word.len();
                let fits = (at_start || !replacement.only_at_start) && (after.is_empty() || !replacement.only_at_end);
                fits.then_some((&replacement.to, after))
            });
            if let Some((to, after)) = fitting {
                read += to;
                rest = after;
            } else {
                read.push(character);
                rest = &rest[character.len_utf8()..];
            }
        }
        read.into()
    }
}

/// A `.aff` file.
#[derive(Debug)]
pub struct Affixes {
    /// The encoding of both files.
    pub encoding: &'static encoding_rs::Encoding,
    pub flags: FlagReader,
    pub rules: Rules,
}

/// The rules for words.
#[derive(Debug, Default)]
pub struct Rules {
    pub prefixes: BTreeMap<Flag, Vec<Affix>>,
    pub suffixes: BTreeMap<Flag, Vec<Affix>>,
    /// `NEEDAFFIX`.
    pub needs_affix: Option<Flag>,
    /// `CIRCUMFIX`.
    pub circumfix: Option<Flag>,
    /// `ONLYINCOMPOUND`.
    pub only_in_compound: Option<Flag>,
    /// `KEEPCASE`.
    pub keep_case: Option<Flag>,
    /// `CHECKSHARPS`.
    pub check_sharps: bool,
    /// `FORBIDDENWORD`.
    pub forbidden: Option<Flag>,
    /// Whether an affix may replace a whole stem.
    pub full_strip: bool,
    /// `OCONV`.
    pub output: Conversion,
}

#[derive(Debug)]
pub struct Affix {
    /// The part of the word that it removes.
    pub strip: String,
    /// The text that it adds instead.
    pub add: String,
    pub condition: Condition,
    /// The flags that it adds to a word.
    pub flags: Vec<Flag>,
    /// Whether it combines with affixes on the other side. Both must allow it.
    pub is_cross_product: bool,
}

/// A table that is being read.
struct Table {
    flag: Flag,
    /// `PFX` or `SFX`, and the flag as the file spells it.
    name: String,
    is_cross_product: bool,
    stated: usize,
    found: usize,
    line: usize,
}

struct Line<'a> {
    number: usize,
    fields: Vec<&'a str>,
}

impl Affixes {
    /// Reads a `.aff` file. `file` names it in errors.
    pub fn read(bytes: &[u8], file: &Path) -> Result<Affixes, Failure> {
        let encoding = find_encoding(bytes, file)?;
        let lines: Vec<_> = encoded_text::lines(bytes, encoding, file).collect::<Result<_, Failure>>()?;
        let lines = lines.iter().map(|(number, text)| Line { number: *number, fields: text.split_whitespace().collect() });
        let is_comment = |line: &Line<'_>| line.fields.first().is_none_or(|first| first.starts_with('#'));
        let lines: Vec<Line<'_>> = lines.filter(|line| !is_comment(line)).collect();
        let mut affixes = Affixes { encoding, flags: read_flag_forms(&lines, file)?, rules: Rules::default() };
        let mut table = None;
        for line in &lines {
            affixes.take(line, &mut table).map_err(in_line(file, line.number))?;
        }
        if let Some(table) = table {
            check_count(&table).map_err(in_line(file, table.line))?;
        }
        Ok(affixes)
    }

    fn take(&mut self, line: &Line<'_>, table: &mut Option<Table>) -> Result<(), Failure> {
        let one_flag = || self.flags.one(line.fields.get(1).copied().unwrap_or_default()).map(Some);
        let rules = &mut self.rules;
        match line.fields[0] {
            "PFX" | "SFX" => self.take_affix(line, table)?,
            // Old dictionaries call it PSEUDOROOT.
            "NEEDAFFIX" | "PSEUDOROOT" => rules.needs_affix = one_flag()?,
            "CIRCUMFIX" => rules.circumfix = one_flag()?,
            "ONLYINCOMPOUND" => rules.only_in_compound = one_flag()?,
            "KEEPCASE" => rules.keep_case = one_flag()?,
            "CHECKSHARPS" => rules.check_sharps = true,
            "FORBIDDENWORD" => rules.forbidden = one_flag()?,
            "FULLSTRIP" => rules.full_strip = true,
            "OCONV" => {
                // The first line has the number of the lines that follow.
                if let Some((from, to)) = line.fields.get(1).zip(line.fields.get(2)) {
                    rules.output.add(from, to);
                }
            }
            directive @ ("COMPLEXPREFIXES" | "IGNORE") => {
                return Err(Failure::input(format!(
                    "{directive} is not supported; expand the dictionary with its own tools and read the result as a plain list"
                )));
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads a line of a table of affixes: its first line, or an affix.
    fn take_affix(&mut self, line: &Line<'_>, table: &mut Option<Table>) -> Result<(), Failure> {
        let fields = &line.fields;
        let directive = fields[0];
        let fault = |needed: &str| {
            let found = fields[1..].join(" ");
            Failure::input(format!("{directive} needs {needed}; found {found:?}"))
        };
        let flag_text = *fields.get(1).ok_or_else(|| fault("a flag"))?;
        let flag = self.flags.one(flag_text)?;
        let is_of = |open: &&mut Table| open.name.starts_with(directive) && open.flag == flag && open.found < open.stated;
        let Some(open) = table.as_mut().filter(is_of) else {
            table.as_ref().map_or(Ok(()), check_count)?;
            let (Some(&cross @ ("Y" | "N")), Some(Ok(stated))) = (fields.get(2), fields.get(3).map(|text| text.parse()))
            else {
                return Err(fault("Y or N and the number of affixes after its flag, because no table is open"));
            };
            let name = format!("{directive} {flag_text}");
            *table = Some(Table { flag, name, is_cross_product: cross == "Y", stated, found: 0, line: line.number });
            return Ok(());
        };
        let [strip, add] = [2, 3].map(|place| fields.get(place).copied().unwrap_or_default());
        if add.is_empty() {
            return Err(fault("the text to strip and the text to add (0 for nothing) after its flag"));
        }
        let (add, flags) = self.split_flags(add)?;
        open.found += 1;
        let affix = Affix {
            strip: nothing_if_zero(strip),
            add: nothing_if_zero(&add),
            condition: Condition::read(fields.get(4).copied().unwrap_or("."))?,
            flags,
            is_cross_product: open.is_cross_product,
        };
        let tables = if directive == "PFX" { &mut self.rules.prefixes } else { &mut self.rules.suffixes };
        tables.entry(flag).or_default().push(affix);
        Ok(())
    }

    /// Splits a text at the slash before its flags. A slash at the beginning, or written `\/`, is part of the word.
    pub fn split_flags(&self, text: &str) -> Result<(String, Vec<Flag>), Failure> {
        let is_end = |&(place, _): &(usize, &str)| place > 0 && !text[..place].ends_with('\\');
        match text.match_indices('/').find(is_end) {
            Some((place, _)) => Ok((text[..place].replace("\\/", "/"), self.flags.set(&text[place + 1..])?)),
            None => Ok((text.replace("\\/", "/"), Vec::new())),
        }
    }
}

fn nothing_if_zero(text: &str) -> String {
    if text == "0" { String::new() } else { text.into() }
}

fn check_count(table: &Table) -> Result<(), Failure> {
    if table.found == table.stated {
        return Ok(());
    }
    let Table { name, stated, found, .. } = table;
    Err(Failure::input(format!("{name} states {stated} affixes, but {found} follow; correct the number")))
}

/// The encoding that the `SET` line names. Reading lines needs it. The `SET` line itself is plain ASCII.
fn find_encoding(bytes: &[u8], file: &Path) -> Result<&'static encoding_rs::Encoding, Failure> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        if let Some(name) = line.strip_prefix(b"SET").filter(|rest| rest.first().is_some_and(u8::is_ascii_whitespace)) {
            let name = String::from_utf8_lossy(name);
            let name = name.split_whitespace().next().unwrap_or_default();
            return encoded_text::encoding(name).map_err(in_line(file, number));
        }
    }
    Ok(encoding_rs::WINDOWS_1252)
}

/// Reads the `FLAG` and `AF` lines, which define how flags are written.
fn read_flag_forms(lines: &[Line<'_>], file: &Path) -> Result<FlagReader, Failure> {
    let mut reader = FlagReader::default();
    for line in lines.iter().filter(|line| line.fields[0] == "FLAG") {
        let name = line.fields.get(1).copied().unwrap_or_default();
        reader = FlagReader::new(FlagForm::named(name).map_err(in_line(file, line.number))?);
    }
    // The first line has the number of the lines that follow.
    for line in lines.iter().filter(|line| line.fields[0] == "AF").skip(1) {
        let set = line.fields.get(1).copied().unwrap_or_default();
        reader.add_alias(set).map_err(in_line(file, line.number))?;
    }
    Ok(reader)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_compared_from_either_side() {
        let cases = [
            (".", "", true, true),
            ("..", "a", false, false),
            ("..", "ab", true, true),
            ("[aeiou]r", "amar", false, true),
            ("[^aeiou]r", "amar", false, false),
            ("[^aeiou]r", "trs", true, false),
            ("[^ab]", "ñu", true, true),
            ("[^ab]", "", false, false),
            ("ñ", "niñ", false, true),
            ("[a-c]", "b", false, false),
            ("[a-c]", "-", true, true),
            ("[^^]", "^", false, false),
            ("[]", "a", false, false),
        ];
        for (condition, word, start, end) in cases {
            let read = Condition::read(condition).unwrap();
            assert_eq!((read.fits_start(word), read.fits_end(word)), (start, end), "{condition} {word}");
        }
    }

    #[test]
    fn an_open_class_is_refused() {
        for text in ["[", "[ab", "a[^", "[a][b"] {
            assert!(Condition::read(text).unwrap_err().message().contains(text));
        }
    }

    #[test]
    fn the_longest_fitting_replacement_wins() {
        let mut conversion = Conversion::default();
        for (from, to) in [("a", "1"), ("aa", "2"), ("_b", "3"), ("b_", "4"), ("_", "x"), ("__", "y")] {
            conversion.add(from, to);
        }
        for (word, read) in [("aaa", "21"), ("bab", "314"), ("ñbñ", "ñbñ"), ("", "")] {
            assert_eq!(conversion.apply(word), read);
        }
    }
}
