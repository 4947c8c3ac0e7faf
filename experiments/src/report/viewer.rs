//! The viewer of positions and games: a drawn board of any layout and tile set, and next to it the known data and the
//! possible moves. A script goes from step to step.

use maud::{Markup, PreEscaped, html};
use serde::{Serialize, Serializer};
use tilewright_engine::layout::Square;
use tilewright_engine::{Board, Layout, Move, Rack, Tile, TileSet};

use super::html::script_data;

const SQUARE: usize = 30;
/// The width of the edge with the coordinates.
const EDGE: usize = 16;
/// The most squares of a side for labels of premium squares on a phone.
const LABELLED_SIDE: usize = 17;

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

/// Each tile with its count, then the numbers of vowels and consonants if the tile set knows them.
pub fn counted(tiles: &Rack, tileset: &TileSet) -> String {
    let (blanks, letters): (Vec<_>, Vec<_>) = tiles.kinds().partition(|(kind, _)| Tile::letter_tile(*kind).is_blank());
    let one = |(kind, count): &(u8, u8)| format!("{}\u{a0}{count}", label(Tile::letter_tile(*kind), tileset));
    let shown = letters.iter().chain(&blanks).map(one).collect::<Vec<_>>().join("\u{a0}· ");
    if !tileset.kinds().iter().any(|kind| kind.is_vowel) {
        return shown;
    }
    let total = |is_vowel| -> u8 {
        letters.iter().filter(|(kind, _)| tileset.is_vowel(*kind) == is_vowel).map(|(_, count)| count).sum()
    };
    format!("{shown} (vowels {}, consonants {})", total(true), total(false))
}

/// The drawing, in which a script may replace the tiles: they are the elements of the group `tiles`.
pub fn drawing(layout: &Layout, tiles: &[DrawnTile]) -> Markup {
    let side = layout.side();
    let size = EDGE + side * SQUARE + 1;
    // A script copies this one.
    let pattern = DrawnTile { square: 0, label: String::new(), points: 0, is_blank: false };
    html! {
        svg.board.large[side > LABELLED_SIDE] id="board" viewBox={ "0 0 " (size) " " (size) } role="img"
            aria-label={ "The board, " (side) " by " (side) " squares" } style={ "--size:" (size) }
            data-side=(side) data-square=(SQUARE) data-edge=(EDGE) {
            defs { (drawn_tile(&pattern, side)) }
            @for (at, column) in (0..side).zip('A'..) {
                @let middle = EDGE + at * SQUARE + SQUARE / 2;
                text.edge x=(middle) y=(EDGE - 5) { (column) }
                text.edge.row x=(EDGE - 3) y=(middle + 4) { (at + 1) }
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

/// The games of a page. A position is a game of one step.
#[derive(Serialize)]
pub struct Viewer {
    pub games: Vec<ViewedGame>,
}

#[derive(Serialize)]
pub struct ViewedGame {
    pub name: String,
    /// The tiles on the board before the first step.
    pub start: Vec<DrawnTile>,
    /// The steps, at least one.
    pub steps: Vec<Step>,
}

/// A step: a turn, or another event of a game.
#[derive(Default, Serialize)]
pub struct Step {
    pub title: String,
    /// The cost of the move, if it was a mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<String>,
    pub rack: Vec<(String, i32)>,
    /// Facts, each with its name.
    pub facts: Vec<(&'static str, String)>,
    pub laid: Vec<DrawnTile>,
    /// The squares whose tiles it takes back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<usize>,
    /// The position before the step as CGP, for other programs.
    pub cgp: String,
    /// The heads of the table of moves. `#` marks numbers.
    pub heads: &'static [&'static str],
    pub moves: Vec<ViewedMove>,
}

#[derive(Serialize)]
pub struct ViewedMove {
    /// The cells, the move first.
    pub cells: Vec<String>,
    pub laid: Vec<DrawnTile>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub made: bool,
}

pub const SCRIPT: &str = include_str!("viewer.js");

impl Viewer {
    /// The viewer as an element. Without scripts it shows the board of the first game at its end.
    pub fn show(&self, layout: &Layout) -> Markup {
        let are_many = self.games.len() > 1;
        let mut steps = self.games.iter().flat_map(|game| &game.steps);
        let tiles = self.games.first().map(ViewedGame::end).unwrap_or_default();
        html! {
            div id="viewer" class="viewer" {
                div {
                    @if are_many || self.games.iter().any(|game| game.steps.len() != 1) {
                        div.controls {
                            @if are_many {
                                select id="game" aria-label="Game" { @for game in &self.games { option { (game.name) } } }
                            }
                            button type="button" data-go="first" aria-label="First turn" { "⇤" }
                            button type="button" data-go="back" aria-label="Previous turn" { "←" }
                            button type="button" data-go="on" aria-label="Next turn" { "→" }
                            button type="button" data-go="last" aria-label="Last turn" { "⇥" }
                            @if steps.any(|step| step.cost.is_some()) {
                                button type="button" data-go="mistake" { "next mistake" }
                            }
                            span id="turn" aria-live="polite" {}
                        }
                    }
                    (drawing(layout, &tiles))
                }
                div id="step" class="step" {}
            }
        }
    }

    /// The data of the script, as an element.
    pub fn data(&self) -> serde_json::Result<Markup> {
        script_data("viewer-data", self)
    }
}

impl ViewedGame {
    /// The tiles on the board after the last step.
    fn end(&self) -> Vec<DrawnTile> {
        let mut tiles = self.start.clone();
        for step in &self.steps {
            tiles.retain(|tile| !step.removed.contains(&tile.square));
            tiles.extend(step.laid.iter().cloned());
        }
        tiles
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
        assert!(
            drawing.contains("class=\"board\"")
                && drawing.contains(">O</text>")
                && drawing.contains("viewBox=\"0 0 467 467\"")
        );
    }

    fn tile(square: usize) -> DrawnTile {
        DrawnTile { square, label: "</script>".into(), points: 1, is_blank: false }
    }

    #[test]
    fn tiles_are_counted_with_the_blanks_last() {
        let english = TileSet::embedded("english").unwrap();
        let rack = Rack::parse("?AABOZ?", &english).unwrap();
        let shown = "A 2 · B 1 · O 1 · Z 1 · ? 2 (vowels 3, consonants 2)";
        assert_eq!(counted(&rack, &english).replace('\u{a0}', " "), shown);
        let toml = |vowel: &str| {
            format!(
                "name = \"a\"\nboard = \"standard\"\ntotal_tiles = 20\ntotal_points = 20\nblanks = 0\nletters = [{{ letter = \"A\", \
                 count = 20, value = 1{vowel} }}]\n[rules]\nrack_size = 7\nbingo_bonus = 50\nexchange_minimum = 7\n"
            )
        };
        let shown = |vowel| {
            let tileset = TileSet::from_toml(&toml(vowel), "a").unwrap();
            counted(&Rack::parse("AA", &tileset).unwrap(), &tileset)
        };
        assert_eq!([shown(""), shown(", vowel = true")], ["A\u{a0}2", "A\u{a0}2 (vowels 2, consonants 0)"]);
    }

    #[test]
    fn the_board_without_scripts_is_that_of_the_end() {
        let step = |laid: &[usize], removed: &[usize]| Step {
            laid: laid.iter().copied().map(tile).collect(),
            removed: removed.to_vec(),
            ..Step::default()
        };
        let steps = vec![step(&[112, 113], &[]), step(&[], &[112, 113]), step(&[97], &[])];
        let game = ViewedGame { name: "a & b".into(), start: vec![tile(0)], steps };
        assert_eq!(game.end(), [tile(0), tile(97)]);
        let viewer = Viewer { games: vec![game] };
        let shown = viewer.show(&Layout::embedded("standard").unwrap()).0;
        assert!(shown.contains("data-go=\"last\"") && !shown.contains("data-go=\"mistake\"") && !shown.contains("<select"));
        assert_eq!(viewer.data().unwrap().0.matches("</script>").count(), 1, "a text does not end the script");
    }

    #[test]
    fn a_position_has_no_controls() {
        let game = || ViewedGame { name: "one".into(), start: Vec::new(), steps: vec![Step::default()] };
        let layout = Layout::embedded("super").unwrap();
        let position = Viewer { games: vec![game()] }.show(&layout).0;
        assert!(!position.contains("controls") && position.contains("class=\"board large\""));
        assert!(Viewer { games: vec![game(), game()] }.show(&layout).0.contains("<select"));
    }
}
