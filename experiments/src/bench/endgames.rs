//! `bench --endgames`: what solving endgames costs, and how far off the quick ways are.

use std::time::Duration;

use cpu_time::ThreadTime;
use serde::Serialize;
use tilewright_engine::artefact::write_atomically;
use tilewright_engine::deals::Purpose;
use tilewright_engine::endgame::fast::FastEvaluator;
use tilewright_engine::endgame::{Limits, Solver};
use tilewright_engine::game::Game;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::setup::Setup;

use super::flags::BenchArguments;
use crate::failure::Failure;
use crate::loading;
use crate::output::say;
use crate::progress::Progress;

/// The table as JSON. Times are CPU time of one thread.
#[derive(Serialize)]
struct EndgamesJson {
    lexicon: String,
    tileset: String,
    player: String,
    seed: u64,
    endgames: usize,
    solved: usize,
    solve_milliseconds: Spread,
    nodes: Spread,
    fast_milliseconds: Spread,
    playout_milliseconds: Spread,
    /// Roots of the mean squares of the differences from the solution where there is one, in points.
    fast_error: f64,
    playout_error: f64,
    /// The fast evaluator's, by the turns of its variation from 1 on.
    fast_error_by_turns: Vec<(usize, f64)>,
}

#[derive(Serialize)]
pub(super) struct Spread {
    pub median: f64,
    pub percentile_95: f64,
    pub most: f64,
    pub mean: f64,
}

impl Spread {
    pub(super) fn of(numbers: impl Iterator<Item = f64>) -> Spread {
        let mut numbers: Vec<f64> = numbers.collect();
        numbers.sort_by(f64::total_cmp);
        let at = |share: f64| numbers.get((numbers.len() as f64 * share) as usize).copied().unwrap_or_default();
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        Spread { median: at(0.5), percentile_95: at(0.95), most: numbers.last().copied().unwrap_or_default(), mean }
    }
}

/// One endgame.
struct Measured {
    solved: bool,
    nodes: u64,
    times: [Duration; 3],
    /// Of the fast evaluator and of the play-out.
    errors: [f64; 2],
    turns: usize,
}

/// Solves endgames of self-play.
pub fn run(arguments: &BenchArguments, count: u64) -> Result<(), Failure> {
    let setup = loading::setup(&arguments.game, &arguments.search)?;
    let player = loading::player(&arguments.player, &setup, &arguments.game)?;
    let seed = arguments.run.seed.unwrap_or(1);
    let progress = Progress::new(arguments.game.quiet);
    progress.begin("bench", count, "endgames");
    let mut generator = Generator::new(&setup);
    let (mut solver, mut fast) = (Solver::new(&setup), FastEvaluator::new(&setup));
    let limits = Limits { nodes: arguments.nodes, ..Limits::default() };
    let mut measured = Vec::new();
    let games = (0..).filter_map(|index| endgame(&mut generator, &player, seed, index));
    for game in games.take(count as usize) {
        measured.push(measure(&setup, &player, (&game, &limits), &mut solver, &mut fast)?);
        if progress.is_stopped() {
            return Err(Failure::Interrupted("nothing was written".into()));
        }
        progress.advance(1);
    }
    progress.finish();
    let json = table(&measured, &setup, &player, seed);
    print(&json);
    if let Some(path) = &arguments.json {
        write_atomically(path, (serde_json::to_string_pretty(&json)? + "\n").as_bytes())?;
    }
    Ok(())
}

/// Game `index` at the moment when its bag is empty, if that moment comes.
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
    player: &Player,
    (game, limits): (&Game, &Limits),
    solver: &mut Solver<'_>,
    fast: &mut FastEvaluator<'_>,
) -> Result<Measured, Failure> {
    let begun = ThreadTime::now();
    let solution = solver.solve(game, limits)?;
    let solved = begun.elapsed();
    let estimate = fast.evaluate(game)?;
    let estimated = begun.elapsed();
    let played_out = play_out(setup, player, game);
    let times = [solved, estimated.saturating_sub(solved), begun.elapsed().saturating_sub(estimated)];
    let errors = [estimate.value, played_out].map(|value| f64::from(value - solution.value));
    Ok(Measured { solved: solution.is_exact, nodes: solution.nodes, times, errors, turns: estimate.turns })
}

/// By how much the spread changes when both play the static move to the end.
fn play_out(setup: &Setup, player: &Player, game: &Game) -> i32 {
    let mut generator = Generator::new(setup);
    let (mover, before) = (game.to_move, game.spread());
    let mut game = game.clone();
    while !game.is_over() {
        let chosen = player.static_player().choose(&mut generator, &game.position(), &game.unseen());
        game.make(setup, &chosen.chosen);
    }
    game.scores[mover] - game.scores[1 - mover] - before
}

fn table(measured: &[Measured], setup: &Setup, player: &Player, seed: u64) -> EndgamesJson {
    let milliseconds = |which: usize| Spread::of(measured.iter().map(move |one| one.times[which].as_secs_f64() * 1000.0));
    let error = |which: usize, chosen: &dyn Fn(&Measured) -> bool| {
        let chosen: Vec<f64> =
            measured.iter().filter(|one| one.solved && chosen(one)).map(|one| one.errors[which].powi(2)).collect();
        (chosen.iter().sum::<f64>() / chosen.len() as f64).sqrt()
    };
    let most = measured.iter().map(|one| one.turns).max().unwrap_or_default();
    let turns = (1..=most).filter(|&turns| measured.iter().any(|one| one.solved && one.turns == turns));
    EndgamesJson {
        lexicon: setup.lexicon.name.clone(),
        tileset: setup.tileset.name().into(),
        player: player.name.clone(),
        seed,
        endgames: measured.len(),
        solved: measured.iter().filter(|one| one.solved).count(),
        solve_milliseconds: milliseconds(0),
        nodes: Spread::of(measured.iter().map(|one| one.nodes as f64)),
        fast_milliseconds: milliseconds(1),
        playout_milliseconds: milliseconds(2),
        fast_error: error(0, &|_| true),
        playout_error: error(1, &|_| true),
        fast_error_by_turns: turns.map(|turns| (turns, error(0, &|one| one.turns == turns))).collect(),
    }
}

fn print(table: &EndgamesJson) {
    say!("{}, {}, {}: {} endgames, {} solved", table.lexicon, table.tileset, table.player, table.endgames, table.solved);
    say!("{:<26}{:>12}{:>12}{:>12}{:>12}", "", "median", "95 %", "most", "mean");
    let rows = [
        ("solving, CPU-ms", &table.solve_milliseconds),
        ("positions", &table.nodes),
        ("fast evaluator, CPU-ms", &table.fast_milliseconds),
        ("static play-out, CPU-ms", &table.playout_milliseconds),
    ];
    for (name, Spread { median, percentile_95, most, mean }) in rows {
        say!("{name:<26}{median:>12.2}{percentile_95:>12.2}{most:>12.2}{mean:>12.2}");
    }
    say!(
        "standard error against the solution: fast evaluator {:.2}, static play-out {:.2} points",
        table.fast_error,
        table.playout_error
    );
    let by_turns: Vec<String> =
        table.fast_error_by_turns.iter().map(|(turns, error)| format!("{turns}: {error:.2}")).collect();
    say!("fast evaluator by turns of its variation: {}", by_turns.join(", "));
}
