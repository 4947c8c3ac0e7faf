//! `moves`: the best moves of a position, as a player ranks them or, if it looks ahead, as it expects them to end.

use std::fmt;

use serde::Serialize;
use tilewright_engine::layout::Direction;
use tilewright_engine::moves::{Move, notation};
use tilewright_engine::player::{Basis, JudgedMove};
use tilewright_engine::rng::stream;
use tilewright_engine::series::Estimate;
use tilewright_engine::{Equity, Game, Generator, Monitor, Player, Setup};

use super::flags::MovesArguments;
use super::given::Given;
use super::position::Position;
use crate::report::html::{grouped, signed, with_half};
use crate::{Failure, Progress, loading, output};

/// The best moves, printed as a table and written as JSON. Values are in points, from the view of the player to move.
#[derive(schemars::JsonSchema, Serialize)]
pub struct BestMoves {
    rack: String,
    /// Tiles in the bag.
    bag: usize,
    player: String,
    /// The move that the player makes.
    choice: String,
    /// How the moves are compared.
    by: Basis,
    lexicon: String,
    tileset: String,
    legal_moves: usize,
    moves: Vec<MoveRow>,
}

#[derive(schemars::JsonSchema, Serialize)]
struct MoveRow {
    #[serde(rename = "move")]
    chosen: String,
    score: i32,
    leave: String,
    leave_value: f64,
    equity: f64,
    /// The win probability, 0–1, if the player looked ahead. Its interval is null if no deals gave it.
    win: Option<Estimate>,
    /// The expected change of the spread, if the player looked ahead.
    spread: Option<Estimate>,
}

/// Prints the best moves of a position.
pub fn run(arguments: &MovesArguments) -> Result<(), Failure> {
    let [html, json] = arguments.files.new_files()?;
    let given = Given::new(arguments.cgp.as_deref(), &arguments.recorded, &arguments.flags.game)?;
    let setup = given.start(&arguments.flags, &arguments.board.tables, arguments.player.as_ref())?;
    let game = arguments.flags.game.with_tables(&arguments.board.tables);
    let player = loading::player_or_default(arguments.player.as_ref(), &setup, &game)?;
    let position = Position::read(&arguments.board, &given, &setup)?;
    let dealt = match player.as_static() {
        Some(_) => position.dealt(&setup, stream(0, "position", 0))?,
        None => position.game(&setup, arguments.flags.seed.unwrap_or(1))?,
    };
    let looking = Progress::waiting(game.quiet || player.as_static().is_some(), &format!("{} looks ahead", player.name));
    let (by, mut moves, legal_moves) = judged(&player, &dealt, &setup, &looking)?;
    looking.finish();
    if looking.is_stopped() {
        return Err(Failure::Interrupted("the player has not chosen its move".into()));
    }
    moves.truncate(arguments.top as usize);
    let rows: Vec<MoveRow> = moves.iter().map(|judged| row_of_move(judged, &position, &setup)).collect();
    let result = BestMoves {
        rack: position.rack.show(&setup.tileset),
        bag: position.bag,
        choice: rows.first().map_or(String::new(), |row| row.chosen.clone()),
        by,
        player: player.name,
        lexicon: setup.lexicon.name.clone(),
        tileset: setup.tileset.name().into(),
        legal_moves,
        moves: rows,
    };
    output::show_and_page(&result, json, html, || page(&result, &moves, &position, &setup))
}

/// The moves of the player, its choice first, and the number of legal moves. The first play is the same across and down.
fn judged(
    player: &Player,
    game: &Game,
    setup: &Setup,
    looking: &Progress,
) -> Result<(Basis, Vec<JudgedMove>, usize), Failure> {
    let mut generator = Generator::new(setup);
    let mut ranked = loading::ranker(player)?.rank(&mut generator, &game.turn(setup));
    if game.board().is_empty() && setup.layout.is_symmetric() {
        ranked.retain(|valued| !matches!(&valued.chosen, Move::Play(play) if play.direction == Direction::Down));
    }
    let legal = ranked.len();
    if let Some((by, moves)) = player.judge(&mut generator, game, None, looking) {
        return Ok((by, moves, legal));
    }
    if player.as_static().is_none() {
        let choice = player.choose(&mut generator, game).chosen;
        ranked.sort_by_key(|valued| valued.chosen != choice);
    }
    Ok((Basis::Equity, ranked.iter().map(|&valued| JudgedMove::ranked(valued)).collect(), legal))
}

fn page(result: &BestMoves, moves: &[JudgedMove], position: &Position, setup: &Setup) -> Result<String, Failure> {
    let (legal, player) = (grouped(result.legal_moves as u64), &result.player);
    let rows = moves.iter().zip(&result.moves);
    if result.by == Basis::Equity {
        let cells = |row: &MoveRow| {
            let values = [row.leave_value, row.equity].map(|value| signed(value, 2));
            [vec![row.chosen.clone(), row.score.to_string(), row.leave.clone()], values.to_vec()].concat()
        };
        let how = format!("The best of {legal} legal moves, ranked by {player}.");
        let heads = &["move", "#score", "leave", "#leave value", "#equity"];
        return position.page_of_moves(setup, "moves", &how, heads, rows.map(|(judged, row)| (judged.chosen, cells(row))));
    }
    let cells = |row: &MoveRow| {
        let [win, spread] = row.expectations();
        vec![row.chosen.clone(), row.score.to_string(), row.leave.clone(), signed(row.equity, 1), win, spread]
    };
    let how = format!(
        "The moves among {legal} legal ones that {player} looked at, by {}. The first is its choice. What follows ± is half of the \
         95 % interval.",
        result.by
    );
    let heads = &["move", "#score", "leave", "#equity", "#win %", "#spread"];
    position.page_of_moves(setup, "moves", &how, heads, rows.map(|(judged, row)| (judged.chosen, cells(row))))
}

impl MoveRow {
    /// The win probability in percent and the spread, each with half of its interval.
    fn expectations(&self) -> [String; 2] {
        let win = self.win.map(|win| win.times(100.0));
        let win = win.map_or(String::new(), |win| with_half(format!("{:.2}", win.mean), win, 2));
        [win, self.spread.map_or(String::new(), |spread| with_half(signed(spread.mean, 2), spread, 2))]
    }
}

fn row_of_move(judged: &JudgedMove, position: &Position, setup: &Setup) -> MoveRow {
    let JudgedMove { chosen, equity, expected, .. } = judged;
    let score = chosen.score();
    MoveRow {
        chosen: notation::show(chosen, &position.board, &setup.tileset),
        score,
        leave: position.leave(chosen, &setup.tileset),
        leave_value: (*equity - Equity::from_points(score)).points(),
        equity: equity.points(),
        win: expected.map(|[_, win]| win.into()),
        spread: expected.map(|[spread, _]| spread.into()),
    }
}

impl fmt::Display for BestMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = output::width(6, self.moves.iter().map(|row| &row.chosen));
        let leaves = output::width(6, self.moves.iter().map(|row| &row.leave));
        let looks_ahead = self.by != Basis::Equity;
        write!(f, "  # {:<moves$} score  {:<leaves$}  leave value    equity", "move", "leave")?;
        writeln!(f, "{}", if looks_ahead { "         win %          spread" } else { "" })?;
        for (number, row) in (1..).zip(&self.moves) {
            let MoveRow { chosen, score, leave, leave_value, equity, .. } = row;
            write!(f, "{number:>3} {chosen:<moves$} {score:>5}  {leave:<leaves$}  {leave_value:>11.2} {equity:>9.2}")?;
            let [win, spread] = row.expectations();
            writeln!(f, "{}", if looks_ahead { format!("{win:>14} {spread:>15}") } else { String::new() })?;
        }
        let BestMoves { player, by, choice, legal_moves, .. } = self;
        if looks_ahead {
            writeln!(
                f,
                "{player} plays {choice}: the best by {by} of the moves that it looked at, of {legal_moves} legal ones"
            )?;
            return write!(
                f,
                "± is half of a 95 % interval. spread: expected growth of the lead, in points. The player may weigh equities, too."
            );
        }
        write!(f, "{legal_moves} legal moves")
    }
}
