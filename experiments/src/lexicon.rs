//! `lexicon build`, `check`, `stats`, `export` and `expand`: word lists and word graphs.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use clap::ValueEnum;
use serde::Serialize;
use tilewright_engine::lexicon::{EMBEDDED_NAME, Lexicon, LineForm, WordReport, kwg};
use tilewright_engine::tileset::{Style, TileSet};

use crate::failure::words_and_remedy;
use crate::output::{self, NewFile, Written};
use crate::{Failure, Input, loading};

pub mod flags;
mod encoded_text;
mod hunspell;
mod spelling;
pub mod expand;

use flags::{
    LexiconBuildArguments, LexiconCheckArguments, LexiconExportArguments, LexiconFormat, LexiconStatsArguments, LexiconVerb,
    ListFlags,
};

/// Runs a verb on word lists. `check` returns exit code 1 if something is invalid.
pub fn run(verb: &LexiconVerb) -> Result<ExitCode, Failure> {
    match verb {
        LexiconVerb::Build(arguments) => build(arguments),
        LexiconVerb::Check(arguments) => return check(arguments),
        LexiconVerb::Stats(arguments) => stats(arguments),
        LexiconVerb::Export(arguments) => export(arguments),
        LexiconVerb::Expand(arguments) => expand::run(arguments),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// Loads the tile set and the lexicon. The verbs report rejected lines themselves.
fn load(list: &ListFlags) -> Result<(TileSet, Lexicon), Failure> {
    let ListFlags { flags, first_column, fold } = list;
    loading::start_threads(flags.threads)?;
    let (tileset, layout) = loading::tileset_and_layout(flags.game.tileset_name())?;
    let form = LineForm { first_column: *first_column, fold: *fold };
    let lexicon = loading::lexicon_as(form, &flags.game, &tileset, &layout)?;
    Ok((tileset, lexicon))
}

pub fn build(arguments: &LexiconBuildArguments) -> Result<(), Failure> {
    let format = arguments.save.as_deref().map(|path| format_of(path, arguments.format)).transpose()?;
    let [out, json] = arguments.json.files(arguments.save.as_deref())?;
    let begun = Instant::now();
    let (tileset, lexicon) = load(&arguments.list)?;
    let seconds = begun.elapsed().as_secs_f64();
    loading::warn_of_unused_letters(&lexicon, &tileset, &arguments.list.flags.game);
    let built = Built {
        list: List::new(&arguments.list, &tileset, &lexicon),
        graph: GraphSize::new(&lexicon),
        graph_cached: lexicon.cached,
        seconds,
        hash: &lexicon.hash,
        written: format.map(|format| write(&tileset, &lexicon, format, out)).transpose()?.flatten(),
    };
    output::show(&built, json)
}

fn format_of(path: &Path, format: Option<LexiconFormat>) -> Result<LexiconFormat, Failure> {
    output::format_of(path, format, ".kwg or .txt", |extension| LexiconFormat::from_str(extension, false).ok())
}

/// `lexicon check`. The exit code is 1 if a word is invalid or the list has rejected lines.
pub fn check(arguments: &LexiconCheckArguments) -> Result<ExitCode, Failure> {
    let [out, json] = arguments.json.files(arguments.save.as_deref())?;
    let (tileset, lexicon) = load(&arguments.list)?;
    let list = List::new(&arguments.list, &tileset, &lexicon);
    let check = if arguments.words.is_empty() {
        Check::List(list)
    } else {
        loading::warn_of_rejected_lines(&lexicon, &arguments.list.flags.game);
        let checked = arguments.words.iter().map(|word| look_up(word, &tileset, &lexicon));
        Check::Words { list: list.name, tileset: list.tileset, checked: checked.collect::<Result<_, _>>()? }
    };
    output::show_in(&check, out, json)?;
    Ok(ExitCode::from(u8::from(!check.is_valid())))
}

fn look_up(word: &str, tileset: &TileSet, lexicon: &Lexicon) -> Result<CheckedWord, Failure> {
    let tiles = tileset.parse(&word.to_uppercase(), Style::Greedy);
    let tiles = tiles.map_err(|bad| Failure::input(format!("word {word:?}, {bad} ({})", tileset.name())))?;
    let letters: Vec<u8> = tiles.iter().map(|tile| tile.letter()).collect();
    Ok(CheckedWord { word: tileset.show_all(&tiles), valid: lexicon.graph.contains(&letters) })
}

pub fn stats(arguments: &LexiconStatsArguments) -> Result<(), Failure> {
    let [out, json] = arguments.json.files(arguments.save.as_deref())?;
    let (tileset, lexicon) = load(&arguments.list)?;
    loading::warn_of_unused_letters(&lexicon, &tileset, &arguments.list.flags.game);
    let mut by_length = [0usize; 64];
    let mut by_letter = vec![0usize; tileset.kinds().len()];
    lexicon.graph.for_each_word(|word| {
        by_length[word.len()] += 1;
        for &letter in word {
            by_letter[letter as usize] += 1;
        }
    });
    let all: usize = by_letter.iter().sum();
    let by_length = (0..).zip(by_length).filter(|&(_, words)| words > 0);
    let by_length = by_length.map(|(tiles, words)| LengthCount { tiles, words });
    let letters = tileset.kinds().iter().zip(&by_letter).skip(1).map(|(kind, &times)| {
        let share = times as f64 / all.max(1) as f64;
        LetterCount { letter: &kind.label, share, count: kind.count, value: kind.value }
    });
    let stats = Stats {
        list: List::new(&arguments.list, &tileset, &lexicon),
        graph: GraphSize::new(&lexicon),
        by_length: by_length.collect(),
        letters: letters.collect(),
    };
    output::show_in(&stats, out, json)
}

pub fn export(arguments: &LexiconExportArguments) -> Result<(), Failure> {
    let format = format_of(&arguments.save, arguments.format)?;
    let [out, json] = arguments.json.files(Some(&arguments.save))?;
    let (tileset, lexicon) = load(&arguments.list)?;
    loading::warn_of_rejected_lines(&lexicon, &arguments.list.flags.game);
    let written = write(&tileset, &lexicon, format, out)?;
    written.iter().try_for_each(|written| output::show(written, json))
}

fn write(
    tileset: &TileSet,
    lexicon: &Lexicon,
    format: LexiconFormat,
    out: NewFile<'_>,
) -> Result<Option<Written<ExportedWords>>, Failure> {
    let (bytes, form) = match format {
        LexiconFormat::Kwg => (kwg::write(lexicon.graph.nodes()).input()?, "as a word graph"),
        LexiconFormat::Txt => {
            let mut text = String::new();
            lexicon.graph.for_each_word(|word| {
                text += &tileset.spell(word);
                text.push('\n');
            });
            (text.into_bytes(), "one per line")
        }
    };
    let words = lexicon.report.words;
    out.export(bytes, ExportedWords { words, format }, format!("{words} words, {form}"))
}

/// A word list with its counts.
#[derive(schemars::JsonSchema, Serialize)]
pub struct List<'a> {
    /// The list as the user named it.
    #[serde(rename = "list")]
    name: &'a str,
    tileset: &'a str,
    /// The words, and the lines that are none.
    #[serde(flatten)]
    report: &'a WordReport,
}

impl<'a> List<'a> {
    fn new(list: &'a ListFlags, tileset: &'a TileSet, lexicon: &'a Lexicon) -> List<'a> {
        let name = list.flags.game.lexicon.as_deref().unwrap_or(EMBEDDED_NAME);
        List { name, tileset: tileset.name(), report: &lexicon.report }
    }
}

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} tile set): {}", self.name, self.tileset, words_and_remedy(self.report))
    }
}

#[derive(schemars::JsonSchema, Serialize)]
struct GraphSize {
    graph_nodes: usize,
    graph_bytes: usize,
}

impl GraphSize {
    fn new(lexicon: &Lexicon) -> GraphSize {
        GraphSize { graph_nodes: lexicon.graph.nodes().len(), graph_bytes: lexicon.graph.bytes() }
    }
}

impl fmt::Display for GraphSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "word graph: {} nodes, {:.1} MB", self.graph_nodes, self.graph_bytes as f64 / 1e6)
    }
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct ExportedWords {
    words: usize,
    format: LexiconFormat,
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct Built<'a> {
    #[serde(flatten)]
    list: List<'a>,
    #[serde(flatten)]
    graph: GraphSize,
    graph_cached: bool,
    /// The time to load the list and to build the graph.
    seconds: f64,
    hash: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<Written<ExportedWords>>,
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
#[derive(schemars::JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Check<'a> {
    List(List<'a>),
    /// Words that were looked up.
    Words {
        list: &'a str,
        tileset: &'a str,
        /// The words in the order of the command line.
        checked: Vec<CheckedWord>,
    },
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct CheckedWord {
    word: String,
    valid: bool,
}

impl Check<'_> {
    /// Whether every word is valid, or every line of the list a word.
    fn is_valid(&self) -> bool {
        match self {
            Check::List(list) => list.report.is_clean(),
            Check::Words { checked, .. } => checked.iter().all(|checked| checked.valid),
        }
    }
}

impl fmt::Display for Check<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Check::List(List { name, report, .. }) => write!(f, "{name}: {}", words_and_remedy(report)),
            Check::Words { checked, .. } => {
                let line = |CheckedWord { word, valid }: &CheckedWord| {
                    format!("{word} {}", if *valid { "valid" } else { "not valid" })
                };
                f.write_str(&checked.iter().map(line).collect::<Vec<_>>().join("\n"))
            }
        }
    }
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct Stats<'a> {
    #[serde(flatten)]
    list: List<'a>,
    #[serde(flatten)]
    graph: GraphSize,
    /// The words by length, without lengths that have none.
    by_length: Vec<LengthCount>,
    letters: Vec<LetterCount<'a>>,
}

#[derive(schemars::JsonSchema, Serialize)]
struct LengthCount {
    tiles: usize,
    words: usize,
}

#[derive(schemars::JsonSchema, Serialize)]
struct LetterCount<'a> {
    /// The label of the tile.
    letter: &'a str,
    /// Share of the letters of all words, 0–1.
    share: f64,
    /// Tiles in the bag.
    count: u8,
    /// Points of the tile.
    value: u8,
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
