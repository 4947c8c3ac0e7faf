//! The result of reading a word list, with the rejected lines.
//!
//! The cache of built graphs on disk.
//!
//! A file is `twgraph` and a format number, the length of a JSON header, the header, the nodes as little-endian u32, and
//! the SHA-256 of everything before it. A file that fails any check is ignored, and the graph is rebuilt.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::graph::{MAX_NODES, Node, WordGraph};
use crate::folder::{FileError, Folder};
use crate::hash::{sha256, sha256_parts};
use crate::input_file::limits;
use crate::tileset::TileSet;

/// The maximum number of rejected lines of a list. Each takes a microsecond, so a list of short lines would take minutes.
pub(super) const MAX_REJECTED: usize = 1_000_000;
/// The maximum number of rejected lines that a report quotes.
const MAX_EXAMPLES: usize = 20;
/// The number of lines that are quoted if most of the rejected ones have the same cure.
const FEW_EXAMPLES: usize = 3;

/// The form in which the lines of a text are read. The default accepts only plain words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LineForm {
    /// The word is the first column of its line, which a space, a comma or a semicolon ends. A tab always ends the word.
    pub first_column: bool,
    /// Letters that the tile set lacks are spelled with letters that it has: `É` as `E`, `Œ` as `OE`.
    pub fold: bool,
}

/// A line that is not a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct RejectedLine {
    /// The 1-based line number, or 0 for a word of a graph.
    pub line: usize,
    /// The text of the line, shortened if very long.
    pub word: String,
    /// Why it is not a word.
    pub reason: String,
}

/// Another form in which rejected lines are words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Cure {
    /// The form.
    pub form: LineForm,
    /// How many of the rejected lines are words in this form.
    pub words: usize,
}

/// The result of reading a word list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WordReport {
    /// The number of distinct words.
    pub words: usize,
    /// The number of repeated words, each repetition counted.
    pub duplicates: usize,
    /// The number of lines that are not words.
    pub rejected: usize,
    /// The first rejected lines.
    pub examples: Vec<RejectedLine>,
    /// The other forms, the simplest first.
    pub cures: [Cure; 3],
}

impl Default for WordReport {
    fn default() -> WordReport {
        let cure = |first_column, fold| Cure { form: LineForm { first_column, fold }, words: 0 };
        let cures = [cure(true, false), cure(false, true), cure(true, true)];
        WordReport { words: 0, duplicates: 0, rejected: 0, examples: Vec::new(), cures }
    }
}

impl WordReport {
    pub(super) fn reject(&mut self, line: usize, word: &str, reason: String) {
        self.rejected += 1;
        if self.examples.len() < MAX_EXAMPLES {
            let word = word.chars().take(40).collect();
            self.examples.push(RejectedLine { line, word, reason });
        }
    }

    /// Returns the simplest form in which most of the rejected lines are words, and at least as many as in any simpler one.
    pub fn cure(&self) -> Option<Cure> {
        let best = self.cures.iter().map(|cure| cure.words).max()?;
        self.cures.iter().copied().find(|cure| cure.words == best && 2 * best > self.rejected)
    }

    /// Returns whether every line was a new word.
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
            let lines = if self.rejected == 1 { "line" } else { "lines" };
            write!(formatter, ", {} {lines} rejected:", self.rejected)?;
        }
        let cure = self.cure();
        let quoted = &self.examples[..self.examples.len().min(if cure.is_some() { FEW_EXAMPLES } else { MAX_EXAMPLES })];
        for RejectedLine { line, word, reason } in quoted {
            // The words of a graph have no lines.
            match line {
                0 => write!(formatter, "\n  {word:?}: {reason}")?,
                _ => write!(formatter, "\n  line {line}: {word:?}: {reason}")?,
            }
        }
        if self.rejected > quoted.len() {
            write!(formatter, "\n  and {} more", self.rejected - quoted.len())?;
        }
        Ok(())
    }
}

const MAGIC: &[u8; 8] = b"twgraph4";

#[derive(Serialize, Deserialize)]
struct Header {
    key: String,
    words_hash: String,
    report: WordReport,
    nodes: u32,
}

/// Returns the hash of everything on which the graph depends.
pub(super) fn key(list: &[u8], form: LineForm, tileset: &TileSet, longest: usize) -> String {
    let rest = format!("{} {longest} {form:?}", tileset.hash());
    sha256_parts([MAGIC.as_slice(), rest.as_bytes(), list])
}

fn file_name(key: &str) -> String {
    format!("{}.graph", &key[..32])
}

/// Reads the graph of `key`. `None` if the file is missing, damaged, of another key, or has a letter beyond `letters`.
pub(super) fn read(folder: &Path, key: &str, letters: u8) -> Option<(WordReport, String, WordGraph)> {
    let bytes = Folder::open(folder).ok()?.read(&file_name(key), limits::TABLE).ok()??;
    let (content, checksum) = bytes.split_at_checked(bytes.len().checked_sub(64)?)?;
    if !content.starts_with(MAGIC) || sha256(content).as_bytes() != checksum {
        return None;
    }
    let length = u32::from_le_bytes(content.get(8..12)?.try_into().ok()?) as usize;
    let header: Header = serde_json::from_slice(content.get(12..12 + length)?).ok()?;
    let nodes = content.get(12 + length..)?;
    if header.key != key || nodes.len() != header.nodes as usize * 4 || header.nodes as usize > MAX_NODES || header.nodes < 2
    {
        return None;
    }
    let nodes = nodes.chunks_exact(4).map(|chunk| Node::from_bytes([chunk[0], chunk[1], chunk[2], chunk[3]])).collect();
    let graph = WordGraph::from_nodes(nodes);
    graph.is_sound(letters).then_some((header.report, header.words_hash, graph))
}

/// Stores the graph of `key`, and clears leftovers of killed processes.
pub(super) fn write(
    folder: &Path,
    key: &str,
    report: &WordReport,
    words_hash: &str,
    graph: &WordGraph,
) -> Result<(), FileError> {
    let folder = Folder::make(folder)?;
    folder.clear_temporary()?;
    let header =
        Header { key: key.into(), words_hash: words_hash.into(), report: report.clone(), nodes: graph.nodes().len() as u32 };
    let Ok(header) = serde_json::to_vec(&header) else { return Ok(()) };
    let mut content = Vec::with_capacity(graph.bytes() + header.len() + 80);
    content.extend_from_slice(MAGIC);
    content.extend_from_slice(&(header.len() as u32).to_le_bytes());
    content.extend_from_slice(&header);
    content.extend(graph.nodes().iter().flat_map(|node| node.to_bytes()));
    let checksum = sha256(&content);
    content.extend_from_slice(checksum.as_bytes());
    folder.write(&file_name(key), &content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;

    #[test]
    fn a_graph_with_a_valid_checksum_and_bad_indices_is_not_used() {
        let english = TileSet::embedded("english").unwrap();
        let graph = Lexicon::from_text("AA\nAB\nCAB\n", &english).unwrap().graph;
        let folder = tempfile::tempdir().unwrap();
        let stored = |change: &dyn Fn(&mut Vec<Node>)| {
            let mut nodes = graph.nodes().to_vec();
            change(&mut nodes);
            let changed = WordGraph::from_nodes(nodes);
            write(folder.path(), &"0".repeat(64), &WordReport::default(), "", &changed).unwrap();
            read(folder.path(), &"0".repeat(64), english.letters()).map(|(_, _, graph)| graph.nodes().to_vec())
        };
        let nodes = graph.nodes().to_vec();
        assert_eq!(stored(&|_| ()), Some(nodes.clone()));
        let inner = nodes.iter().rposition(|node| node.children() > 0).unwrap();
        let last = nodes.len() - 1;
        let change = |place: usize, letter: Option<u8>, is_last: bool, children: Option<u32>| {
            let node = nodes[place];
            let letter = letter.unwrap_or_else(|| node.letter());
            (place, Node::new(letter, node.accepts(), is_last, children.unwrap_or_else(|| node.children())))
        };
        // A child outside the graph, a letter outside the alphabet, and a list that does not end.
        let bad = [
            change(inner, None, nodes[inner].is_last(), Some(nodes.len() as u32)),
            change(last, Some(27), true, None),
            change(last, None, false, None),
        ];
        for (place, node) in bad {
            assert_eq!(stored(&|nodes| nodes[place] = node), None, "{node:?}");
        }
    }
}
