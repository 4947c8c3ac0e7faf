//! `simulate`: the best moves of a position by Monte Carlo simulation.

use std::io::IsTerminal;
use std::time::Instant;

use cpu_time::ProcessTime;
use indicatif::{ProgressBar, ProgressStyle};
use tilewright_engine::simulator::{EndReason, MAX_ITERATIONS, Settings, Simulator, Situation, Utility};
use tilewright_engine::{Generator, Monitor};

use super::flags::{SimulateArguments, UtilityName};
use super::position::{Position, warn_of_other_lexicon, with_opcodes};
use crate::flags::PlayFlags;
use crate::status::visible;
use crate::{Failure, Input, Memos, Progress, loading, output, say};

mod table;

use table::Simulation;

const ITERATIONS: u64 = 1000;

pub fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    let [html, json] = arguments.files.new_files()?;
    let settings = settings(arguments)?;
    let common = with_opcodes(&arguments.flags.common, arguments.cgp.as_deref())?;
    let setup = loading::start(&PlayFlags { common, ..arguments.flags }, &Memos::default())?;
    warn_of_other_lexicon(&arguments.flags.common, arguments.cgp.as_deref(), &setup);
    let position = Position::read(&arguments.board, arguments.cgp.as_deref(), &setup)?;
    let seed = arguments.flags.common.seed.unwrap_or(1);
    let game = position.game(&setup, seed)?;
    let flags = arguments.flags.common.game.with_tables(&arguments.board.tables);
    let ranker = loading::static_player(arguments.ranker.as_ref(), "ranker", "", &setup, &flags)?;
    let policy = match &arguments.policy {
        Some(named) => loading::static_player(Some(named), "policy", "", &setup, &flags)?,
        None => ranker.clone(),
    };
    let probabilities = loading::win_percentage(&setup, &flags)?;
    let simulator = Simulator::new(&setup, loading::ranker(&policy)?, &probabilities, &settings);
    let static_ranker = loading::ranker(&ranker)?;
    let simulator = simulator.with_prior(settings.prior.then(|| static_ranker.prior(game.bag.len())));
    let candidates = simulator.candidates(static_ranker, &mut Generator::new(&setup), &game);
    let last = arguments.last_move.as_deref();
    let last = last.map(|text| position.last_move(text, arguments.board.any_board, &setup)).transpose()?;
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
    let SimulateArguments { plies, candidates, confidence, prior, time, end_bag, fast_endgame, .. } = *arguments;
    let least_excess = arguments.least_excess.unwrap_or(if prior { Settings::default().least_excess } else { 0.0 });
    let iterations = arguments.iterations.unwrap_or(if time.is_some() { MAX_ITERATIONS } else { ITERATIONS });
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
        prior,
        least_excess,
        end_bag,
        fast_endgame,
        inference,
        seconds: time,
        ..Settings::default()
    };
    settings.check().input()?;
    Ok(settings)
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
            live.set_message(visible(&table()).into_owned());
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
