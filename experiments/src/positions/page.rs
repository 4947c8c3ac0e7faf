//! The page of a position: the drawn board, the rack, the unseen tiles, and the moves or the best line.

use tilewright_engine::game::cgp::CgpPosition;
use tilewright_engine::moves::{Move, notation};
use tilewright_engine::{Game, Setup};

use super::position::Position;
use crate::Failure;
use crate::report::html::{Page, Section, html, page_header, signed};
use crate::report::viewer::{SCRIPT, Step, ViewedGame, ViewedMove, Viewer, drawn_tiles, laid, rack_tiles};

impl Position {
    fn step(&self, setup: &Setup, title: String) -> Step {
        let Position { board, rack, unseen, bag, known, scores, scoreless_turns } = self;
        let mut facts = vec![
            ("score", scores[0].to_string()),
            ("opponent", scores[1].to_string()),
            ("tiles in the bag", bag.to_string()),
            ("unseen tiles", unseen.show(&setup.tileset)),
        ];
        if !known.is_empty() {
            facts.push(("opponent's rack", known.show(&setup.tileset)));
        }
        Step {
            title,
            rack: rack_tiles(rack, &setup.tileset),
            facts,
            cgp: CgpPosition::new(setup, board.clone(), [*rack, *known], *scores, *scoreless_turns).write(&setup.tileset),
            ..Step::default()
        }
    }

    /// The page of moves of this position, each with its cells in the table, of which the first has the move. `how` says what the verb
    /// did, with its settings; `#` marks heads of numbers.
    pub fn page_of_moves(
        &self,
        setup: &Setup,
        verb: &str,
        how: &str,
        heads: &'static [&'static str],
        rows: impl Iterator<Item = (Move, Vec<String>)>,
    ) -> Result<String, Failure> {
        let view = |(chosen, cells)| ViewedMove { cells, laid: laid(&chosen, &self.board, &setup.tileset), made: false };
        let title = format!("The moves of {}", self.rack.show(&setup.tileset));
        let step = Step { heads, moves: rows.map(view).collect(), ..self.step(setup, title) };
        self.page(setup, verb, how, vec![step])
    }

    /// The page of a line from this position on, in which the opponent's rack is known.
    pub fn page_of_line(game: &Game, setup: &Setup, line: &[Move], how: &str) -> Result<String, Failure> {
        let mut played = game.clone();
        let mut steps = Vec::with_capacity(line.len());
        for (number, chosen) in (1..).zip(line) {
            let shown = notation::show(chosen, played.board(), &setup.tileset);
            let whose = if number % 2 == 1 { "the player to move" } else { "the opponent" };
            let title = format!("{shown} {} by {whose}", signed(f64::from(chosen.score()), 0));
            let laid = laid(chosen, played.board(), &setup.tileset);
            steps.push(Step { laid, ..Position::of_game(&played).step(setup, title) });
            played.make(setup, chosen);
        }
        Position::of_game(game).page(setup, "solve", how, steps)
    }

    fn page(&self, setup: &Setup, verb: &str, how: &str, steps: Vec<Step>) -> Result<String, Failure> {
        let Setup { lexicon, tileset, layout, .. } = setup;
        let lead = if steps.len() > 1 {
            "The arrow keys go from move to move, Home and End to the first and the last."
        } else {
            "A move of the table, once chosen, is shown on the board."
        };
        let rack = self.rack.show(tileset);
        let start = drawn_tiles(&self.board, tileset);
        let viewer = Viewer { games: vec![ViewedGame { name: rack.clone(), start, steps }] };
        let facts = [format!("lexicon {}", lexicon.name), format!("{} tile set", tileset.name())];
        let header = page_header(verb, &rack, &facts, how, "");
        let sections = vec![Section::new("position", "Board", "The position", lead, viewer.show(layout))];
        let footer = html! { p { "Made by " code { "tilewright " (verb) } "." } };
        let script = Some((viewer.data()?, SCRIPT));
        Ok(Page { script, ..Page::new(&format!("{rack}, {verb}"), header, sections, footer) }.write())
    }
}
