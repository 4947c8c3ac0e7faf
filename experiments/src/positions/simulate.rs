//! `simulate`: the best moves of a position by Monte Carlo.

use std::io::IsTerminal;
use std::time::Instant;

use cpu_time::ProcessTime;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use tilewright_engine::artefact::write_atomically;
use tilewright_engine::board::Board;
use tilewright_engine::equity::Equity;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::notation;
use tilewright_engine::player::Player;
use tilewright_engine::rack::Rack;
use tilewright_engine::setup::Setup;
use tilewright_engine::simulator::{Ended, MOST_ITERATIONS, Settings, Simulated, Simulator, Situation, Standing, Utility};
use tilewright_engine::win_percentage::WinPercentage;

use super::flags::{SimulateArguments, UtilityName};
use super::position::{Position, with_opcodes};
use crate::failure::{Failure, Input};
use crate::output::say;
use crate::progress::Progress;
use crate::{folder, loading};

/// Iterations unless told otherwise.
const ITERATIONS: u64 = 1000;

/// The table as JSON: points and chances from the view of the player to move.
#[derive(Serialize)]
struct SimulateJson<'a> {
    rack: String,
    opponent_rack: String,
    scores: [i32; 2],
    bag: usize,
    lexicon: &'a str,
    tileset: &'a str,
    ranker: &'a str,
    policy: &'a str,
    seed: u64,
    settings: &'a Settings,
    iterations: u64,
    playouts: u64,
    ended: &'static str,
    candidates: Vec<Row>,
}

/// A candidate as the table shows it.
#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    chosen: String,
    /// Moves that cannot differ from it.
    same: Vec<String>,
    score: i32,
    leave: String,
    leave_value: f64,
    /// 0–1.
    win: f64,
    win_error: f64,
    spread: f64,
    spread_error: f64,
    iterations: u64,
    /// Of the next turns, 0–1.
    bingos: f64,
    opponent_bingos: f64,
    beaten: bool,
}

/// `simulate`.
pub fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    loading::set_threads(&arguments.run)?;
    arguments.json.as_deref().map(folder::check_new_file).transpose()?;
    let settings = settings(arguments)?;
    let game_arguments = with_opcodes(&arguments.game, arguments.cgp.as_deref())?;
    let setup = loading::setup(&game_arguments, &arguments.search)?;
    let position = Position::read(arguments.rack.as_deref(), arguments.cgp.as_deref(), arguments.any_board, &setup)?;
    let seed = arguments.run.seed.unwrap_or(1);
    let game = position.game(&setup, seed)?;
    let ranker =
        static_player(arguments.ranker.as_deref().unwrap_or(Player::default_name(&setup)), "ranker", &setup, arguments)?;
    let policy = match arguments.policy.as_deref() {
        Some(name) => static_player(name, "policy", &setup, arguments)?,
        None => ranker.clone(),
    };
    let chances = match &arguments.win_percentage {
        Some(path) => WinPercentage::load(path, arguments.game.loader(&setup)).input()?,
        None => WinPercentage::for_setup(&setup).0,
    };
    let simulator = Simulator::new(&setup, policy.static_player(), &chances, &settings);
    let candidates = simulator.candidates(ranker.static_player(), &mut Generator::new(&setup), &game);
    let last = arguments.last_move.as_deref().map(|text| position.last_play(text, &setup)).transpose()?;
    let situation = Situation { game, known: position.known, last, seed };
    let shown = Shown { setup: &setup, position: &position };
    let live = Live::new(arguments.game.quiet);
    live.monitor.begin("simulate", settings.iterations, "iterations");
    let (begun, cpu) = (Instant::now(), ProcessTime::now());
    let threads = rayon::current_num_threads();
    let simulated = simulator.run(&situation, &candidates, threads, &live.monitor, &mut |simulated| {
        live.show(|| shown.table(simulated));
    });
    let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    live.finish();
    say!("{}", shown.table(&simulated));
    say!(
        "{} playouts in {seconds:.1} s, {:.0} a CPU-second",
        simulated.playouts,
        simulated.playouts as f64 / cpu_seconds.max(1e-9)
    );
    if let Some(path) = &arguments.json {
        let json = SimulateJson {
            rack: position.rack.show(&setup.tileset),
            opponent_rack: position.known.show(&setup.tileset),
            scores: position.scores,
            bag: position.bag,
            lexicon: &setup.lexicon.name,
            tileset: setup.tileset.name(),
            ranker: &ranker.name,
            policy: &policy.name,
            seed,
            settings: &settings,
            iterations: simulated.iterations,
            playouts: simulated.playouts,
            ended: ended_in_words(simulated.ended),
            candidates: simulated.standings.iter().map(|standing| shown.row(standing)).collect(),
        };
        write_atomically(path, (serde_json::to_string_pretty(&json)? + "\n").as_bytes())?;
    }
    match simulated.ended {
        Some(Ended::Stopped) => Err(Failure::Interrupted("the table above is what was found so far".into())),
        _ => Ok(()),
    }
}

fn settings(arguments: &SimulateArguments) -> Result<Settings, Failure> {
    let SimulateArguments { plies, candidates, confidence, time, end_bag, fast_endgame, .. } = *arguments;
    let iterations = arguments.iterations.unwrap_or(if time.is_some() { MOST_ITERATIONS } else { ITERATIONS });
    let utility = match arguments.utility {
        UtilityName::Win => Utility::Win,
        UtilityName::Spread => Utility::Spread,
    };
    let inference = arguments.last_move.is_some();
    let settings = Settings {
        plies,
        candidates,
        iterations,
        confidence,
        utility,
        to_the_end: true,
        end_bag,
        fast_endgame,
        inference,
        seconds: time,
    };
    settings.check().input()?;
    Ok(settings)
}

/// A player that ranks moves at a glance.
fn static_player(name: &str, role: &str, setup: &Setup, arguments: &SimulateArguments) -> Result<Player, Failure> {
    let player = loading::player(name, setup, &arguments.game)?;
    if player.looks_ahead() {
        return Err(Failure::input(format!("--{role} {name}: a player that looks ahead; name a static one such as leave")));
    }
    Ok(player)
}

fn ended_in_words(ended: Option<Ended>) -> &'static str {
    match ended {
        None => "running",
        Some(Ended::Iterations) => "all iterations are done",
        Some(Ended::Confident) => "one candidate is left",
        Some(Ended::Certain) => "nothing is hidden",
        Some(Ended::Time) => "the time is up",
        Some(Ended::Stopped) => "interrupted",
    }
}

/// How standings are shown.
struct Shown<'a> {
    setup: &'a Setup,
    position: &'a Position,
}

impl Shown<'_> {
    fn row(&self, standing: &Standing) -> Row {
        let Standing { candidate, iterations, win, gain, bingos, is_beaten } = standing;
        let (board, tileset): (&Board, _) = (&self.position.board, &self.setup.tileset);
        let chosen = candidate.valued.chosen;
        let kept = self.position.rack.minus(&Rack::from_tiles(chosen.tiles())).unwrap_or_default();
        Row {
            chosen: notation::show(&chosen, board, tileset),
            same: candidate.same.iter().map(|same| notation::show(same, board, tileset)).collect(),
            score: chosen.score(),
            leave: kept.show(tileset),
            leave_value: (candidate.valued.told_equity() - Equity::from_points(chosen.score())).points(),
            win: win.mean,
            win_error: win.error,
            spread: gain.mean,
            spread_error: gain.error,
            iterations: *iterations,
            bingos: bingos[0],
            opponent_bingos: bingos[1],
            beaten: *is_beaten,
        }
    }

    /// The table in words, the best candidate first; `-` marks those that were dropped.
    fn table(&self, simulated: &Simulated) -> String {
        let rows: Vec<Row> = simulated.standings.iter().map(|standing| self.row(standing)).collect();
        let width = |longest: Option<usize>| longest.unwrap_or(0).max(5);
        let moves = width(rows.iter().map(|row| row.chosen.chars().count()).max());
        let leaves = width(rows.iter().map(|row| row.leave.chars().count()).max());
        let mut text = format!(
            "  # {:<moves$} score  {:<leaves$}   win %       spread       iterations  bingos: own  other\n",
            "move", "leave"
        );
        for (number, row) in (1..).zip(&rows) {
            text += &format!(
                "{number:>3} {:<moves$} {:>5}  {:<leaves$}  {:>6.2} ±{:<5.2}{:>+8.2} ±{:<5.2}{:>10}{} {:>11.1} {:>6.1}\n",
                row.chosen,
                row.score,
                row.leave,
                100.0 * row.win,
                100.0 * row.win_error,
                row.spread,
                row.spread_error,
                row.iterations,
                if row.beaten { '-' } else { ' ' },
                100.0 * row.bingos,
                100.0 * row.opponent_bingos,
            );
        }
        text + &format!("{} iterations: {}", simulated.iterations, ended_in_words(simulated.ended))
    }
}

/// Tells how far the simulation is: on a terminal the table so far, elsewhere a line now and then.
struct Live {
    table: Option<ProgressBar>,
    monitor: Progress,
}

impl Live {
    fn new(quiet: bool) -> Live {
        let is_live = !quiet && std::io::stderr().is_terminal();
        let style = ProgressStyle::with_template("{msg}");
        let table =
            is_live.then(|| ProgressBar::new_spinner().with_style(style.unwrap_or(ProgressStyle::default_spinner())));
        Live { table, monitor: Progress::new(quiet || is_live) }
    }

    fn show(&self, table: impl FnOnce() -> String) {
        if let Some(live) = &self.table {
            live.set_message(table());
            live.tick();
        }
    }

    /// Takes the live table away, so that the last one stands alone.
    fn finish(&self) {
        if let Some(live) = &self.table {
            live.finish_and_clear();
        }
        self.monitor.finish();
    }
}
