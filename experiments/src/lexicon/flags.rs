//! The flags of `lexicon`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::flags::{GameArguments, RunArguments};

/// Verbs on word lists.
#[derive(Debug, Subcommand)]
pub enum LexiconVerb {
    /// Build the word graph, tell what was left out, and keep the graph for the next start
    Build(LexiconBuildArguments),
    /// Say whether words are valid; without words, check the list itself. Exit code 1 if something is not
    Check(LexiconCheckArguments),
    /// Words by length, letters, size of the graph
    Stats(LexiconStatsArguments),
    /// Write the word graph for other tools
    Export(LexiconExportArguments),
    /// Make a word list of a hunspell dictionary and of lists of other kinds
    Expand(LexiconExpandArguments),
}

/// A lexicon and nothing else.
#[derive(Debug, Args)]
pub struct LexiconArguments {
    /// What to look at.
    #[command(flatten)]
    pub game: GameArguments,
    /// How to run.
    #[command(flatten)]
    pub run: RunArguments,
}

/// `lexicon build`.
#[derive(Debug, Args)]
pub struct LexiconBuildArguments {
    /// What to build.
    #[command(flatten)]
    pub lexicon: LexiconArguments,
    /// The form to write to --out
    #[arg(long, value_enum, default_value = "kwg", requires = "out")]
    pub format: LexiconFormat,
    /// Also write the lexicon to this file, for other tools; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `lexicon check`.
#[derive(Debug, Args)]
pub struct LexiconCheckArguments {
    /// What to check against.
    #[command(flatten)]
    pub lexicon: LexiconArguments,
    /// Words to look up
    pub words: Vec<String>,
    /// Also write what is printed to this file; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `lexicon stats`.
#[derive(Debug, Args)]
pub struct LexiconStatsArguments {
    /// What to count.
    #[command(flatten)]
    pub lexicon: LexiconArguments,
    /// Also write what is printed to this file; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `lexicon export`.
#[derive(Debug, Args)]
pub struct LexiconExportArguments {
    /// What to export.
    #[command(flatten)]
    pub lexicon: LexiconArguments,
    /// The form to write
    #[arg(long, value_enum, default_value = "kwg")]
    pub format: LexiconFormat,
    /// The file to write; never overwritten
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// `lexicon expand`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("source").args(["dictionary", "words"]).multiple(true).required(true))]
pub struct LexiconExpandArguments {
    /// Tile set that must spell the words: a name or a TOML file
    #[arg(long, value_name = "NAME|FILE")]
    pub tileset: String,
    /// Hunspell dictionary, whose words are expanded
    #[arg(long, value_name = "FILE.dic")]
    pub dictionary: Option<PathBuf>,
    /// Its affixes [default: the .aff file beside it]
    #[arg(long, value_name = "FILE.aff", requires = "dictionary")]
    pub affixes: Option<PathBuf>,
    /// Affixes of the dictionary to make no words with, by their flags
    #[arg(long, value_name = "FLAGS", requires = "dictionary")]
    pub leave_out_affixes: Option<String>,
    /// Leave out Spanish verb forms with these pronouns behind them, such as me,te,se,lo
    #[arg(long, value_name = "PRONOUNS", value_delimiter = ',')]
    pub leave_out_enclitics: Vec<String>,
    /// Keep capitalised words whose stem has this flag, as common nouns, and those of plain lists that the dictionary does not
    /// have; without it all are left out as proper nouns
    #[arg(long, value_name = "FLAG", requires = "dictionary")]
    pub noun_flag: Option<String>,
    /// Plain list of words, one a line; may be given several times
    #[arg(long, value_name = "FILE")]
    pub words: Vec<PathBuf>,
    /// Encoding of the plain lists, such as ISO8859-2; a dictionary names its own
    #[arg(long, value_name = "NAME", default_value = "UTF-8")]
    pub encoding: String,
    /// Spell letters that the tile set lacks with those that it has: É as E, Œ as OE. Without it their words are left out
    #[arg(long)]
    pub fold_letters: bool,
    /// Leave out words without a vowel, as the tile set marks them: abbreviations, and interjections such as PST
    #[arg(long)]
    pub need_vowel: bool,
    /// The list to write, gzipped if it is called .gz; never overwritten. Without it only the counts are told
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Forms of a lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LexiconFormat {
    /// The word graph of wolges, Macondo and MAGPIE
    Kwg,
    /// One word a line
    Txt,
}
