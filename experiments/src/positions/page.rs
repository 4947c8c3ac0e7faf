//! The page of a position: the drawn board, the rack, the unseen tiles, and the moves or the best line.

use tilewright_engine::board::Board;
use tilewright_engine::game::Game;
use tilewright_engine::moves::{Move, notation};
use tilewright_engine::rack::Rack;
use tilewright_engine::setup::Setup;

use super::position::{Position, write_cgp};
use crate::failure::Failure;
use crate::report::board::{drawn_tiles, laid, rack_tiles};
use crate::report::html::{Section, escape, signed};
use crate::report::page::{Page, page_header};
use crate::report::viewer::{SCRIPT, Step, ViewedGame, ViewedMove, Viewer};

/// A position as its player sees it.
pub struct Seen<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// The tiles on the board.
    pub board: &'a Board,
    /// The racks of the player to move and of the opponent, as far as they are known.
    pub racks: [Rack; 2],
    /// The tiles that the player to move cannot see.
    pub unseen: Rack,
    /// Tiles in the bag.
    pub bag: usize,
    /// The scores of the player to move and of the opponent.
    pub scores: [i32; 2],
    /// Scoreless turns in a row.
    pub scoreless_turns: u32,
}

/// Moves in a table.
pub struct Moves {
    /// What the verb did, with its settings: text.
    pub how: String,
    /// The heads of the table; `#` marks numbers.
    pub heads: &'static [&'static str],
    /// The moves with their cells, the move first.
    pub rows: Vec<(Move, Vec<String>)>,
}

impl<'a> Seen<'a> {
    /// A position that was read.
    pub fn position(position: &'a Position, setup: &'a Setup) -> Seen<'a> {
        let Position { board, rack, unseen, bag, known, scores, scoreless_turns } = position;
        let racks = [*rack, *known];
        Seen { setup, board, racks, unseen: *unseen, bag: *bag, scores: *scores, scoreless_turns: *scoreless_turns }
    }

    /// A game, from the view of the player to move. The opponent's rack is shown if the bag is empty.
    pub fn game(game: &'a Game, setup: &'a Setup) -> Seen<'a> {
        let other = 1 - game.to_move;
        Seen {
            setup,
            board: &game.board,
            racks: [*game.rack(), if game.bag.is_empty() { game.racks[other] } else { Rack::default() }],
            unseen: game.unseen(),
            bag: game.bag.len(),
            scores: [game.scores[game.to_move], game.scores[other]],
            scoreless_turns: game.scoreless_turns,
        }
    }

    fn step(&self, title: String) -> Step {
        let Seen { setup, board, racks, unseen, bag, scores, scoreless_turns } = self;
        let mut facts = vec![
            ("score", scores[0].to_string()),
            ("opponent", scores[1].to_string()),
            ("tiles in the bag", bag.to_string()),
            ("unseen tiles", unseen.show(&setup.tileset)),
        ];
        if !racks[1].is_empty() {
            facts.push(("opponent's rack", racks[1].show(&setup.tileset)));
        }
        Step {
            title,
            rack: rack_tiles(&racks[0], &setup.tileset),
            facts,
            cgp: write_cgp(setup, board, *racks, *scores, *scoreless_turns),
            ..Step::default()
        }
    }

    /// The page of the moves of this position.
    ///
    /// # Errors
    /// Never for these types.
    pub fn page_of_moves(&self, verb: &str, moves: Moves) -> Result<String, Failure> {
        let rack = self.racks[0].show(&self.setup.tileset);
        let Moves { how, heads, rows } = moves;
        let view = |(chosen, cells): (Move, Vec<String>)| ViewedMove {
            cells,
            laid: laid(&chosen, self.board, &self.setup.tileset),
            made: false,
        };
        let step = Step { heads, moves: rows.into_iter().map(view).collect(), ..self.step(format!("The moves of {rack}")) };
        self.page(verb, &rack, &how, vec![step])
    }

    /// The page of a line from this position on, in which the opponent's rack is known.
    ///
    /// # Errors
    /// Never for these types.
    pub fn page_of_line(game: &Game, setup: &Setup, line: &[Move], how: &str) -> Result<String, Failure> {
        let mut played = game.clone();
        let mut steps = Vec::with_capacity(line.len());
        for (number, chosen) in (1..).zip(line) {
            let (seen, tileset) = (Seen::game(&played, setup), &setup.tileset);
            let shown = notation::show(chosen, &played.board, tileset);
            let whose = if number % 2 == 1 { "the player to move" } else { "the opponent" };
            let title = format!("{shown} {} by {whose}", signed(f64::from(chosen.score()), 0));
            let step = Step { laid: laid(chosen, &played.board, tileset), ..seen.step(title) };
            steps.push(step);
            played.make(setup, chosen);
        }
        let seen = Seen::game(game, setup);
        seen.page("solve", &seen.racks[0].show(&setup.tileset), how, steps)
    }

    fn page(&self, verb: &str, rack: &str, how: &str, steps: Vec<Step>) -> Result<String, Failure> {
        let Setup { lexicon, tileset, layout, .. } = self.setup;
        let lead = if steps.len() > 1 {
            "The arrow keys go from move to move, Home and End to the first and the last."
        } else {
            "A move of the table, once chosen, is shown on the board."
        };
        let start = drawn_tiles(self.board, tileset);
        let viewer = Viewer { games: vec![ViewedGame { name: rack.into(), start, steps }] };
        let facts = [format!("lexicon {}", lexicon.name), format!("{} tile set", tileset.name())];
        let position = Section {
            id: "position",
            link: "Board",
            title: "The position".into(),
            lead: lead.into(),
            body: viewer.show(layout),
        };
        let page = Page {
            title: format!("{rack}, {verb}"),
            header: page_header(verb, rack, &facts, &escape(how), ""),
            sections: vec![position],
            footer: format!("<footer>\n<p>Made by <code>tilewright {verb}</code>.</p>\n</footer>\n"),
            script: Some((viewer.data()?, SCRIPT)),
        };
        Ok(page.write())
    }
}
