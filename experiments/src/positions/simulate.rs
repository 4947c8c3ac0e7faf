//! `simulate`: the best moves of a position by Monte Carlo simulation.

use std::fmt;
use std::io::IsTerminal;
use std::time::Instant;

use cpu_time::ProcessTime;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use tilewright_engine::board::Board;
use tilewright_engine::equity::Equity;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::notation;
use tilewright_engine::player::Player;
use tilewright_engine::rack::Rack;
use tilewright_engine::series::NORMAL_95;
use tilewright_engine::setup::Setup;
use tilewright_engine::simulator::{
    EndReason, MOST_ITERATIONS, Settings, SimulationResult, Simulator, Situation, Standing, Utility,
};

use super::flags::{SimulateArguments, UtilityName};
use super::page::{Moves, Seen};
use super::position::{Position, warn_of_other_lexicon, with_opcodes};
use crate::failure::{Failure, Input};
use crate::flags::{GameFlags, PlayFlags};
use crate::loading;
use crate::output::{self, say};
use crate::progress::Progress;
use crate::report::html::{grouped, signed};

/// The default number of iterations.
const ITERATIONS: u64 = 1000;

/// The candidates, printed as a table and written as JSON. Values are from the view of the player to move; spreads are in
/// points.
#[derive(Serialize)]
struct Table<'a> {
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

/// A row of the table: a candidate.
#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    chosen: String,
    /// Equivalent moves, which are not simulated.
    same: Vec<String>,
    score: i32,
    leave: String,
    leave_value: f64,
    /// The win probability, 0–1.
    win: f64,
    win_error: f64,
    spread: f64,
    spread_error: f64,
    iterations: u64,
    /// The bingo rates of the player and of the opponent at their next turns, 0–1.
    bingos: f64,
    opponent_bingos: f64,
    beaten: bool,
}

/// `simulate`.
pub fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    let [html, json] = arguments.files.new_files()?;
    let settings = settings(arguments)?;
    let common = with_opcodes(&arguments.flags.common, arguments.cgp.as_deref())?;
    let setup = loading::start(&PlayFlags { common, ..arguments.flags })?;
    warn_of_other_lexicon(&arguments.flags.common, arguments.cgp.as_deref(), &setup);
    let position = Position::read(arguments.rack.as_deref(), arguments.cgp.as_deref(), arguments.any_board, &setup)?;
    let seed = arguments.flags.common.seed.unwrap_or(1);
    let game = position.game(&setup, seed)?;
    let flags = arguments.flags.common.game.with_tables(&arguments.tables);
    let ranker = static_player(arguments.ranker.as_deref(), "ranker", &setup, &flags)?;
    let policy = match arguments.policy.as_deref() {
        Some(name) => static_player(Some(name), "policy", &setup, &flags)?,
        None => ranker.clone(),
    };
    let probabilities = loading::win_percentage(&setup, &flags)?;
    let simulator = Simulator::new(&setup, loading::ranker(&policy)?, &probabilities, &settings);
    let candidates = simulator.candidates(loading::ranker(&ranker)?, &mut Generator::new(&setup), &game);
    let last = arguments.last_move.as_deref();
    let last = last.map(|text| position.last_move(text, arguments.any_board, &setup)).transpose()?;
    let situation = Situation { game, known: position.known, last, seed };
    let simulation =
        Simulation { setup: &setup, position: &position, ranker: &ranker, policy: &policy, seed, settings: &settings };
    let live = LiveTable::new(arguments.flags.common.game.quiet);
    live.monitor.begin("simulate", settings.iterations, "iterations");
    let (begun, cpu) = (Instant::now(), ProcessTime::now());
    let threads = rayon::current_num_threads();
    let simulated = simulator.run(&situation, &candidates, threads, &live.monitor, &mut |simulated| {
        live.show(|| simulation.table(simulated).to_string());
    });
    let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    live.finish();
    output::show_and_page(&simulation.table(&simulated), json, html, || simulation.page(&simulated))?;
    say!(
        "{} playouts in {seconds:.1} s, {:.0} per CPU-second",
        simulated.playouts,
        simulated.playouts as f64 / cpu_seconds.max(1e-9)
    );
    match simulated.ended {
        Some(EndReason::Stopped) => Err(Failure::Interrupted("the table above shows the results so far".into())),
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
        prior: false,
        least_excess: 0.0,
        end_bag,
        fast_endgame,
        inference,
        seconds: time,
        ..Settings::default()
    };
    settings.check().input()?;
    Ok(settings)
}

/// The static player with this name, or the default one.
fn static_player(name: Option<&str>, role: &str, setup: &Setup, game: &GameFlags) -> Result<Player, Failure> {
    let player = loading::player_or_default(name, setup, game)?;
    if player.as_static().is_none() {
        let name = &player.name;
        return Err(Failure::input(format!("--{role} {name} looks ahead; name a static player, such as leave")));
    }
    Ok(player)
}

fn ended_in_words(ended: Option<EndReason>) -> &'static str {
    match ended {
        None => "running",
        Some(EndReason::Iterations) => "all iterations are done",
        Some(EndReason::Confident) => "one candidate is left",
        Some(EndReason::Certain) => "nothing is hidden",
        Some(EndReason::Time) => "the time is up",
        Some(EndReason::Stopped) => "interrupted",
    }
}

/// What the table shows besides the results of the simulation.
struct Simulation<'a> {
    setup: &'a Setup,
    position: &'a Position,
    ranker: &'a Player,
    policy: &'a Player,
    seed: u64,
    settings: &'a Settings,
}

impl Simulation<'_> {
    /// The table of the results so far.
    fn table(&self, simulated: &SimulationResult) -> Table<'_> {
        let (position, tileset) = (self.position, &self.setup.tileset);
        Table {
            rack: position.rack.show(tileset),
            opponent_rack: position.known.show(tileset),
            scores: position.scores,
            bag: position.bag,
            lexicon: &self.setup.lexicon.name,
            tileset: tileset.name(),
            ranker: &self.ranker.name,
            policy: &self.policy.name,
            seed: self.seed,
            settings: self.settings,
            iterations: simulated.iterations,
            playouts: simulated.playouts,
            ended: ended_in_words(simulated.ended),
            candidates: simulated.standings.iter().map(|standing| self.row(standing)).collect(),
        }
    }

    /// The page of the results.
    fn page(&self, simulated: &SimulationResult) -> Result<String, Failure> {
        let table = self.table(simulated);
        let cells = |row: &Row| {
            vec![
                row.chosen.clone(),
                row.score.to_string(),
                row.leave.clone(),
                signed(f64::from(row.score) + row.leave_value, 1),
                format!("{:.2} ± {:.2}", 100.0 * row.win, 100.0 * NORMAL_95 * row.win_error),
                format!("{} ± {:.2}", signed(row.spread, 2), NORMAL_95 * row.spread_error),
                grouped(row.iterations),
            ]
        };
        let moves = Moves {
            how: format!(
                "Simulated by {} with {} replies per playout on up to {} deals, seed {}: {}. What follows ± is half of the 95 % interval. \
                 Candidates with fewer deals were dropped.",
                table.policy,
                self.settings.plies,
                grouped(table.iterations),
                self.seed,
                table.ended
            ),
            heads: &["move", "#score", "leave", "#equity", "#win %", "#spread", "#deals"],
            rows: simulated
                .standings
                .iter()
                .zip(&table.candidates)
                .map(|(standing, row)| (standing.candidate.valued.chosen, cells(row)))
                .collect(),
        };
        Seen::position(self.position, self.setup).page_of_moves("simulate", moves)
    }

    fn row(&self, standing: &Standing) -> Row {
        let Standing { candidate, iterations, win, gain, bingos, is_beaten } = standing;
        let (board, tileset): (&Board, _) = (&self.position.board, &self.setup.tileset);
        let chosen = candidate.valued.chosen;
        let leave = self.position.rack.minus(&Rack::from_tiles(chosen.tiles())).unwrap_or_default();
        Row {
            chosen: notation::show(&chosen, board, tileset),
            same: candidate.same.iter().map(|same| notation::show(same, board, tileset)).collect(),
            score: chosen.score(),
            leave: leave.show(tileset),
            leave_value: (candidate.valued.reported_equity() - Equity::from_points(chosen.score())).points(),
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
}

/// The best candidate comes first; `-` marks the candidates that were dropped.
impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = &self.candidates;
        let width = |longest: Option<usize>| longest.unwrap_or(0).max(5);
        let moves = width(rows.iter().map(|row| row.chosen.chars().count()).max());
        let leaves = width(rows.iter().map(|row| row.leave.chars().count()).max());
        writeln!(
            f,
            "  # {:<moves$} score  {:<leaves$}   win %       spread       iterations  bingos: own  other",
            "move", "leave"
        )?;
        for (number, row) in (1..).zip(rows) {
            writeln!(
                f,
                "{number:>3} {:<moves$} {:>5}  {:<leaves$}  {:>6.2} ±{:<5.2}{:>+8.2} ±{:<5.2}{:>10}{} {:>11.1} {:>6.1}",
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
            )?;
        }
        write!(f, "{} iterations: {}", self.iterations, self.ended)
    }
}

/// Reports progress: on a terminal the table of the results so far, elsewhere lines.
struct LiveTable {
    table: Option<ProgressBar>,
    monitor: Progress,
}

impl LiveTable {
    fn new(quiet: bool) -> LiveTable {
        let is_live = !quiet && std::io::stderr().is_terminal();
        let style = ProgressStyle::with_template("{msg}");
        let table =
            is_live.then(|| ProgressBar::new_spinner().with_style(style.unwrap_or(ProgressStyle::default_spinner())));
        LiveTable { table, monitor: Progress::new(quiet || is_live) }
    }

    fn show(&self, table: impl FnOnce() -> String) {
        if let Some(live) = &self.table {
            live.set_message(table());
            live.tick();
        }
    }

    /// Removes the live table before the final one is printed.
    fn finish(&self) {
        if let Some(live) = &self.table {
            live.finish_and_clear();
        }
        self.monitor.finish();
    }
}
