//! `moves`: the best moves of a position under a player.

use serde::Serialize;
use tilewright_engine::artefact::write_atomically;
use tilewright_engine::cross_set::CrossSets;
use tilewright_engine::equity::Equity;
use tilewright_engine::movegen::{self, Generator, ValuedMove};
use tilewright_engine::moves::notation;
use tilewright_engine::player::Player;
use tilewright_engine::rack::Rack;
use tilewright_engine::setup::Setup;

use super::flags::MovesArguments;
use super::position::{Position, with_opcodes};
use crate::failure::Failure;
use crate::output::say;
use crate::{folder, loading};

/// The answer as JSON: points, from the view of the player to move.
#[derive(Serialize)]
struct MovesJson {
    rack: String,
    bag: usize,
    player: String,
    lexicon: String,
    tileset: String,
    legal_moves: usize,
    moves: Vec<MoveJson>,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    chosen: String,
    score: i32,
    leave: String,
    leave_value: f64,
    equity: f64,
}

/// `moves`.
pub fn run(arguments: &MovesArguments) -> Result<(), Failure> {
    loading::set_threads(&arguments.run)?;
    if let Some(path) = &arguments.json {
        folder::check_new_file(path)?;
    }
    let setup = loading::setup_for_few_positions(&with_opcodes(&arguments.game, arguments.cgp.as_deref())?)?;
    let name = arguments.player.as_deref().unwrap_or(Player::default_name(&setup));
    let player = loading::player(name, &setup, &arguments.game)?;
    let position = Position::read(arguments.rack.as_deref(), arguments.cgp.as_deref(), arguments.any_board, &setup)?;
    let cross_sets = CrossSets::from_board(&setup, &position.board);
    let seen =
        movegen::Position { board: &position.board, cross_sets: &cross_sets, rack: &position.rack, bag: position.bag };
    let moves = player.static_player().rank(&mut Generator::new(&setup), &seen, &position.unseen);
    let rows: Vec<MoveJson> =
        moves.iter().take(arguments.top as usize).map(|valued| row(valued, &position, &setup)).collect();
    print(&rows, moves.len());
    if let Some(path) = &arguments.json {
        let json = MovesJson {
            rack: position.rack.show(&setup.tileset),
            bag: position.bag,
            player: player.name,
            lexicon: setup.lexicon.name.clone(),
            tileset: setup.tileset.name().into(),
            legal_moves: moves.len(),
            moves: rows,
        };
        write_atomically(path, (serde_json::to_string_pretty(&json)? + "\n").as_bytes())?;
    }
    Ok(())
}

fn row(valued: &ValuedMove, position: &Position, setup: &Setup) -> MoveJson {
    let kept = position.rack.minus(&Rack::from_tiles(valued.chosen.tiles())).unwrap_or_default();
    let score = valued.chosen.score();
    MoveJson {
        chosen: notation::show(&valued.chosen, &position.board, &setup.tileset),
        score,
        leave: kept.show(&setup.tileset),
        leave_value: (valued.told_equity() - Equity::from_points(score)).points(),
        equity: valued.told_equity().points(),
    }
}

fn print(rows: &[MoveJson], legal: usize) {
    let width = |longest: Option<usize>| longest.unwrap_or(0).max(6);
    let moves = width(rows.iter().map(|row| row.chosen.chars().count()).max());
    let leaves = width(rows.iter().map(|row| row.leave.chars().count()).max());
    say!("  # {:<moves$} score  {:<leaves$}  keep value    equity", "move", "leave");
    for (number, row) in (1..).zip(rows) {
        let MoveJson { chosen, score, leave, leave_value, equity } = row;
        say!("{number:>3} {chosen:<moves$} {score:>5}  {leave:<leaves$}  {leave_value:>10.2} {equity:>9.2}");
    }
    say!("{legal} legal moves");
}
