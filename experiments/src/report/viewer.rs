//! The viewer of positions and games: a board, and next to it what is known and what could be played. A script goes from step to step.

use serde::Serialize;
use tilewright_engine::Layout;

use super::board::{DrawnTile, drawing};
use super::html::{Markup, html, script_data};

/// The games of a page; a position is a game of one step.
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
    /// What the move cost, if it was a mistake.
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
    /// The heads of the table of moves; `#` marks numbers.
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
    use super::*;

    fn tile(square: usize) -> DrawnTile {
        DrawnTile { square, label: "</script>".into(), points: 1, is_blank: false }
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
        assert!(!Viewer { games: vec![game()] }.show(&layout).0.contains("controls"));
        assert!(Viewer { games: vec![game(), game()] }.show(&layout).0.contains("<select"));
    }
}
