//! A drawn board of any layout and tile set, with the tiles that lie on it.

use maud::{Markup, PreEscaped, html};
use serde::{Serialize, Serializer};
use tilewright_engine::layout::{Layout, Square};
use tilewright_engine::{Board, Move, Rack, Tile, TileSet};

const SQUARE: usize = 30;
/// The width of the edge with the coordinates.
const EDGE: usize = 16;

/// A tile on a square. In data for scripts it is `[square, label, points, is blank]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnTile {
    /// The number of the square, row by row.
    pub square: usize,
    pub label: String,
    pub points: i32,
    pub is_blank: bool,
}

impl Serialize for DrawnTile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.square, &self.label, self.points, u8::from(self.is_blank)).serialize(serializer)
    }
}

impl DrawnTile {
    fn new(square: Square, tile: Tile, side: usize, tileset: &TileSet) -> DrawnTile {
        DrawnTile {
            square: usize::from(square.row) * side + usize::from(square.column),
            label: label(tile, tileset),
            points: tileset.value(tile),
            is_blank: tile.is_blank(),
        }
    }
}

/// The letters of a tile without the brackets of the notation, as they are printed on it.
fn label(tile: Tile, tileset: &TileSet) -> String {
    tileset.show(tile).to_string().trim_matches(['[', ']']).into()
}

pub fn drawn_tiles(board: &Board, tileset: &TileSet) -> Vec<DrawnTile> {
    board.occupied().map(|(square, tile)| DrawnTile::new(square, tile, board.side(), tileset)).collect()
}

/// The tiles that a move lays, given the board before it.
pub fn laid(chosen: &Move, board: &Board, tileset: &TileSet) -> Vec<DrawnTile> {
    let Move::Play(play) = chosen else { return Vec::new() };
    play.placements(board).map(|(square, tile)| DrawnTile::new(square, tile, board.side(), tileset)).collect()
}

/// The tiles of a rack, as letters and points.
pub fn rack_tiles(rack: &Rack, tileset: &TileSet) -> Vec<(String, i32)> {
    rack.tiles().map(|tile| (label(tile, tileset), tileset.value(tile))).collect()
}

/// The drawing, in which a script may replace the tiles: they are the elements of the group `tiles`.
pub fn drawing(layout: &Layout, tiles: &[DrawnTile]) -> Markup {
    let side = layout.side();
    let size = EDGE + side * SQUARE + 1;
    // A script copies this one.
    let pattern = DrawnTile { square: 0, label: String::new(), points: 0, is_blank: false };
    html! {
        svg id="board" class="board" viewBox={ "0 0 " (size) " " (size) } role="img"
            aria-label={ "The board, " (side) " by " (side) " squares" } data-side=(side) data-square=(SQUARE) data-edge=(EDGE) {
            defs { (drawn_tile(&pattern, side)) }
            @for (at, column) in (0..side).zip('A'..) {
                @let middle = EDGE + at * SQUARE + SQUARE / 2;
                text.edge x=(middle) y=(EDGE - 5) { (column) }
                text.edge x=(EDGE / 2 - 1) y=(middle + 4) { (at + 1) }
            }
            @for square in 0..side * side { (drawn_square(layout, square)) }
            g.tiles { @for tile in tiles { (drawn_tile(tile, side)) } }
        }
    }
}

fn drawn_square(layout: &Layout, number: usize) -> Markup {
    let side = layout.side();
    let (row, column) = (number / side, number % side);
    let place = |at: usize| u8::try_from(at).unwrap_or(u8::MAX);
    let square = Square { row: place(row), column: place(column) };
    let premium = layout.premium(square);
    let (x, y) = (EDGE + column * SQUARE, EDGE + row * SQUARE);
    let (class, text) = match (premium.letter, premium.word) {
        (1, 1) if square == layout.start() => (String::new(), "★".into()),
        (1, 1) => (String::new(), String::new()),
        (letter, 1) => (format!(" l{letter}"), format!("{letter}L")),
        (_, word) => (format!(" w{word}"), format!("{word}W")),
    };
    html! {
        (PreEscaped(format!(r#"<rect class="square{class}" x="{}" y="{}" width="28" height="28" rx="2"/>"#, x + 1, y + 1)))
        @if !text.is_empty() { text.premium x=(x + SQUARE / 2) y=(y + SQUARE / 2 + 3) { (text) } }
    }
}

fn drawn_tile(tile: &DrawnTile, side: usize) -> Markup {
    let (x, y) = (EDGE + tile.square % side * SQUARE, EDGE + tile.square / side * SQUARE);
    html! {
        g.tile.blank[tile.is_blank].two[tile.label.chars().count() > 1] transform={ "translate(" (x) " " (y) ")" } {
            (PreEscaped(r#"<rect x="1" y="1" width="28" height="28" rx="3"/>"#))
            text.letter x="14.5" y="20.5" { (tile.label) }
            text.points x="27" y="26.5" { @if !tile.is_blank { (tile.points) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::game::cgp;

    use super::*;

    #[test]
    fn a_board_has_its_premiums_and_its_tiles() {
        let layout = Layout::embedded("standard").unwrap();
        let tileset = TileSet::embedded("spanish").unwrap();
        let text = "15/15/15/15/15/15/15/4[CH]a[RR]O7/15/15/15/15/15/15/15 / 0/0 0";
        let board = cgp::read(text, &tileset, 15).unwrap().board;
        let tiles = drawn_tiles(&board, &tileset);
        let shown: Vec<(usize, &str, bool)> =
            tiles.iter().map(|tile| (tile.square, tile.label.as_str(), tile.is_blank)).collect();
        assert_eq!(shown, [(109, "CH", false), (110, "a", true), (111, "RR", false), (112, "O", false)]);
        assert_eq!(serde_json::to_string(&tiles[0]).unwrap(), "[109,\"CH\",5,0]");
        let drawing = drawing(&layout, &tiles).0;
        let count = |part: &str| drawing.matches(part).count();
        assert_eq!(
            (
                count("<g class=\"tile\"") + count("tile two") + count("tile blank"),
                count("class=\"tile two\""),
                count("tile blank")
            ),
            (5, 2, 1),
            "one is the pattern"
        );
        assert_eq!(count("<rect class=\"square"), 225);
        assert_eq!([">3W<", ">2W<", ">3L<", ">2L<", "★"].map(count), [8, 17, 12, 24, 0]);
        assert!(drawing.contains(">O</text>") && drawing.contains("viewBox=\"0 0 467 467\""));
    }
}
