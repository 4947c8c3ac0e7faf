//! `bench endgames`: the cost of solving endgames, the points that a time limit loses, and the errors of the fast evaluator and
//! of static play.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use cpu_time::ThreadTime;
use serde::Serialize;
use tilewright_engine::endgame::fast::FastEvaluator;
use tilewright_engine::endgame::{Limits, Solution, Solver, stuck_tiles};
use tilewright_engine::game::cgp::CgpPosition;
use tilewright_engine::moves::notation;
use tilewright_engine::series::NORMAL_95;
use tilewright_engine::{Game, Generator, Setup, StaticPlayer};

use super::measuring::{Distribution, EndgamesArguments, HEAD, Started, Subject, peak_memory};
use crate::{Failure, loading, output};

pub fn run(arguments: &EndgamesArguments) -> Result<(), Failure> {
    let started = Started::new(&arguments.bench)?;
    let Started { json, setup, player, subject, .. } = &started;
    let mut bench = Bench {
        setup,
        ranker: loading::ranker(player)?,
        solver: Solver::new(setup),
        fast: FastEvaluator::new(setup),
        to_the_end: Limits { nodes: arguments.nodes, ..Limits::default() },
        time: arguments.time,
    };
    let measured = started.measure((arguments.count, "endgames"), 0, |index, game| bench.measure(index, game))?;
    output::show(&EndgameCosts::new(measured, subject.clone(), arguments.time.map(milliseconds)), *json)
}

struct Bench<'a> {
    setup: &'a Setup,
    ranker: &'a StaticPlayer,
    solver: Solver<'a>,
    fast: FastEvaluator<'a>,
    /// The limits of a search to the end of the game.
    to_the_end: Limits,
    time: Option<Duration>,
}

impl Bench<'_> {
    fn measure(&mut self, index: u64, game: &Game) -> Result<EndgameMeasurement, Failure> {
        let begun = ThreadTime::now();
        let solution = self.solver.solve(game, &self.to_the_end)?;
        let solved = begun.elapsed();
        let estimate = self.fast.evaluate(game)?;
        let estimated = begun.elapsed();
        let played_out = self.play_out(game);
        let times = [solved, estimated.saturating_sub(solved), begun.elapsed().saturating_sub(estimated)];
        let stuck = stuck_tiles(self.setup, game)?;
        let tileset = &self.setup.tileset;
        Ok(EndgameMeasurement {
            game: index,
            cgp: CgpPosition::seen_in(game, self.setup).write(tileset),
            solved: solution.is_exact,
            value: solution.value,
            nodes: solution.nodes,
            milliseconds: times.map(milliseconds),
            errors: [estimate.value, played_out].map(|value| f64::from(value - solution.value)),
            turns: estimate.turns,
            stuck: [game.to_move, 1 - game.to_move].map(|player| stuck[player].show(tileset)),
            limited: self.time.map(|time| self.search_within(time, game, &solution)).transpose()?,
        })
    }

    /// Searches for a time, and compares the move with the solution.
    fn search_within(&mut self, time: Duration, game: &Game, solution: &Solution) -> Result<LimitedMeasurement, Failure> {
        let begun = ThreadTime::now();
        let found = self.solver.solve(game, &Limits { time: Some(time), ..Limits::default() })?;
        let elapsed = begun.elapsed();
        let loss = match (solution.is_exact, found.best == solution.best) {
            (false, _) => None,
            (_, true) => Some(0),
            (_, false) => {
                let (low, high) = self.solver.bounds_of(game, &found.best, &self.to_the_end)?;
                (low == high).then_some(solution.value - low)
            }
        };
        Ok(LimitedMeasurement {
            chosen: notation::show(&found.best, game.board(), &self.setup.tileset),
            solved: found.is_exact,
            value: found.value,
            bounds: found.found_bounds(),
            loss,
            milliseconds: milliseconds(elapsed),
        })
    }

    /// The change of the spread, in points, if both sides play the static move to the end.
    fn play_out(&self, game: &Game) -> i32 {
        let mut generator = Generator::new(self.setup);
        let (mover, before) = (game.to_move, game.spread());
        let mut game = game.clone();
        while !game.is_over() {
            let chosen = self.ranker.choose(&mut generator, &game.turn(self.setup));
            game.make(self.setup, &chosen.chosen);
        }
        game.scores[mover] - game.scores[1 - mover] - before
    }
}

fn milliseconds(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}

/// The costs and the errors, printed as a table and written as JSON. Times are CPU time of one thread, values and losses are
/// points from the view of the player to move.
#[derive(schemars::JsonSchema, Serialize)]
pub struct EndgameCosts {
    #[serde(flatten)]
    subject: Subject,
    count: usize,
    solved: usize,
    /// The CPU time of the searches to the end of the game.
    cpu_ms_median: f64,
    cpu_ms_p95: f64,
    cpu_ms_max: f64,
    cpu_ms_mean: f64,
    /// The mean exact loss of the move at the end of the time, over endgames with both values proved. Null without `--time`.
    mean_loss: Option<f64>,
    /// The number of solved endgames in which a rack holds a tile that no play lays.
    stuck: usize,
    /// The mean loss over these endgames.
    mean_loss_stuck: Option<f64>,
    limited: Option<LimitedCosts>,
    nodes: Distribution,
    fast_milliseconds: Distribution,
    playout_milliseconds: Distribution,
    /// Root mean square errors over the solved endgames, in points.
    #[schemars(with = "Option<f64>")]
    fast_error: f64,
    /// The ends of its 95 % interval.
    #[schemars(with = "[Option<f64>; 2]")]
    fast_error_ends: [f64; 2],
    #[schemars(with = "Option<f64>")]
    playout_error: f64,
    #[schemars(with = "[Option<f64>; 2]")]
    playout_error_ends: [f64; 2],
    /// The errors of the fast evaluator, by the number of turns of its variation.
    fast_error_by_turns: Vec<(usize, f64)>,
    peak_memory_megabytes: Option<f64>,
    each: Vec<EndgameMeasurement>,
}

#[derive(schemars::JsonSchema, Serialize)]
struct LimitedCosts {
    milliseconds: f64,
    solved: usize,
    cpu_ms_median: f64,
    cpu_ms_max: f64,
    lost: usize,
    /// The number of solved endgames in which the loss is not proved: the value of the move needs more than `--nodes` positions.
    unproved: usize,
    loss_max: i32,
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct EndgameMeasurement {
    pub game: u64,
    /// The position for `solve`.
    pub cgp: String,
    pub solved: bool,
    /// The points that the player to move gains on the opponent, as found by the search.
    pub value: i32,
    pub nodes: u64,
    /// CPU times of the solver, of the fast evaluator and of static play to the end, in milliseconds.
    pub milliseconds: [f64; 3],
    /// Errors of the fast evaluator and of static play to the end, in points.
    pub errors: [f64; 2],
    /// Turns of the fast evaluator's variation.
    pub turns: usize,
    /// The stuck tiles of the player to move and of the opponent: no play lays a tile of their kind.
    pub stuck: [String; 2],
    pub limited: Option<LimitedMeasurement>,
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct LimitedMeasurement {
    #[serde(rename = "move")]
    pub chosen: String,
    pub solved: bool,
    /// The value found by the search.
    pub value: i32,
    /// The lower and upper bound of the value that the search has proved, or null.
    pub bounds: [Option<i32>; 2],
    /// The exact value less the value of the move, or null if one of them is not proved.
    pub loss: Option<i32>,
    pub milliseconds: f64,
}

impl EndgameCosts {
    /// The costs. `limit` is the time of the limited searches in milliseconds.
    pub fn new(each: Vec<EndgameMeasurement>, subject: Subject, limit: Option<f64>) -> EndgameCosts {
        let milliseconds = |which: usize| Distribution::from_numbers(each.iter().map(|one| one.milliseconds[which]));
        let solved: Vec<&EndgameMeasurement> = each.iter().filter(|one| one.solved).collect();
        let is_stuck = |one: &&EndgameMeasurement| one.stuck.iter().any(|tiles| !tiles.is_empty());
        let stuck: Vec<&EndgameMeasurement> = solved.iter().copied().filter(is_stuck).collect();
        let squares = [0, 1].map(|which: usize| solved.iter().map(|one| one.errors[which].powi(2)).collect::<Vec<_>>());
        let [fast_error, playout_error] = squares.each_ref().map(|squares| mean(squares).sqrt());
        let [fast_error_ends, playout_error_ends] = squares.each_ref().map(|squares| interval_of_root(squares));
        let mut by_turns: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (one, square) in solved.iter().zip(&squares[0]) {
            by_turns.entry(one.turns).or_default().push(*square);
        }
        let solving = milliseconds(0);
        EndgameCosts {
            subject,
            count: each.len(),
            solved: solved.len(),
            cpu_ms_median: solving.median,
            cpu_ms_p95: solving.percentile_95,
            cpu_ms_max: solving.most,
            cpu_ms_mean: solving.mean,
            mean_loss: mean_loss(&solved),
            stuck: stuck.len(),
            mean_loss_stuck: mean_loss(&stuck),
            limited: limit.map(|limit| LimitedCosts::new(&each, limit)),
            nodes: Distribution::from_numbers(each.iter().map(|one| one.nodes as f64)),
            fast_milliseconds: milliseconds(1),
            playout_milliseconds: milliseconds(2),
            fast_error,
            fast_error_ends,
            playout_error,
            playout_error_ends,
            fast_error_by_turns: by_turns.iter().map(|(&turns, squares)| (turns, mean(squares).sqrt())).collect(),
            peak_memory_megabytes: peak_memory(),
            each,
        }
    }
}

impl LimitedCosts {
    fn new(measured: &[EndgameMeasurement], limit: f64) -> LimitedCosts {
        let searches = || measured.iter().filter_map(|one| one.limited.as_ref());
        let times = Distribution::from_numbers(searches().map(|search| search.milliseconds));
        // Only a solved endgame has a loss.
        let losses = || searches().filter_map(|search| search.loss);
        LimitedCosts {
            milliseconds: limit,
            solved: searches().filter(|search| search.solved).count(),
            cpu_ms_median: times.median,
            cpu_ms_max: times.most,
            lost: losses().filter(|&loss| loss > 0).count(),
            unproved: measured.iter().filter(|one| one.solved).count() - losses().count(),
            loss_max: losses().max().unwrap_or_default(),
        }
    }
}

/// The mean loss over these endgames, or `None` if none of them has a loss.
fn mean_loss(measured: &[&EndgameMeasurement]) -> Option<f64> {
    let losses = measured.iter().filter_map(|one| one.limited.as_ref()?.loss);
    let losses: Vec<f64> = losses.map(f64::from).collect();
    (!losses.is_empty()).then(|| mean(&losses))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The 95 % interval of the root of the mean of some squares.
fn interval_of_root(squares: &[f64]) -> [f64; 2] {
    let (middle, count) = (mean(squares), squares.len() as f64);
    let variance =
        mean(&squares.iter().map(|square| (square - middle).powi(2)).collect::<Vec<_>>()) / (count - 1.0).max(1.0);
    [-1.0, 1.0].map(|side| (middle + side * NORMAL_95 * variance.sqrt()).max(0.0).sqrt())
}

impl fmt::Display for EndgameCosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EndgameCosts { subject, count, solved, fast_error, playout_error, .. } = self;
        let EndgameCosts { cpu_ms_median, cpu_ms_p95, cpu_ms_max, cpu_ms_mean, .. } = self;
        writeln!(f, "{subject}: {count} endgames, {solved} solved\n{HEAD}")?;
        write!(f, "{:<26}{cpu_ms_median:>12.2}{cpu_ms_p95:>12.2}", "solving, CPU-ms")?;
        writeln!(f, "{cpu_ms_max:>12.2}{cpu_ms_mean:>12.2}")?;
        writeln!(f, "{:<26}{}", "positions", self.nodes)?;
        writeln!(f, "{:<26}{}", "fast evaluator, CPU-ms", self.fast_milliseconds)?;
        writeln!(f, "{:<26}{}", "static play, CPU-ms", self.playout_milliseconds)?;
        writeln!(f, "root mean square error in points: fast evaluator {fast_error:.2}, static play {playout_error:.2}")?;
        let by_turns: Vec<String> =
            self.fast_error_by_turns.iter().map(|(turns, error)| format!("{turns}: {error:.2}")).collect();
        write!(f, "error of the fast evaluator by turns of its variation: {}", by_turns.join(", "))?;
        let Some(LimitedCosts { milliseconds, solved, lost, unproved, loss_max, .. }) = &self.limited else { return Ok(()) };
        let loss = |loss: Option<f64>| loss.map_or("unknown".into(), |loss| format!("{loss:.3}"));
        let (all, stuck) = (loss(self.mean_loss), loss(self.mean_loss_stuck));
        write!(
            f,
            "\nwithin {milliseconds} ms: {solved} solved, mean loss {all} points, with a stuck tile {stuck} ({} endgames); ",
            self.stuck
        )?;
        write!(f, "{lost} moves lost points, at most {loss_max}; {unproved} losses are not proved")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_an_error_is_that_of_its_squares() {
        let [low, high] = interval_of_root(&[1.0, 9.0, 25.0, 1.0]);
        // The squares have mean 9 and variance (64 + 0 + 256 + 64) / 3 = 128, their mean 32.
        assert!((low - 0.0).abs() < 1e-12 && (high - (9.0 + NORMAL_95 * 32f64.sqrt()).sqrt()).abs() < 1e-9, "{low} {high}");
    }
}
