//! `bench endgames`: the cost of solving endgames, and the errors of the fast evaluator and of static play.

use std::fmt;

use cpu_time::ThreadTime;
use serde::Serialize;
use tilewright_engine::deals::Purpose;
use tilewright_engine::endgame::fast::FastEvaluator;
use tilewright_engine::endgame::{Limits, Solver};
use tilewright_engine::game::Game;
use tilewright_engine::game::cgp::CgpPosition;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::series::NORMAL_95;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;

use super::distribution::{Distribution, HEAD};
use super::flags::{BenchFlags, EndgamesArguments};
use crate::failure::Failure;
use crate::loading;
use crate::output::{self, NewFile};
use crate::progress::Progress;

/// The costs and the errors, printed as a table and written as JSON. Times are CPU time of one thread.
#[derive(Serialize)]
struct EndgameCosts {
    lexicon: String,
    tileset: String,
    player: String,
    seed: u64,
    endgames: usize,
    solved: usize,
    solve_milliseconds: Distribution,
    nodes: Distribution,
    fast_milliseconds: Distribution,
    playout_milliseconds: Distribution,
    /// Root mean square errors over the solved endgames, in points.
    fast_error: f64,
    /// The ends of its 95 % interval.
    fast_error_ends: [f64; 2],
    playout_error: f64,
    playout_error_ends: [f64; 2],
    /// The errors of the fast evaluator, by the number of turns of its variation.
    fast_error_by_turns: Vec<(usize, f64)>,
    each: Vec<EndgameMeasurement>,
}

/// The measurements of one endgame.
#[derive(Serialize)]
struct EndgameMeasurement {
    /// The number of its game.
    game: u64,
    /// The position for `solve`.
    cgp: String,
    solved: bool,
    /// The points that the player to move gains on the opponent, as far as the solver knows.
    value: i32,
    nodes: u64,
    /// CPU times of the solver, of the fast evaluator and of static play to the end, in milliseconds.
    milliseconds: [f64; 3],
    /// Errors of the fast evaluator and of static play to the end, in points.
    errors: [f64; 2],
    /// Turns of the fast evaluator's variation.
    turns: usize,
}

/// Runs `bench endgames` on endgames of self-play.
pub fn run(arguments: &EndgamesArguments) -> Result<(), Failure> {
    let BenchFlags { flags, player, tables, json } = &arguments.bench;
    let json = NewFile::new(json.as_deref())?;
    let setup = loading::start(flags)?;
    let player = loading::player(player, &setup, &flags.common.game.with_tables(tables))?;
    let ranker = loading::ranker(&player)?;
    let seed = flags.common.seed.unwrap_or(1);
    let progress = Progress::new(flags.common.game.quiet);
    progress.begin("bench", arguments.count, "endgames");
    let mut generator = Generator::new(&setup);
    let (mut solver, mut fast) = (Solver::new(&setup), FastEvaluator::new(&setup));
    let limits = Limits { nodes: arguments.nodes, ..Limits::default() };
    let mut measured = Vec::new();
    let games = (0..).filter_map(|index| Some((index, endgame(&mut generator, &player, seed, index)?)));
    for (index, game) in games.take(arguments.count as usize) {
        let measurement = measure(&setup, ranker, (&game, &limits), &mut solver, &mut fast)?;
        measured.push(EndgameMeasurement { game: index, ..measurement });
        if progress.is_stopped() {
            return Err(Failure::Interrupted("nothing was written".into()));
        }
        progress.advance(1);
    }
    progress.finish();
    output::show(&table(measured, &setup, &player, seed), json)
}

/// Game `index` when its bag becomes empty, unless the game ends before.
fn endgame(generator: &mut Generator<'_>, player: &Player, seed: u64, index: u64) -> Option<Game> {
    let setup = generator.setup();
    let mut game = Game::deal(setup, Purpose::Match.deals(seed), index);
    while !game.is_over() && !game.bag.is_empty() {
        let chosen = player.choose(generator, &game).chosen;
        game.make(setup, &chosen);
    }
    (!game.is_over()).then_some(game)
}

fn measure(
    setup: &Setup,
    ranker: &StaticPlayer,
    (game, limits): (&Game, &Limits),
    solver: &mut Solver<'_>,
    fast: &mut FastEvaluator<'_>,
) -> Result<EndgameMeasurement, Failure> {
    let begun = ThreadTime::now();
    let solution = solver.solve(game, limits)?;
    let solved = begun.elapsed();
    let estimate = fast.evaluate(game)?;
    let estimated = begun.elapsed();
    let played_out = play_out(setup, ranker, game);
    let times = [solved, estimated.saturating_sub(solved), begun.elapsed().saturating_sub(estimated)];
    Ok(EndgameMeasurement {
        game: 0,
        cgp: CgpPosition::seen_in(game, setup).write(&setup.tileset),
        solved: solution.is_exact,
        value: solution.value,
        nodes: solution.nodes,
        milliseconds: times.map(|time| time.as_secs_f64() * 1000.0),
        errors: [estimate.value, played_out].map(|value| f64::from(value - solution.value)),
        turns: estimate.turns,
    })
}

/// The change of the spread, in points, if both sides play the static move to the end.
fn play_out(setup: &Setup, ranker: &StaticPlayer, game: &Game) -> i32 {
    let mut generator = Generator::new(setup);
    let (mover, before) = (game.to_move, game.spread());
    let mut game = game.clone();
    while !game.is_over() {
        let chosen = ranker.choose(&mut generator, &game.turn(setup));
        game.make(setup, &chosen.chosen);
    }
    game.scores[mover] - game.scores[1 - mover] - before
}

fn table(each: Vec<EndgameMeasurement>, setup: &Setup, player: &Player, seed: u64) -> EndgameCosts {
    let measured = &each;
    let milliseconds = |which: usize| Distribution::from_numbers(measured.iter().map(move |one| one.milliseconds[which]));
    let squares = |which: usize, chosen: &dyn Fn(&EndgameMeasurement) -> bool| -> Vec<f64> {
        measured.iter().filter(|one| one.solved && chosen(one)).map(|one| one.errors[which].powi(2)).collect()
    };
    let error = |which, chosen: &dyn Fn(&EndgameMeasurement) -> bool| mean(&squares(which, chosen)).sqrt();
    let ends = |which| interval_of_root(&squares(which, &|_| true));
    let most = measured.iter().map(|one| one.turns).max().unwrap_or_default();
    let turns = (1..=most).filter(|&turns| measured.iter().any(|one| one.solved && one.turns == turns));
    EndgameCosts {
        lexicon: setup.lexicon.name.clone(),
        tileset: setup.tileset.name().into(),
        player: player.name.clone(),
        seed,
        endgames: measured.len(),
        solved: measured.iter().filter(|one| one.solved).count(),
        solve_milliseconds: milliseconds(0),
        nodes: Distribution::from_numbers(measured.iter().map(|one| one.nodes as f64)),
        fast_milliseconds: milliseconds(1),
        playout_milliseconds: milliseconds(2),
        fast_error: error(0, &|_| true),
        fast_error_ends: ends(0),
        playout_error: error(1, &|_| true),
        playout_error_ends: ends(1),
        fast_error_by_turns: turns.map(|turns| (turns, error(0, &|one| one.turns == turns))).collect(),
        each,
    }
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
        let EndgameCosts { lexicon, tileset, player, endgames, solved, fast_error, playout_error, .. } = self;
        writeln!(f, "{lexicon}, {tileset}, {player}: {endgames} endgames, {solved} solved\n{HEAD}")?;
        writeln!(f, "{:<26}{}", "solving, CPU-ms", self.solve_milliseconds)?;
        writeln!(f, "{:<26}{}", "positions", self.nodes)?;
        writeln!(f, "{:<26}{}", "fast evaluator, CPU-ms", self.fast_milliseconds)?;
        writeln!(f, "{:<26}{}", "static play, CPU-ms", self.playout_milliseconds)?;
        writeln!(f, "root mean square error in points: fast evaluator {fast_error:.2}, static play {playout_error:.2}")?;
        let by_turns: Vec<String> =
            self.fast_error_by_turns.iter().map(|(turns, error)| format!("{turns}: {error:.2}")).collect();
        write!(f, "error of the fast evaluator by turns of its variation: {}", by_turns.join(", "))
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
