//! The KWG file format of word graphs, shared with wolges, Macondo and MAGPIE.
//!
//! A file is an array of little-endian u32 nodes: bits 0–21 are the index of the first child, bit 22 marks the last node of
//! a list, bit 23 the end of a word, and bits 24–31 are the letter. Node 0 points to the root list of the DAWG, node 1 to
//! the root list of the GADDAG.

use thiserror::Error;

use super::dawg::{PackedWord, check_length};
use super::graph::{Node, WordGraph};
use super::word_report::MAX_REJECTED;

/// The maximum number of nodes of a file, which 22 bits can address.
pub(crate) const MAX_KWG_NODES: usize = 1 << 22;
/// The maximum number of words that are read: more than any lexicon has.
pub(super) const MAX_WORDS: usize = 30_000_000;

/// Why bytes are not a word graph, or why a graph cannot be written as KWG.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KwgError {
    #[error("{bytes} bytes; the size of a word graph is a multiple of 4, and at least 8")]
    Size { bytes: usize },
    #[error(
        "{nodes} nodes; a .kwg file holds at most {MAX_KWG_NODES}. This lexicon works here, but cannot be exported to .kwg"
    )]
    TooLarge { nodes: usize },
    #[error("node {node} points outside the file's {nodes} nodes")]
    Outside { node: usize, nodes: usize },
    #[error("node {node} has letter {letter}, but the tile set has {letters} letters; is the file for another language?")]
    Letter { node: usize, letter: u8, letters: u8 },
    #[error("the graph is circular, or spells more than {MAX_WORDS} words or {MAX_REJECTED} that fit on no board")]
    Endless,
}

/// Writes the nodes of a graph as KWG bytes. The graph of a leave table has no GADDAG.
///
/// # Errors
/// [`KwgError::TooLarge`].
pub fn write(nodes: &[Node]) -> Result<Vec<u8>, KwgError> {
    if nodes.len() > MAX_KWG_NODES {
        return Err(KwgError::TooLarge { nodes: nodes.len() });
    }
    let pack = |node: &Node| {
        u32::from(node.letter()) << 24 | u32::from(node.accepts()) << 23 | u32::from(node.is_last()) << 22 | node.children()
    };
    Ok(nodes.iter().flat_map(|node| pack(node).to_le_bytes()).collect())
}

/// Reads a graph with letters 0 to `letters` and checks that every index is inside the file. It does not check that the
/// graph has no cycles.
///
/// # Errors
/// [`KwgError`] with the invalid node.
pub fn read(bytes: &[u8], letters: u8) -> Result<WordGraph, KwgError> {
    if !bytes.len().is_multiple_of(4) || bytes.len() < 8 {
        return Err(KwgError::Size { bytes: bytes.len() });
    }
    let count = bytes.len() / 4;
    if count > MAX_KWG_NODES {
        return Err(KwgError::TooLarge { nodes: count });
    }
    let mut nodes = Vec::with_capacity(count);
    for (index, chunk) in bytes.chunks_exact(4).enumerate() {
        let raw = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
        let (letter, children) = ((raw >> 24) as u8, raw & (MAX_KWG_NODES as u32 - 1));
        if letter > letters {
            return Err(KwgError::Letter { node: index, letter, letters });
        }
        if children as usize >= count {
            return Err(KwgError::Outside { node: index, nodes: count });
        }
        nodes.push(Node::new(letter, raw >> 23 & 1 == 1, raw >> 22 & 1 == 1, children));
    }
    // If the last node ends a list, every list ends inside the file.
    if count > 2 && !nodes[count - 1].is_last() {
        return Err(KwgError::Outside { node: count - 1, nodes: count });
    }
    Ok(WordGraph::from_nodes(nodes))
}

/// Reads the words of the DAWG in order. Words that do not fit a board of `longest` squares are passed to `reject`.
///
/// # Errors
/// [`KwgError`], in particular for a graph with cycles.
pub(super) fn words(
    bytes: &[u8],
    letters: u8,
    longest: usize,
    reject: &mut impl FnMut(&[u8], String),
) -> Result<Vec<PackedWord>, KwgError> {
    let graph = read(bytes, letters)?;
    let mut words = Vec::new();
    let mut budget = MAX_WORDS * 4;
    let mut rejected = 0;
    let complete = graph.visit_words(&mut budget, &mut |word| {
        let separated = if word.contains(&0) { Err("it contains a separator".into()) } else { Ok(()) };
        match separated.and_then(|()| check_length(word.len(), longest)) {
            Ok(()) => words.push(PackedWord::new(word.iter().copied())),
            Err(reason) => {
                reject(word, reason);
                rejected += 1;
            }
        }
        words.len() <= MAX_WORDS && rejected <= MAX_REJECTED
    });
    if complete { Ok(words) } else { Err(KwgError::Endless) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Lexicon, LineForm};
    use crate::tileset::TileSet;

    #[test]
    fn a_graph_is_read_as_written_and_its_nodes_have_the_published_layout() {
        let english = TileSet::embedded("english").unwrap();
        let lexicon = Lexicon::load("enable2k", LineForm::default(), &english, 15, None).unwrap();
        let bytes = write(lexicon.graph.nodes()).unwrap();
        let again = read(&bytes, 26).unwrap();
        assert_eq!(again, lexicon.graph);
        assert_eq!(write(again.nodes()).unwrap(), bytes);
        let node = |index: usize| u32::from_le_bytes(bytes[4 * index..4 * index + 4].try_into().unwrap());
        // AA is the first word: the first node of the DAWG's root list is A, its first child accepts.
        let a = node((node(0) & 0x3f_ffff) as usize);
        assert_eq!((a >> 24, a >> 23 & 1, a >> 22 & 1), (1, 0, 0));
        let aa = node((a & 0x3f_ffff) as usize);
        assert_eq!((aa >> 24, aa >> 23 & 1), (1, 1));
        let list = words(&bytes, 26, 15, &mut |_, _| panic!("every word fits")).unwrap();
        assert_eq!(list.len(), lexicon.report.words);
    }

    /// Levels of A and B, all of them words: two nodes for each power of two.
    #[test]
    fn a_small_graph_of_many_long_words_is_refused_soon() {
        let mut nodes = vec![[2, 0, 1, 0], [2, 0, 1, 0]];
        for level in 0..60 {
            let below = if level == 59 { 0 } else { 4 + 2 * level };
            nodes.extend([[below, 1, 0, 1], [below, 1, 1, 2]]);
        }
        let pack = |[children, accepts, is_last, letter]: [u32; 4]| letter << 24 | accepts << 23 | is_last << 22 | children;
        let bytes: Vec<u8> = nodes.into_iter().flat_map(|node| pack(node).to_le_bytes()).collect();
        let mut rejected = 0;
        assert!(matches!(words(&bytes, 26, 15, &mut |_, _| rejected += 1), Err(KwgError::Endless)));
        assert_eq!(rejected, MAX_REJECTED + 1);
    }

    #[test]
    fn damaged_graphs_are_refused() {
        let english = TileSet::embedded("english").unwrap();
        let lexicon = Lexicon::from_text("CARE\nCARES\nAB\n", &english).unwrap();
        let good = write(lexicon.graph.nodes()).unwrap();
        assert!(matches!(read(&good[..9], 26), Err(KwgError::Size { bytes: 9 })));
        assert!(matches!(read(&good, 2), Err(KwgError::Letter { letters: 2, .. })));
        let mut far = good.clone();
        far[10] |= 0x3f;
        assert!(matches!(read(&far, 26), Err(KwgError::Outside { node: 2, .. })));
        let (mut past, nodes) = (good.clone(), good.len() / 4);
        past[8..11].copy_from_slice(&[nodes as u8, 0, good[10] & 0xc0]);
        assert_eq!(read(&past, 26).unwrap_err(), KwgError::Outside { node: 2, nodes });
        let mut looped = good.clone();
        looped[8..11].copy_from_slice(&[2, 0, 0x40]);
        assert_eq!(words(&looped, 26, 15, &mut |_, _| ()).unwrap_err(), KwgError::Endless);
    }

    #[test]
    fn the_reader_never_panics() {
        use rand::{Rng, RngExt};
        let english = TileSet::embedded("english").unwrap();
        let lexicon = Lexicon::from_text("CARE\nCARES\nAB\nBA\n", &english).unwrap();
        let good = write(lexicon.graph.nodes()).unwrap();
        for index in 0..2000 {
            let mut stream = crate::rng::stream(9, "fuzz", index);
            let mut bytes = good.clone();
            for _ in 0..stream.random_range(1..6) {
                let at = stream.random_range(0..bytes.len());
                bytes[at] = stream.next_u32() as u8;
            }
            bytes.truncate(stream.random_range(0..=bytes.len()));
            let _ = words(&bytes, 26, 15, &mut |_, _| ());
        }
    }
}
