//! Tile sets and boards.

use std::path::Path;

use tilewright_engine::layout::Layout;
use tilewright_engine::moves::notation::{self, WordSquare};
use tilewright_engine::tileset::{Style, Tile, TileSet};
use tilewright_train::parquet_file::{Column, names, to_bytes};

use crate::target::{Subject, message, text};

/// The texts of the embedded configs of a folder.
pub fn configs(folder: &str) -> Vec<&'static str> {
    tilewright_engine::configs::of_folder(folder).map(|config| config.text).collect()
}

pub fn tile_sets() -> Subject {
    Subject::new(configs("tilesets"), |bytes| {
        let tileset = TileSet::from_toml(&text(bytes), "input").map_err(message)?;
        let tiles: Vec<Tile> = (1..=tileset.letters()).map(Tile::letter_tile).collect();
        let shown = tileset.show_all(&tiles);
        assert_eq!(tileset.parse(&shown, Style::Bracketed).as_ref(), Ok(&tiles), "{shown}");
        let _ = tileset.parse(&shown, Style::Greedy);
        // Labels are in words of plays, in the lines of games, and in the names of columns.
        let word: Vec<WordSquare> = tiles.iter().map(|&tile| WordSquare::Tile(tile)).collect();
        assert_eq!(notation::read_word(&notation::show_word(&word, &tileset), &tileset).as_ref(), Ok(&word));
        let column = |label: &str| (format!("unseen_{label}"), Column::Int32(vec![1]));
        let table: Vec<_> = tileset.kinds().iter().skip(1).map(|kind| column(&kind.label)).collect();
        let bytes = to_bytes(&table, &[]).unwrap_or_else(|error| panic!("{error}"));
        let found = names(Path::new("input"), bytes).expect("what was written");
        assert!(found.iter().eq(table.iter().map(|(name, _)| name)), "{found:?}");
        Ok(tiles.len())
    })
    .with_fragments(&[
        "letters = [",
        "{ letter = \"A\", count = 6, value = 1 },",
        "rack_size",
        "blanks",
        "vowel = true",
        "L·L",
        "=",
        "(A",
        "A,",
        "A-",
        "A;",
    ])
}

pub fn boards() -> Subject {
    Subject::new(configs("boards"), |bytes| {
        Layout::from_toml(&text(bytes), "input").map_err(message).map(|board| board.side())
    })
    .with_fragments(&["2W ", "4W ", "3L ", ".. ", "\"8H\"", "\"H8\"", "\"Z99\"", "squares = ["])
}
