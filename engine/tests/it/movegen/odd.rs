//! Tile sets and boards at the limits of the rules.

use tilewright_engine::layout::Layout;
use tilewright_engine::tileset::TileSet;

/// Creates a tile set with three tiles of each letter, a vowel as every third, and the largest value for the last.
pub fn tileset(letters: usize, rack_size: usize, blanks: usize) -> TileSet {
    let label =
        |letter: usize| [letter / 8, letter % 8].map(|part| char::from(b'A' + part as u8)).iter().collect::<String>();
    let value = |letter: usize| if letter + 1 == letters { 50 } else { letter % 9 };
    let lines: String = (0..letters)
        .map(|letter| {
            let (label, value, vowel) = (label(letter), value(letter), letter % 3 == 0);
            format!("{{ letter = \"{label}\", count = 3, value = {value}, vowel = {vowel} }},\n")
        })
        .collect();
    let points: usize = (0..letters).map(|letter| 3 * value(letter)).sum();
    let text = format!(
        "name = \"{letters} letters, {blanks} blanks, racks of {rack_size}\"\nboard = \"standard\"\n\
         total_tiles = {}\ntotal_points = {points}\nblanks = {blanks}\nletters = [\n{lines}]\n\n\
         [rules]\nrack_size = {rack_size}\nbingo_bonus = 50\nexchange_minimum = 1\n",
        3 * letters + blanks
    );
    TileSet::from_toml(&text, "odd").expect("an allowed tile set")
}

/// Creates a board with the largest multipliers: up to four word squares in each lane, and letter squares between them.
pub fn layout(side: usize) -> Layout {
    let square = |row: usize, column: usize| match (row + column) % side {
        0 | 3 | 4 | 7 => "4W",
        1 | 5 | 8 => "4L",
        _ => "..",
    };
    let row = |row| (0..side).map(|column| square(row, column)).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = (0..side).map(|index| format!("\"{}\"", row(index))).collect();
    let text = format!("name = \"side {side}\"\nstart = \"1A\"\nsquares = [\n{}\n]\n", rows.join(",\n"));
    Layout::from_toml(&text, "odd").expect("an allowed board")
}
