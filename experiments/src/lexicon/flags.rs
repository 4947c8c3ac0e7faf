//! The flags of `lexicon`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use crate::flags::{JsonFlag, ReadFlags};

#[derive(Debug, Subcommand)]
pub enum LexiconVerb {
    /// Build the word graph, report the words that were left out, and cache the graph
    Build(LexiconBuildArguments),
    /// Check whether words are valid. Without words, check the list itself. The exit code is 1 if something is invalid
    Check(LexiconCheckArguments),
    /// Count words by length and letters, and the size of the graph
    Stats(LexiconStatsArguments),
    /// Write the words, as a word graph for other tools or as text
    Export(LexiconExportArguments),
    /// Make a word list from a Hunspell dictionary and plain lists
    Expand(LexiconExpandArguments),
}

/// The list that is read.
#[derive(Debug, Args)]
pub struct ListFlags {
    #[command(flatten)]
    pub flags: ReadFlags,
    /// Read the first column of each line, up to a space, a comma or a semicolon. A tab always ends the word
    #[arg(long)]
    pub first_column: bool,
    /// Spell letters that the tile set lacks with letters that it has: É as E, Œ as OE
    #[arg(long)]
    pub fold: bool,
}

#[derive(Debug, Args)]
pub struct LexiconBuildArguments {
    #[command(flatten)]
    pub list: ListFlags,
    /// Format of --save [default: by its extension, .kwg or .txt]
    #[arg(long, value_enum, requires = "save")]
    pub format: Option<LexiconFormat>,
    /// Also write the lexicon to a new file, gzipped if its name ends in .gz
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Debug, Args)]
pub struct LexiconCheckArguments {
    #[command(flatten)]
    pub list: ListFlags,
    /// Words to look up [default: none, the list is checked]
    pub words: Vec<String>,
    /// Also write the output to a new file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Debug, Args)]
pub struct LexiconStatsArguments {
    #[command(flatten)]
    pub list: ListFlags,
    /// Also write the output to a new file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Debug, Args)]
pub struct LexiconExportArguments {
    #[command(flatten)]
    pub list: ListFlags,
    /// Format to write [default: by the extension of --save, .kwg or .txt]
    #[arg(long, value_enum)]
    pub format: Option<LexiconFormat>,
    /// New file to write, gzipped if its name ends in .gz
    #[arg(long, value_name = "FILE")]
    pub save: PathBuf,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("source").args(["dictionary", "words"]).multiple(true).required(true))]
pub struct LexiconExpandArguments {
    /// Tile set that spells the words: a name or a TOML file
    #[arg(long, value_name = "NAME|FILE")]
    pub tileset: String,
    /// Hunspell dictionary to expand
    #[arg(long, value_name = "FILE.dic")]
    pub dictionary: Option<PathBuf>,
    /// Affixes of the dictionary [default: the .aff file next to it]
    #[arg(long, value_name = "FILE.aff", requires = "dictionary")]
    pub affixes: Option<PathBuf>,
    /// Flags of affixes that are not applied [default: none]
    #[arg(long, value_name = "FLAGS", requires = "dictionary")]
    pub leave_out_affixes: Option<String>,
    /// Leave out Spanish verb forms that end in these pronouns, such as me,te,se,lo
    #[arg(long, value_name = "PRONOUNS", value_delimiter = ',')]
    pub leave_out_enclitics: Vec<String>,
    /// Keep capitalised words whose stem has this flag (common nouns), and capitalised words of plain lists that the
    /// dictionary does not have. By default all capitalised words are left out as proper nouns
    #[arg(long, value_name = "FLAG", requires = "dictionary")]
    pub noun_flag: Option<String>,
    /// Plain list of words, one per line. May be repeated
    #[arg(long, value_name = "FILE")]
    pub words: Vec<PathBuf>,
    /// Encoding of the plain lists, such as ISO8859-2. A dictionary names its own
    #[arg(long, value_name = "NAME", default_value = "UTF-8")]
    pub encoding: String,
    /// Spell letters that the tile set lacks with letters that it has: É as E, Œ as OE. By default such words are left out
    #[arg(long)]
    pub fold: bool,
    /// Leave out words without a vowel of the tile set: abbreviations, and interjections such as PST
    #[arg(long)]
    pub need_vowel: bool,
    /// New file for the list, gzipped if its name ends in .gz. Without it only the counts are printed
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, schemars::JsonSchema, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum LexiconFormat {
    /// The word graph of wolges, Macondo and MAGPIE
    Kwg,
    /// One word per line
    Txt,
}
