//! Games that the targets read with.

use tilewright_engine::setup::Setup;
use tilewright_engine::tileset::TileSet;

/// Spanish words with every kind of tile that has several characters.
pub const WORDS: &str = "AÑO\nCALLE\nCHE\nCHURRO\nES\nPERRO\nSE\nÑU\n";

/// A tile set with few leaves, so that a whole table takes microseconds.
pub const FEW: &str = r#"
name = "few"
board = "standard"
total_tiles = 12
total_points = 14
blanks = 1
letters = [{ letter = "A", count = 6, value = 1, vowel = true }, { letter = "CH", count = 3, value = 2 }, { letter = "Ñ", count = 2, value = 1 }]
[rules]
rack_size = 4
bingo_bonus = 50
exchange_minimum = 4
"#;

/// Spanish with [`WORDS`].
pub fn spanish() -> Setup {
    let tileset = TileSet::embedded("spanish").expect("an embedded tile set");
    Setup::from_words(tileset, WORDS).expect("words of the tile set")
}

/// The game of [`FEW`].
pub fn few() -> Setup {
    let tileset = TileSet::from_toml(FEW, "few").expect("a tile set");
    Setup::from_words(tileset, "AÑA\nCHA\nACHA\n").expect("words of the tile set")
}

/// A value that lives as long as the process; there are few.
pub fn forever<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}
