//! Word lists and word graphs.

use std::io::Write;
use std::path::Path;

use tilewright_engine::hash::sha256;
use tilewright_engine::layout::MAX_SIDE;
use tilewright_engine::lexicon::{Lexicon, LineForm, WordList, kwg};
use tilewright_engine::tileset::TileSet;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::games_setup::{WORDS, forever, spanish};
use crate::target::{Subject, gzip, headed, message, split_head};

fn list(bytes: &[u8], path: &str, tileset: &TileSet, form: LineForm) -> Result<WordList, String> {
    WordList::from_bytes(bytes, Path::new(path), tileset, MAX_SIDE, form).map_err(message)
}

fn zip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    packed.start_file("words.txt", SimpleFileOptions::default()).expect("memory");
    packed.write_all(bytes).expect("memory");
    packed.finish().expect("memory").into_inner()
}

/// The head says how lines are read: `c` takes the first column, `f` folds letters.
pub fn lists() -> Subject {
    let setup = spanish();
    let utf16: Vec<u8> = [0xfeff].into_iter().chain(WORDS.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let meanings = "CHE;hey\nPERRO, dog\nÉS is\n\tnone\ncalle\tstreet\n";
    let seeds = [
        headed("", WORDS),
        headed("cf", meanings),
        headed("", utf16),
        headed("", gzip(WORDS.as_bytes())),
        headed("f", zip(WORDS.as_bytes())),
    ];
    Subject::new(seeds, move |bytes| {
        let (head, rest) = split_head(bytes)?;
        let form = LineForm { first_column: head.contains('c'), fold: head.contains('f') };
        let tileset = &setup.tileset;
        let read = list(rest, "words.txt", tileset, form)?;
        let spelled = read.words.iter().map(|word| tileset.spell(&word.letters().collect::<Vec<_>>()) + "\n");
        let text: String = spelled.collect();
        let again = list(text.as_bytes(), "words.txt", tileset, LineForm::default())?;
        assert!(again.words == read.words && again.report.is_clean(), "{text}");
        Ok(read.words.len() + 8 * read.report.cures.len())
    })
    .with_fragments(&["c\n", "f\n", "CHE\n", "É", "Œ", "\tx", ";", "LL", "-", "’"])
}

pub fn kwg() -> Subject {
    let setup = spanish();
    let graph = kwg::write(setup.lexicon.graph.nodes()).expect("a small graph");
    Subject::new([graph], move |bytes| {
        let graph = kwg::read(bytes, setup.tileset.letters()).map_err(message)?;
        assert_eq!(kwg::write(graph.nodes()).as_deref(), Ok(bytes));
        Ok(list(bytes, "words.kwg", &setup.tileset, LineForm::default())?.words.len())
    })
}

pub fn cache() -> Subject {
    let (setup, folder) = (spanish(), forever(tempfile::tempdir().expect("a temporary folder")));
    let (words, cache) = (folder.path().join("words.txt"), folder.path().join("cache"));
    std::fs::write(&words, WORDS).expect("a temporary folder");
    let words = words.to_string_lossy().into_owned();
    let lexicon_letters = setup.tileset.letters();
    let load = move || Lexicon::load(&words, LineForm::default(), &setup.tileset, MAX_SIDE, Some(&cache)).map_err(message);
    load().expect("a list that is read");
    let mut files = std::fs::read_dir(folder.path().join("cache")).expect("a cache");
    let file = files.next().and_then(Result::ok).expect("a cached graph").path();
    let seed = std::fs::read(&file).expect("a cached graph");
    Subject::new([seed], move |bytes| {
        std::fs::write(&file, bytes).map_err(message)?;
        let lexicon = load()?;
        // Its words need not be those of the list, but each walk ends.
        let (graph, letters) = (&lexicon.graph, 0..=lexicon_letters);
        for root in [graph.dawg_root(), graph.gaddag_root()] {
            for first in letters.clone() {
                letters.clone().for_each(|second| {
                    let _ = graph.walk(root, [first, second, 1, 2, 0, 3]);
                });
            }
        }
        if lexicon.cached { Ok(graph.nodes().len()) } else { Err("built again".into()) }
    })
    .with_seal(|bytes| {
        let content = bytes.len().saturating_sub(64);
        bytes.truncate(content);
        let checksum = sha256(bytes);
        bytes.extend(checksum.bytes());
    })
}
