//! The viewer of positions and games: a board, and next to it what is known and what could be played. A script goes from step to step.

use serde::Serialize;
use tilewright_engine::Layout;

use super::board::{DrawnTile, drawing};
use super::html::escape;

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
    /// The viewer as HTML. Without scripts it shows the board of the first game at its end.
    pub fn show(&self, layout: &Layout) -> String {
        let games: String = self.games.iter().map(|game| format!("<option>{}</option>", escape(&game.name))).collect();
        let choice = if self.games.len() > 1 {
            format!("<select id=\"game\" aria-label=\"Game\">{games}</select>")
        } else {
            String::new()
        };
        let mistake = if self.games.iter().flat_map(|game| &game.steps).any(|step| step.cost.is_some()) {
            "<button type=\"button\" data-go=\"mistake\">next mistake</button>"
        } else {
            ""
        };
        let controls = if self.games.iter().all(|game| game.steps.len() == 1) && choice.is_empty() {
            String::new()
        } else {
            format!(
                "<div class=\"controls\">{choice}<button type=\"button\" data-go=\"first\" aria-label=\"First turn\">⇤</button>\
                 <button type=\"button\" data-go=\"back\" aria-label=\"Previous turn\">←</button>\
                 <button type=\"button\" data-go=\"on\" aria-label=\"Next turn\">→</button>\
                 <button type=\"button\" data-go=\"last\" aria-label=\"Last turn\">⇥</button>\
                 {mistake}<span id=\"turn\" aria-live=\"polite\"></span></div>\n"
            )
        };
        let tiles = self.games.first().map(ViewedGame::end).unwrap_or_default();
        format!(
            "<div id=\"viewer\" class=\"viewer\">\n<div>{controls}{}</div>\n<div id=\"step\" class=\"step\"></div>\n</div>\n",
            drawing(layout, &tiles)
        )
    }

    /// The data of the script, as an HTML element.
    pub fn data(&self) -> serde_json::Result<String> {
        // Inside a script element only `<` could end it.
        let json = serde_json::to_string(self)?.replace('<', "\\u003c");
        Ok(format!("<script type=\"application/json\" id=\"viewer-data\">{json}</script>\n"))
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
        let shown = viewer.show(&Layout::embedded("standard").unwrap());
        assert!(shown.contains("data-go=\"last\"") && !shown.contains("data-go=\"mistake\"") && !shown.contains("<select"));
        assert_eq!(viewer.data().unwrap().matches("</script>").count(), 1, "a text does not end the script");
    }

    #[test]
    fn a_position_has_no_controls() {
        let game = || ViewedGame { name: "one".into(), start: Vec::new(), steps: vec![Step::default()] };
        let layout = Layout::embedded("super").unwrap();
        assert!(!Viewer { games: vec![game()] }.show(&layout).contains("controls"));
        assert!(Viewer { games: vec![game(), game()] }.show(&layout).contains("<select"));
    }
}
