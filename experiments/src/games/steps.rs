//! The events of a game as steps of the viewer.

use tilewright_engine::annotation::{AnnotatedTurn, Basis, JudgedMove};
use tilewright_engine::game::gcg::GcgPosition;
use tilewright_engine::game::unseen;
use tilewright_engine::rack::Rack;
use tilewright_engine::series::NORMAL_95;
use tilewright_engine::setup::Setup;

use super::files::GameFile;
use super::result::{ShownGame, ShownJudgement, ShownMove, ShownTurn};
use crate::positions::position::write_cgp;
use crate::report::board::{drawn_tiles, laid, rack_tiles};
use crate::report::html::signed;
use crate::report::viewer::{Step, ViewedGame, ViewedMove};

/// The game for the viewer.
pub fn viewed(file: &GameFile, shown: &ShownGame, annotated: &[AnnotatedTurn], setup: &Setup) -> ViewedGame {
    let [first, second] = &shown.players;
    let step = |(number, turn): (usize, &ShownTurn)| {
        let found = annotated.iter().find(|turn| turn.event == number);
        step(file, number, turn, &shown.players[turn.player], found, setup)
    };
    ViewedGame {
        name: format!("{}: {first} {}, {second} {}", shown.title, shown.scores[0], shown.scores[1]),
        start: Vec::new(),
        steps: shown.turns.iter().enumerate().map(step).collect(),
    }
}

fn step(
    file: &GameFile,
    number: usize,
    turn: &ShownTurn,
    player: &str,
    annotated: Option<&AnnotatedTurn>,
    setup: &Setup,
) -> Step {
    let (before, after) = (file.before(number, setup), &file.positions[number]);
    let event = &file.game.events[number];
    let [old, new] = [&before, after].map(|position| drawn_tiles(&position.board, &setup.tileset));
    let mut facts = vec![("score", signed(f64::from(turn.score), 0)), ("total", turn.total.to_string())];
    let other = before.scores[1 - event.player];
    facts.push(("opponent", other.to_string()));
    facts.push(("tiles in the bag", before.bag.to_string()));
    if let Some(unseen) = unseen(&setup.tileset, &before.board, &event.rack).filter(|_| !event.rack.is_empty()) {
        facts.push(("unseen tiles", unseen.show(&setup.tileset)));
    }
    facts.extend(turn.comparison().map(|text| ("next to the best", text)));
    facts.extend(event.notes.iter().map(|note| ("note", note.clone())));
    let judged = turn.judged.as_ref();
    Step {
        title: format!("{player}: {}", turn.chosen),
        cost: judged.filter(|judged| judged.is_mistake).map(|judged| format!("mistake: {}", judged.lost())),
        rack: rack_tiles(&event.rack, &setup.tileset),
        facts,
        laid: new.iter().filter(|tile| !old.contains(tile)).cloned().collect(),
        removed: old.iter().filter(|tile| !new.contains(tile)).map(|tile| tile.square).collect(),
        cgp: cgp(&before, event.player, event.rack, setup),
        heads: judged.map_or(&[], |judged| heads(judged)),
        moves: judged.zip(annotated).map_or(Vec::new(), |(judged, annotated)| moves(judged, annotated, &before, setup)),
    }
}

/// The position before a move, as its player saw it.
fn cgp(before: &GcgPosition, player: usize, rack: Rack, setup: &Setup) -> String {
    let scores = [before.scores[player], before.scores[1 - player]];
    write_cgp(setup, &before.board, [rack, Rack::default()], scores, before.scoreless_turns)
}

fn heads(judged: &ShownJudgement) -> &'static [&'static str] {
    match judged.by {
        Basis::Simulation => &["move", "#score", "#win %", "#spread", "#equity"],
        Basis::Endgame => &["move", "#score", "#to the end"],
        Basis::Equity => &["move", "#score", "#equity"],
    }
}

fn moves(judged: &ShownJudgement, annotated: &AnnotatedTurn, before: &GcgPosition, setup: &Setup) -> Vec<ViewedMove> {
    let Ok(judgement) = &annotated.judgement else { return Vec::new() };
    let moves = judged.best.iter().zip(&judgement.moves);
    let view = |(shown, judged_move): (&ShownMove, &JudgedMove)| ViewedMove {
        cells: cells(judged.by, shown),
        laid: laid(&judged_move.chosen, &before.board, &setup.tileset),
        made: shown.made,
    };
    moves.map(view).collect()
}

fn cells(by: Basis, shown: &ShownMove) -> Vec<String> {
    let ShownMove { chosen, score, equity, value, value_error, win, win_error, .. } = shown;
    let mut cells = vec![chosen.clone(), score.to_string()];
    match by {
        Basis::Simulation => {
            let [win, win_error, value_error] = [win, win_error, value_error].map(|figure| figure.unwrap_or(f64::NAN));
            cells.extend([
                format!("{:.1} ± {:.1}", 100.0 * win, 100.0 * NORMAL_95 * win_error),
                format!("{} ± {:.1}", signed(*value, 1), NORMAL_95 * value_error),
                format!("{equity:.1}"),
            ]);
        }
        Basis::Endgame => cells.push(signed(*value, 0)),
        Basis::Equity => cells.push(format!("{equity:.1}")),
    }
    cells
}
