//! `simulate`: the best moves of a position by Monte Carlo simulation.

use std::fmt;
use std::io::IsTerminal;
use std::time::Instant;

use cpu_time::ProcessTime;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use tilewright_engine::moves::notation;
use tilewright_engine::series::Estimate;
use tilewright_engine::simulator::{
    EndReason, MAX_ITERATIONS, Settings, SimulationResult, Simulator, Situation, Standing, Utility,
};
use tilewright_engine::{Equity, Generator, Monitor, Player, Setup};

use super::flags::{SimulateArguments, UtilityName};
use super::given::Given;
use super::position::Position;
use crate::flags::PlayFlags;
use crate::report::html::{grouped, signed};
use crate::status::visible;
use crate::{Failure, Input, Memos, Number, Progress, loading, output, say};

const ITERATIONS: u64 = 1000;
/// The least number of deals with a prior, so that the table has figures.
const LEAST_DEALS: u64 = 32;

pub fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    let [html, json] = arguments.files.new_files()?;
    let settings = settings(arguments)?;
    let given = Given::new(arguments.cgp.as_deref(), &arguments.recorded, &arguments.flags.common.game)?;
    let mut common = given.fill_in(&arguments.flags.common)?;
    let players = arguments.ranker.iter().chain(&arguments.policy);
    loading::name_game_of_players(players, &arguments.board.tables, &mut common)?;
    let setup = loading::start(&PlayFlags { common, ..arguments.flags }, &Memos::default())?;
    given.warn_of_other_lexicon(&arguments.flags.common, &setup);
    let position = Position::read(&arguments.board, &given, &setup)?;
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
    live.monitor.begin("simulate", settings.iterations, "deals");
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
    let iterations = arguments.deals.unwrap_or(if time.is_some() { MAX_ITERATIONS } else { ITERATIONS });
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
        seconds: time.map(|time| time.as_secs_f64()),
        least_iterations: if prior { LEAST_DEALS } else { 0 },
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

/// The candidates, printed as a table and written as JSON. Values are from the view of the player to move. Spreads are in
/// points.
#[derive(schemars::JsonSchema, Serialize)]
pub struct Table<'a> {
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
    /// Deals on which candidates were tried.
    deals: u64,
    playouts: u64,
    /// Why it ended.
    ended: &'static str,
    candidates: Vec<Row>,
}

#[derive(schemars::JsonSchema, Serialize)]
struct Row {
    #[serde(rename = "move")]
    chosen: String,
    /// Equivalent moves, which are not simulated.
    same: Vec<String>,
    score: i32,
    leave: String,
    leave_value: f64,
    // The result of its playouts, or null if it was not tried.
    /// The win probability, 0–1.
    win: Option<Estimate>,
    /// The mean growth of the lead, in points.
    spread: Option<f64>,
    /// The standard error of `spread`.
    spread_error: Option<f64>,
    /// The player's bingo rate at the next turn, 0–1.
    bingos: Option<f64>,
    /// The opponent's bingo rate at the next turn, 0–1.
    opponent_bingos: Option<f64>,
    /// Deals on which it was tried.
    deals: u64,
    /// Whether it was dropped before the end.
    beaten: bool,
    /// With a prior, how far it is behind the first candidate by posterior means, in points.
    behind: Option<Estimate>,
}

impl Row {
    fn spread(&self) -> Option<Estimate> {
        self.spread.zip(self.spread_error).map(|(mean, error)| Estimate::normal(mean, error))
    }
}

/// A figure with half the width of its interval, or nothing.
fn with_half_width(figure: Option<Estimate>, shown: impl FnOnce(f64, f64) -> String) -> String {
    figure.map_or(String::new(), |figure| shown(figure.mean, figure.half_width()))
}

fn ended_in_words(ended: Option<EndReason>, has_prior: bool) -> &'static str {
    match ended {
        None => "running",
        Some(EndReason::Iterations) => "all deals are done",
        Some(EndReason::Confident) if has_prior => "no other candidate is expected to be better",
        Some(EndReason::Confident) => "one candidate is left",
        Some(EndReason::Certain) => "nothing is hidden",
        Some(EndReason::Time) => "the time is up",
        Some(EndReason::Stopped) => "interrupted",
    }
}

/// The content of the table besides the results of the simulation.
pub struct Simulation<'a> {
    pub setup: &'a Setup,
    pub position: &'a Position,
    /// The player that ranks the candidates.
    pub ranker: &'a Player,
    /// The player that chooses the replies.
    pub policy: &'a Player,
    pub seed: u64,
    pub settings: &'a Settings,
}

impl Simulation<'_> {
    pub fn table(&self, simulated: &SimulationResult) -> Table<'_> {
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
            deals: simulated.iterations,
            playouts: simulated.playouts,
            ended: ended_in_words(simulated.ended, self.settings.prior),
            candidates: simulated.standings.iter().map(|standing| self.row(standing)).collect(),
        }
    }

    pub fn page(&self, simulated: &SimulationResult) -> Result<String, Failure> {
        let table = self.table(simulated);
        let cells = |row: &Row| {
            vec![
                row.chosen.clone(),
                row.score.to_string(),
                row.leave.clone(),
                signed(f64::from(row.score) + row.leave_value, 1),
                with_half_width(row.win, |win, half| format!("{:.2} ± {:.2}", 100.0 * win, 100.0 * half)),
                with_half_width(row.spread(), |spread, half| format!("{} ± {half:.2}", signed(spread, 2))),
                grouped(row.deals),
            ]
        };
        let how = format!(
            "Simulated by {} with {} replies per playout on up to {} deals, seed {}: {}. What follows ± is half of the 95 % interval. \
                 {}",
            table.policy,
            self.settings.plies,
            grouped(table.deals),
            self.seed,
            table.ended,
            if self.settings.prior {
                "The order counts what the ranker says, too; the first moves got most deals."
            } else {
                "Candidates with fewer deals were dropped."
            }
        );
        let heads = &["move", "#score", "leave", "#equity", "#win %", "#spread", "#deals"];
        let rows = simulated.standings.iter().zip(&table.candidates);
        let rows = rows.map(|(standing, row)| (standing.candidate.valued.chosen, cells(row)));
        self.position.page_of_moves(self.setup, "simulate", &how, heads, rows)
    }

    fn row(&self, standing: &Standing) -> Row {
        let Standing { candidate, iterations, win, gain, bingos, is_beaten, behind } = standing;
        let (board, tileset) = (&self.position.board, &self.setup.tileset);
        let chosen = candidate.valued.chosen;
        let tried = |figure: f64| (*iterations > 0).then_some(figure);
        Row {
            chosen: notation::show(&chosen, board, tileset),
            same: candidate.same.iter().map(|same| notation::show(same, board, tileset)).collect(),
            score: chosen.score(),
            leave: self.position.leave(&chosen, tileset),
            leave_value: (candidate.valued.reported_equity() - Equity::from_points(chosen.score())).points(),
            win: (*iterations > 0).then(|| (*win).into()),
            spread: tried(gain.mean),
            spread_error: tried(gain.error),
            bingos: tried(bingos[0]),
            opponent_bingos: tried(bingos[1]),
            deals: *iterations,
            beaten: *is_beaten,
            behind: behind.map(Estimate::from),
        }
    }
}

/// The best candidate comes first. `-` marks dropped candidates.
impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = &self.candidates;
        let moves = output::width(5, rows.iter().map(|row| &row.chosen));
        let leaves = output::width(5, rows.iter().map(|row| &row.leave));
        writeln!(
            f,
            "  # {:<moves$} score  {:<leaves$}   win %       spread            deals  bingos: own  other{}",
            "move",
            "leave",
            if self.settings.prior { "   behind" } else { "" }
        )?;
        let rate = |rate: Option<f64>| rate.map_or(String::new(), |rate| format!("{:.1}", 100.0 * rate));
        for (number, row) in (1..).zip(rows) {
            write!(
                f,
                "{number:>3} {:<moves$} {:>5}  {:<leaves$}  {:>13}{:>15}{:>10}{} {:>11} {:>6}",
                row.chosen,
                row.score,
                row.leave,
                with_half_width(row.win, |win, half| format!("{:.2} ±{:<5.2}", 100.0 * win, 100.0 * half)),
                with_half_width(row.spread(), |spread, half| format!("{:+.2} ±{half:<5.2}", Number(spread))),
                row.deals,
                if row.beaten { '-' } else { ' ' },
                rate(row.bingos),
                rate(row.opponent_bingos),
            )?;
            writeln!(f, "{}", with_half_width(row.behind, |behind, half| format!(" {behind:>8.2} ±{half:.2}")))?;
        }
        writeln!(f, "{} deals: {}", self.deals, self.ended)?;
        write!(f, "± is half of a 95 % interval. spread: mean growth of the lead, in points.")?;
        if self.settings.prior { write!(f, " behind: distance to the best candidate, in points.") } else { Ok(()) }
    }
}
