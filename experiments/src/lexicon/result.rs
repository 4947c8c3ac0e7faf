//! The results of the verbs on word lists as text and JSON.

use std::fmt;

use serde::Serialize;
use tilewright_engine::lexicon::{EMBEDDED_NAME, Lexicon, WordReport};
use tilewright_engine::tileset::TileSet;

use super::flags::LexiconFormat;
use crate::flags::CommonFlags;
use crate::output::Written;

/// A word list and what was found in it.
#[derive(Serialize)]
pub struct List<'a> {
    /// The list as the user named it.
    #[serde(rename = "list")]
    pub name: &'a str,
    /// The name of the tile set.
    pub tileset: &'a str,
    /// The words, and the lines that are none.
    #[serde(flatten)]
    pub report: &'a WordReport,
}

impl<'a> List<'a> {
    /// The list that the flags name.
    pub fn new(flags: &'a CommonFlags, tileset: &'a TileSet, lexicon: &'a Lexicon) -> List<'a> {
        let name = flags.game.lexicon.as_deref().unwrap_or(EMBEDDED_NAME);
        List { name, tileset: tileset.name(), report: &lexicon.report }
    }
}

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} tile set): {}", self.name, self.tileset, self.report)
    }
}

/// The size of a word graph.
#[derive(Serialize)]
pub struct GraphSize {
    graph_nodes: usize,
    graph_bytes: usize,
}

impl GraphSize {
    /// The size of a lexicon's graph.
    pub fn new(lexicon: &Lexicon) -> GraphSize {
        GraphSize { graph_nodes: lexicon.graph.nodes().len(), graph_bytes: lexicon.graph.bytes() }
    }
}

impl fmt::Display for GraphSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "word graph: {} nodes, {:.1} MB", self.graph_nodes, self.graph_bytes as f64 / 1e6)
    }
}

/// The content of an exported file.
#[derive(Serialize)]
pub struct ExportedWords {
    /// Words in the file.
    pub words: usize,
    /// Its format.
    pub format: LexiconFormat,
}

impl fmt::Display for ExportedWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match self.format {
            LexiconFormat::Kwg => "as a word graph",
            LexiconFormat::Txt => "one per line",
        };
        write!(f, "{} words, {form}", self.words)
    }
}

/// The result of `lexicon build`.
#[derive(Serialize)]
pub struct Built<'a> {
    /// The list.
    #[serde(flatten)]
    pub list: List<'a>,
    /// Its graph.
    #[serde(flatten)]
    pub graph: GraphSize,
    /// Whether the graph came from the cache.
    pub graph_cached: bool,
    /// The time to load the list and to build the graph.
    pub seconds: f64,
    /// A hash of the words.
    pub hash: &'a str,
    /// The file of `--out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<Written<ExportedWords>>,
}

impl fmt::Display for Built<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = if self.graph_cached { "from the cache" } else { "built" };
        writeln!(f, "{}\n{}, {from} in {:.2} s", self.list, self.graph, self.seconds)?;
        write!(f, "hash: {}", self.hash)?;
        self.written.iter().try_for_each(|written| write!(f, "\n{written}"))
    }
}

/// The result of `lexicon check`: the words that were looked up, or else the list itself.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Check<'a> {
    /// The list itself.
    List(List<'a>),
    /// Words that were looked up.
    Words {
        /// The list as the user named it.
        list: &'a str,
        /// The name of the tile set.
        tileset: &'a str,
        /// The words in the order of the command line.
        checked: Vec<CheckedWord>,
    },
}

/// A word that was looked up.
#[derive(Serialize)]
pub struct CheckedWord {
    /// The word, as tiles spell it.
    pub word: String,
    /// Whether it is in the list.
    pub valid: bool,
}

impl Check<'_> {
    /// Whether every word is valid, or every line of the list a word.
    pub fn is_valid(&self) -> bool {
        match self {
            Check::List(list) => list.report.is_clean(),
            Check::Words { checked, .. } => checked.iter().all(|checked| checked.valid),
        }
    }
}

impl fmt::Display for Check<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Check::List(List { name, report, .. }) => write!(f, "{name}: {report}"),
            Check::Words { checked, .. } => {
                let line = |CheckedWord { word, valid }: &CheckedWord| {
                    format!("{word} {}", if *valid { "valid" } else { "not valid" })
                };
                f.write_str(&checked.iter().map(line).collect::<Vec<_>>().join("\n"))
            }
        }
    }
}

/// The result of `lexicon stats`.
#[derive(Serialize)]
pub struct Stats<'a> {
    /// The list.
    #[serde(flatten)]
    pub list: List<'a>,
    /// Its graph.
    #[serde(flatten)]
    pub graph: GraphSize,
    /// The words by length, without lengths that have none.
    pub by_length: Vec<LengthCount>,
    /// The letters of the tile set.
    pub letters: Vec<LetterCount<'a>>,
}

/// The words of a length.
#[derive(Serialize)]
pub struct LengthCount {
    /// Tiles per word.
    pub tiles: usize,
    /// Words of this length.
    pub words: usize,
}

/// A letter in the words and in the bag.
#[derive(Serialize)]
pub struct LetterCount<'a> {
    /// The label of the tile.
    pub letter: &'a str,
    /// Share of the letters of all words, 0–1.
    pub share: f64,
    /// Tiles in the bag.
    pub count: u8,
    /// Points of the tile.
    pub value: u8,
}

impl fmt::Display for Stats<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n\ntiles    words", self.list, self.graph)?;
        for LengthCount { tiles, words } in &self.by_length {
            write!(f, "\n{tiles:>5} {words:>8}")?;
        }
        write!(f, "\n\nletter  in words  in bag  value")?;
        for LetterCount { letter, share, count, value } in &self.letters {
            write!(f, "\n{letter:<6} {:>8.2} %  {count:>6} {value:>6}", 100.0 * share)?;
        }
        Ok(())
    }
}
