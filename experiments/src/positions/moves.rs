//! `moves`: the best moves of a position, as a player ranks them.

use std::fmt;

use serde::Serialize;
use tilewright_engine::layout::Direction;
use tilewright_engine::movegen::{Generator, ValuedMove};
use tilewright_engine::moves::{Move, notation};
use tilewright_engine::rng::stream;
use tilewright_engine::{Equity, Setup};

use super::flags::MovesArguments;
use super::position::{Position, start};
use crate::report::html::{grouped, signed};
use crate::{Failure, loading, output};

/// The best moves, printed as a table and written as JSON. Values are in points, from the view of the player to move.
#[derive(Serialize)]
struct BestMoves {
    rack: String,
    bag: usize,
    player: String,
    /// Whether the player looks ahead before it chooses: these are its moves as it ranks them before that.
    looks_ahead: bool,
    lexicon: String,
    tileset: String,
    legal_moves: usize,
    moves: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    chosen: String,
    score: i32,
    leave: String,
    leave_value: f64,
    equity: f64,
}

pub fn run(arguments: &MovesArguments) -> Result<(), Failure> {
    let [html, json] = arguments.files.new_files()?;
    let setup = start(&arguments.flags, arguments.cgp.as_deref())?;
    let game = arguments.flags.game.with_tables(&arguments.board.tables);
    let player = loading::player_or_default(arguments.player.as_ref(), &setup, &game)?;
    let position = Position::read(&arguments.board, arguments.cgp.as_deref(), &setup)?;
    let game = position.dealt(&setup, stream(0, "position", 0))?;
    let mut moves = loading::ranker(&player)?.rank(&mut Generator::new(&setup), &game.turn(&setup));
    if position.board.is_empty() && setup.layout.is_symmetric() {
        // The first play is the same across and down.
        moves.retain(|valued| !matches!(&valued.chosen, Move::Play(play) if play.direction == Direction::Down));
    }
    let result = BestMoves {
        rack: position.rack.show(&setup.tileset),
        bag: position.bag,
        looks_ahead: player.as_static().is_none(),
        player: player.name,
        lexicon: setup.lexicon.name.clone(),
        tileset: setup.tileset.name().into(),
        legal_moves: moves.len(),
        moves: moves.iter().take(arguments.top as usize).map(|valued| row(valued, &position, &setup)).collect(),
    };
    output::show_and_page(&result, json, html, || page(&result, &moves, &position, &setup))
}

fn page(result: &BestMoves, moves: &[ValuedMove], position: &Position, setup: &Setup) -> Result<String, Failure> {
    let cells = |Row { chosen, score, leave, leave_value, equity }: &Row| {
        vec![chosen.clone(), score.to_string(), leave.clone(), signed(*leave_value, 2), signed(*equity, 2)]
    };
    let how = format!(
        "The best of {} legal moves, ranked by {}{}.",
        grouped(result.legal_moves as u64),
        result.player,
        if result.looks_ahead { " before it looks ahead" } else { "" }
    );
    let heads = &["move", "#score", "leave", "#leave value", "#equity"];
    let rows = moves.iter().zip(&result.moves).map(|(valued, row)| (valued.chosen, cells(row)));
    position.page_of_moves(setup, "moves", &how, heads, rows)
}

fn row(valued: &ValuedMove, position: &Position, setup: &Setup) -> Row {
    let score = valued.chosen.score();
    Row {
        chosen: notation::show(&valued.chosen, &position.board, &setup.tileset),
        score,
        leave: position.leave(&valued.chosen, &setup.tileset),
        leave_value: (valued.reported_equity() - Equity::from_points(score)).points(),
        equity: valued.reported_equity().points(),
    }
}

impl fmt::Display for BestMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = output::width(6, self.moves.iter().map(|row| &row.chosen));
        let leaves = output::width(6, self.moves.iter().map(|row| &row.leave));
        writeln!(f, "  # {:<moves$} score  {:<leaves$}  leave value    equity", "move", "leave")?;
        for (number, row) in (1..).zip(&self.moves) {
            let Row { chosen, score, leave, leave_value, equity } = row;
            writeln!(f, "{number:>3} {chosen:<moves$} {score:>5}  {leave:<leaves$}  {leave_value:>11.2} {equity:>9.2}")?;
        }
        write!(f, "{} legal moves", self.legal_moves)?;
        if self.looks_ahead {
            write!(f, ", in the order in which {} ranks them before it looks ahead", self.player)?;
        }
        Ok(())
    }
}
