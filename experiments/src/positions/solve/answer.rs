//! The answer to an endgame.

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use tilewright_engine::endgame::fast::Estimate;
use tilewright_engine::endgame::{MoveValue, Solution};
use tilewright_engine::moves::{Move, notation};
use tilewright_engine::{Game, Setup};

use crate::report::html::signed;

/// The answer, printed and written as JSON. Values are in points, from the view of the player to move.
#[derive(Default, schemars::JsonSchema, Serialize)]
pub struct EndgameAnswer {
    /// The line of the file of `--cgp-file`, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
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
    /// The proved lower and upper bound of the value. A bound is null as long as the search has found none. The fast evaluator
    /// finds none.
    bounds: [Option<i32>; 2],
    /// 0–1, estimated only by the fast evaluator.
    win_probability: Option<f64>,
    best: String,
    line: Vec<ShownMove>,
    /// The best moves with their exact values, if `--best` asks for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    best_moves: Vec<ShownMove>,
    nodes: u64,
    seconds: f64,
    /// CPU time in milliseconds.
    cpu_ms: f64,
    /// The moves of the line.
    #[serde(skip)]
    pub moves: Vec<Move>,
}

#[derive(schemars::JsonSchema, Serialize)]
struct ShownMove {
    #[serde(rename = "move")]
    chosen: String,
    score: i32,
    /// The exact value of one of the best moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i32>,
}

impl ShownMove {
    fn new(chosen: &Move, value: Option<i32>, game: &Game, setup: &Setup) -> ShownMove {
        ShownMove { chosen: notation::show(chosen, game.board(), &setup.tileset), score: chosen.score(), value }
    }
}

/// The moves of a line in notation, each on the board after the moves before it.
fn line(setup: &Setup, game: &Game, moves: &[Move]) -> Vec<ShownMove> {
    let mut game = game.clone();
    let show = |chosen: &Move| {
        let shown = ShownMove::new(chosen, None, &game, setup);
        game.make(setup, chosen);
        shown
    };
    moves.iter().map(show).collect()
}

impl EndgameAnswer {
    /// The answer that a line is worth so much, with nothing proved.
    fn new(setup: &Setup, game: &Game, value: i32, moves: Vec<Move>) -> EndgameAnswer {
        let tileset = &setup.tileset;
        let line = line(setup, game, &moves);
        EndgameAnswer {
            rack: game.rack().show(tileset),
            opponent_rack: game.racks[1 - game.to_move].show(tileset),
            lexicon: setup.lexicon.name.clone(),
            tileset: tileset.name().into(),
            spread: game.spread(),
            value,
            final_spread: game.spread() + value,
            best: line.first().map(|played| played.chosen.clone()).unwrap_or_default(),
            line,
            moves,
            ..EndgameAnswer::default()
        }
    }

    /// The answer of a search, and the best moves if their values were calculated.
    pub fn from_solution(setup: &Setup, game: &Game, solution: Solution, best: &[MoveValue]) -> EndgameAnswer {
        let bounds = solution.found_bounds();
        let Solution { value, line, nodes, is_exact: exact, .. } = solution;
        let best_move = |best: &MoveValue| ShownMove::new(&best.chosen, Some(best.value), game, setup);
        let best_moves = best.iter().map(best_move).collect();
        EndgameAnswer { exact, bounds, best_moves, nodes, ..EndgameAnswer::new(setup, game, value, line) }
    }

    pub fn from_estimate(setup: &Setup, game: &Game, estimate: &Estimate) -> EndgameAnswer {
        let Estimate { value, win_probability, best, .. } = *estimate;
        EndgameAnswer { win_probability: Some(win_probability), ..EndgameAnswer::new(setup, game, value, vec![best]) }
    }

    /// The same with the time and the CPU time of the search.
    #[must_use]
    pub fn timed(self, time: Duration, cpu: Duration) -> EndgameAnswer {
        EndgameAnswer { seconds: time.as_secs_f64(), cpu_ms: 1000.0 * cpu.as_secs_f64(), ..self }
    }

    fn certainty(&self) -> String {
        if let Some(win) = self.win_probability {
            return format!("estimate, win probability {:.1} %", 100.0 * win);
        }
        match self.bounds {
            _ if self.exact => "exact".into(),
            [Some(lower), Some(upper)] => format!("best so far, bounds {lower:+} to {upper:+}"),
            [Some(lower), None] => format!("best so far, at least {lower:+}, no upper bound yet"),
            [None, Some(upper)] => format!("best so far, at most {upper:+}, no lower bound yet"),
            [None, None] => "best so far, no bounds yet".into(),
        }
    }

    /// The values in a sentence.
    pub fn in_words(&self) -> String {
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
        if !self.best_moves.is_empty() {
            writeln!(f, "exact values of the best moves:")?;
        }
        for ShownMove { chosen, score, value } in &self.best_moves {
            writeln!(f, "{:>+5} {chosen} {score:+}", value.unwrap_or_default())?;
        }
        write!(f, "{} positions, {:.3} s", self.nodes, self.seconds)
    }
}
