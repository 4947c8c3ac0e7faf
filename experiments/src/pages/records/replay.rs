//! Recorded games as steps of the viewer.

use tilewright_engine::game::{cgp, unseen};
use tilewright_engine::moves::{Move, notation};
use tilewright_engine::{Board, Layout, Rack, TileSet};

use super::turns::{Game, REPLAYED, Turns};
use crate::report::board::{laid, rack_tiles};
use crate::report::html::signed;
use crate::report::viewer::{Step, ViewedGame};
use crate::{Failure, Input};

/// What the rows of recorded games are read with.
pub struct Replay<'a> {
    pub turns: &'a Turns,
    pub tileset: &'a TileSet,
    pub layout: &'a Layout,
}

impl Replay<'_> {
    /// The first of some games for the viewer.
    ///
    /// # Errors
    /// [`Failure::Input`] for a row that is no turn of a game with this tile set.
    pub fn games(&self, games: &[Game]) -> Result<Vec<ViewedGame>, Failure> {
        games.iter().take(REPLAYED).map(|game| self.viewed(game)).collect()
    }

    fn viewed(&self, game: &Game) -> Result<ViewedGame, Failure> {
        let [first, second] = &game.names;
        let name = format!("Game {}: {first} against {second}, {}", game.number, signed(f64::from(game.spread), 0));
        let steps = game.rows.clone().map(|row| {
            let fault = |failure: Failure| {
                let turn = row - game.rows.start;
                Failure::input(format!("game {}, turn {turn}: {}", game.number, failure.message()))
            };
            self.step(row).map_err(fault)
        });
        Ok(ViewedGame { name, start: Vec::new(), steps: steps.collect::<Result<_, _>>()? })
    }

    fn step(&self, row: usize) -> Result<Step, Failure> {
        let (turns, tileset) = (self.turns, self.tileset);
        let position = cgp::read(&turns.position[row], tileset, self.layout.side()).input()?;
        let rack = Rack::from_notation(&turns.rack[row], tileset).input()?;
        let (score, [own, other]) = (turns.score[row], position.scores);
        let mut facts = vec![
            ("score", signed(f64::from(score), 0)),
            ("total", (own + score).to_string()),
            ("opponent", other.to_string()),
            ("equity", format!("{:.1}", turns.equity[row])),
        ];
        if let Some(unseen) = unseen(tileset, &position.board, &rack) {
            let bag = unseen.size().saturating_sub(tileset.rules().rack_size);
            facts.push(("tiles in the bag", bag.to_string()));
            facts.push(("unseen tiles", unseen.show(tileset)));
        }
        Ok(Step {
            title: format!("{}: {}", turns.name[row], turns.chosen[row]),
            rack: rack_tiles(&rack, tileset),
            facts,
            laid: laid(&self.chosen(row, &position.board)?, &position.board, tileset),
            cgp: turns.position[row].clone(),
            ..Step::default()
        })
    }

    /// The move of a turn, as far as the board shows it.
    fn chosen(&self, row: usize, board: &Board) -> Result<Move, Failure> {
        let Some((coordinate, word)) = self.turns.chosen[row].split_once(' ') else { return Ok(Move::Pass) };
        Ok(Move::Play(notation::read_play(coordinate, word, board, self.tileset).input()?))
    }
}
