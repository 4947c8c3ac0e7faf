//! `solve`: the best line with an empty bag, or the best move with few tiles in the bag.

use std::fmt;
use std::time::{Duration, Instant};

use serde::Serialize;
use tilewright_engine::endgame::fast::{Estimate, FastEvaluator};
use tilewright_engine::endgame::{self, Limits, Solution};
use tilewright_engine::game::{Game, unseen};
use tilewright_engine::moves::{Move, notation};
use tilewright_engine::pre_endgame::MAX_BAG;
use tilewright_engine::rack::Rack;
use tilewright_engine::rng::stream;
use tilewright_engine::setup::Setup;

use super::flags::SolveArguments;
use super::page::Seen;
use super::position::{read_cgp, start};
use crate::failure::{Failure, Input};
use crate::output;
use crate::report::html::signed;

mod pre_endgame;

/// The answer, printed and written as JSON. Values are in points, from the view of the player to move.
#[derive(Serialize)]
struct EndgameAnswer {
    rack: String,
    opponent_rack: String,
    lexicon: String,
    tileset: String,
    /// Before the move.
    spread: i32,
    /// The change of the spread to the end of the game.
    value: i32,
    final_spread: i32,
    exact: bool,
    /// The proved lower and upper bound of the value; null for the fast evaluator, which proves nothing.
    bounds: Option<[i32; 2]>,
    /// 0–1; only the fast evaluator estimates it.
    win_probability: Option<f64>,
    best: String,
    line: Vec<LineMove>,
    nodes: u64,
    seconds: f64,
}

/// A move of the best line.
#[derive(Serialize)]
struct LineMove {
    #[serde(rename = "move")]
    chosen: String,
    score: i32,
}

/// `solve`.
pub fn run(arguments: &SolveArguments) -> Result<(), Failure> {
    let [html, json] = arguments.files.new_files()?;
    let setup = start(&arguments.flags, Some(&arguments.cgp))?;
    let game = position(arguments, &setup)?;
    if !game.bag.is_empty() {
        return pre_endgame::run(arguments, &setup, &game, html, json);
    }
    let begun = Instant::now();
    let result = if arguments.fast {
        EndgameResult::from_estimate(FastEvaluator::new(&setup).evaluate(&game).input()?)
    } else {
        let limits = Limits {
            nodes: arguments.nodes,
            time: arguments.time.map(Duration::from_secs_f64),
            first_win: arguments.first_win,
        };
        EndgameResult::from_solution(endgame::solve(&setup, &game, &limits).input()?)
    };
    let answer = result.answer(&setup, &game, begun.elapsed().as_secs_f64());
    let page = || Seen::page_of_line(&game, &setup, &result.line, &answer.in_words());
    output::show_and_page(&answer, json, html, page)
}

/// The game of the CGP.
fn position(arguments: &SolveArguments, setup: &Setup) -> Result<Game, Failure> {
    let tileset = &setup.tileset;
    let given = read_cgp(&arguments.cgp, arguments.any_board, setup)?;
    let rack = match &arguments.rack {
        Some(text) => Rack::parse(text, tileset).input()?,
        None => given.racks[0],
    };
    if rack.is_empty() {
        return Err(Failure::input("no rack; name one in --cgp, or with --rack AEINRST"));
    }
    let unseen = unseen(&setup.tileset, &given.board, &rack).ok_or_else(|| {
        let (rack, name) = (rack.show(tileset), tileset.name());
        Failure::input(format!("board and rack {rack} together hold more tiles of a kind than the {name} tile set has"))
    })?;
    check_racks(setup, &rack, &given.racks[1], &unseen)?;
    let game = Game::from_position(setup, given.board, rack, given.scores, stream(0, "solve", 0));
    let mut game = game.ok_or_else(|| Failure::input("board and rack hold more tiles of a kind than the tile set has"))?;
    game.scoreless_turns = given.scoreless_turns;
    Ok(game)
}

/// Checks that the racks and the bag are possible: the opponent's rack is among the unseen tiles, the bag is not too full,
/// and both racks are full while the bag has tiles.
fn check_racks(setup: &Setup, own: &Rack, opponent: &Rack, unseen: &Rack) -> Result<(), Failure> {
    let (tileset, full) = (&setup.tileset, setup.tileset.rules().rack_size);
    if !unseen.contains(opponent) {
        let (opponent, unseen) = (opponent.show(tileset), unseen.show(tileset));
        return Err(Failure::input(format!(
            "the opponent's rack {opponent} is not among the unseen tiles, which are {unseen}"
        )));
    }
    let held = if opponent.is_empty() { full.min(unseen.size()) } else { opponent.size() };
    let bag = unseen.size() - held;
    if bag > MAX_BAG {
        return Err(Failure::input(format!(
            "{} tiles are unseen: {held} on the opponent's rack and {bag} in the bag; solve takes positions with up to \
             {MAX_BAG} tiles in the bag",
            unseen.size(),
        )));
    }
    for (whose, size) in [("the rack", own.size()), ("the opponent's rack", held)] {
        if bag > 0 && size < full {
            return Err(Failure::input(format!(
                "{whose} holds too few tiles ({size}) with {bag} in the bag: until that is empty, racks are filled up to {full}"
            )));
        }
    }
    Ok(())
}

/// The result of a search or of an estimate.
struct EndgameResult {
    value: i32,
    is_exact: bool,
    bounds: Option<(i32, i32)>,
    win_probability: Option<f64>,
    line: Vec<Move>,
    nodes: u64,
}

impl EndgameResult {
    fn from_solution(Solution { value, bounds, line, nodes, is_exact, .. }: Solution) -> EndgameResult {
        EndgameResult { value, is_exact, bounds: Some(bounds), win_probability: None, line, nodes }
    }

    fn from_estimate(Estimate { value, win_probability, best, .. }: Estimate) -> EndgameResult {
        let win_probability = Some(win_probability);
        EndgameResult { value, is_exact: false, bounds: None, win_probability, line: vec![best], nodes: 0 }
    }

    fn answer(&self, setup: &Setup, game: &Game, seconds: f64) -> EndgameAnswer {
        let tileset = &setup.tileset;
        let line = line(setup, game, &self.line);
        EndgameAnswer {
            rack: game.rack().show(tileset),
            opponent_rack: game.racks[1 - game.to_move].show(tileset),
            lexicon: setup.lexicon.name.clone(),
            tileset: tileset.name().into(),
            spread: game.spread(),
            value: self.value,
            final_spread: game.spread() + self.value,
            exact: self.is_exact,
            bounds: self.bounds.map(|(lower, upper)| [lower, upper]),
            win_probability: self.win_probability,
            best: line.first().map(|played| played.chosen.clone()).unwrap_or_default(),
            line,
            nodes: self.nodes,
            seconds,
        }
    }
}

/// The moves of a line in notation, each on the board after the moves before it.
fn line(setup: &Setup, game: &Game, moves: &[Move]) -> Vec<LineMove> {
    let mut game = game.clone();
    let show = |chosen: &Move| {
        let shown = LineMove { chosen: notation::show(chosen, &game.board, &setup.tileset), score: chosen.score() };
        game.make(setup, chosen);
        shown
    };
    moves.iter().map(show).collect()
}

impl EndgameAnswer {
    fn certainty(&self) -> String {
        match (self.bounds, self.win_probability) {
            (Some(_), _) if self.exact => "exact".into(),
            (Some([lower, upper]), _) => format!("best so far, bounds {lower:+} to {upper:+}"),
            (None, win) => format!("estimate, win probability {:.1} %", 100.0 * win.unwrap_or(f64::NAN)),
        }
    }

    /// The values in a sentence.
    fn in_words(&self) -> String {
        let points = |points: i32| signed(f64::from(points), 0);
        format!(
            "{} against {}: the line is worth {} points, and the game ends {} ({}).",
            self.rack,
            self.opponent_rack,
            points(self.value),
            points(self.final_spread),
            self.certainty()
        )
    }
}

impl fmt::Display for EndgameAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} against {}, spread {:+}", self.rack, self.opponent_rack, self.spread)?;
        writeln!(f, "value {:+}, final spread {:+} ({})", self.value, self.final_spread, self.certainty())?;
        for (number, played) in (1..).zip(&self.line) {
            writeln!(f, "{number:>3} {} {:+}", played.chosen, played.score)?;
        }
        write!(f, "{} positions, {:.3} s", self.nodes, self.seconds)
    }
}
