//! The `.aff` file: tables of affixes, and flags with a special meaning.

use std::collections::BTreeMap;
use std::path::Path;

use super::condition::Condition;
use super::conversion::Conversion;
use super::flags::{Flag, FlagForm, FlagReader};
use crate::Failure;
use crate::lexicon::encoded_text::{self, in_line};

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
    /// Whether it combines with affixes on the other side; both must allow it.
    pub is_cross_product: bool,
}

/// `PFX` or `SFX`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Prefix,
    Suffix,
}

/// A table that is being read.
struct Table {
    kind: Kind,
    flag: Flag,
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
    /// Reads a `.aff` file; `file` names it in errors.
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
            "PFX" => self.take_affix(Kind::Prefix, line, table)?,
            "SFX" => self.take_affix(Kind::Suffix, line, table)?,
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
    fn take_affix(&mut self, kind: Kind, line: &Line<'_>, table: &mut Option<Table>) -> Result<(), Failure> {
        let fields = &line.fields;
        let directive = fields[0];
        let fault = |needed: &str| {
            let found = fields[1..].join(" ");
            Failure::input(format!("{directive} needs {needed}; found {found:?}"))
        };
        let flag_text = *fields.get(1).ok_or_else(|| fault("a flag"))?;
        let flag = self.flags.one(flag_text)?;
        let Some(open) = table.as_mut().filter(|open| open.kind == kind && open.flag == flag && open.found < open.stated)
        else {
            table.as_ref().map_or(Ok(()), check_count)?;
            let (Some(&cross @ ("Y" | "N")), Some(Ok(stated))) = (fields.get(2), fields.get(3).map(|text| text.parse()))
            else {
                return Err(fault("Y or N and the number of affixes after its flag, because no table is open"));
            };
            let name = format!("{directive} {flag_text}");
            *table = Some(Table { kind, flag, name, is_cross_product: cross == "Y", stated, found: 0, line: line.number });
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
        let tables = if kind == Kind::Prefix { &mut self.rules.prefixes } else { &mut self.rules.suffixes };
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

/// The encoding that the `SET` line names. Reading lines needs it; the `SET` line itself is plain ASCII.
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
    let mut is_count = true;
    for line in lines.iter().filter(|line| line.fields[0] == "FLAG") {
        let name = line.fields.get(1).copied().unwrap_or_default();
        reader = FlagReader::new(FlagForm::named(name).map_err(in_line(file, line.number))?);
    }
    for line in lines.iter().filter(|line| line.fields[0] == "AF") {
        // The first line has the number of the lines that follow.
        if !std::mem::take(&mut is_count) {
            let set = line.fields.get(1).copied().unwrap_or_default();
            reader.add_alias(set).map_err(in_line(file, line.number))?;
        }
    }
    Ok(reader)
}
