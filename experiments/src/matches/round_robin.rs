//! A round robin: every player plays every other on the same deals. Its result is text (a ranking and cross tables) and JSON.

use std::cell::RefCell;
use std::fmt;
use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use tilewright_engine::player::Player;
use tilewright_engine::series::round_robin::{Standings, matchups};
use tilewright_engine::series::{ERROR_RATE, Estimate, Summary, Tally, standard_errors};
use tilewright_engine::setup::Setup;
use tilewright_train::journal::JournalError;
use tilewright_train::run::{Run, RunError};
use tilewright_train::stored_match::RoundRobinRun;

use super::pair::stopped;
use super::request::{MatchRequest, finish};
use crate::runs::{self, Context};
use crate::{Failure, NewFile, Number, Progress, loading, output};

/// Plays the round robin, prints and writes its figures.
///
/// # Errors
/// [`Failure`]. A file that would be overwritten is reported before a game is played. [`Failure::Interrupted`] has the
/// figures so far.
pub fn play(request: &MatchRequest, context: &Context<'_>) -> Result<(), Failure> {
    let (spec, pairs) = (&request.spec, request.pairs()?);
    let setup = loading::start(&request.flags, context.memos)?;
    let progress = Progress::new(request.flags.common.game.quiet);
    let players = request.load_players(&setup, context.programs, &progress)?;
    let players: Vec<&Player> = players.iter().collect();
    let standings = RefCell::new(Standings::none(players.len()));
    let take = |more: Standings| drop(standings.replace_with(|sum| more.plus(sum.clone())));
    let run = RoundRobinRun { setup: &setup, players: &players, spec, pairs, take: &take };
    let work = format!("a round robin, seed {}, run {}", spec.seed(), run.key().hash());
    let left = runs::left_behind(context.out);
    let is_own = |path: &Path| stopped(path).is_some_and(|own| own == work) || runs::is_among(&left, path);
    let json = NewFile::new_or_own(context.json.path(), is_own)?;
    let journal = request.journal(&run, context, &progress)?;
    let (begun, cpu) = (Instant::now(), cpu_time::ProcessTime::now());
    let end = run.execute(&journal);
    let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    progress.finish();
    let (played, stop) = match end {
        Err(RunError::Journal(stop @ JournalError::Interrupted { .. })) => (None, Some(stop)),
        end => (Some(end?), None),
    };
    let speed = played.filter(|&deals| deals > 0).map(|deals| {
        let games = (2 * deals * standings.borrow().matches.len() as u64) as f64;
        Speed { games_per_second: games / seconds, cpu_seconds, games }
    });
    let stopped = stop.is_some().then_some(work);
    let result = RoundRobinResult::new(&setup, spec.names(), spec.seed(), standings.borrow().clone(), speed, stopped);
    if let Some(played) = played {
        runs::begin_outputs(&journal, &json.path().into_iter().collect::<Vec<_>>())?;
        let shown = output::show(&result, json);
        finish(&run, &played, &journal)?;
        return shown;
    }
    let deals = result.pairs;
    let written = if deals > 0 { json.write_json(&result) } else { Ok(()) };
    let file = match (written, json.path()) {
        (Ok(()), Some(path)) if deals > 0 => {
            format!("\nthese figures are in {}, which is marked as partial", path.display())
        }
        (Err(failure), Some(path)) => format!("\n{} may be missing: {}", path.display(), failure.message()),
        _ => String::new(),
    };
    let table = show(&result.standings, &result.names);
    let advice = stop.filter(|_| context.out.is_some()).map(|stop| format!("\n{stop}")).unwrap_or_default();
    Err(Failure::Interrupted(format!("{deals} of {pairs} pairs of each match were played\n{table}{file}{advice}")))
}

/// The figures. Scripts of users read these keys. Rates are 0–1, spreads are points per game. All intervals of win rates hold
/// together with 95 % (Bonferroni over `comparisons`), as do all anytime-valid ones. Other figures have 95 % intervals each.
#[derive(schemars::JsonSchema, Serialize)]
pub struct RoundRobinResult {
    /// Pairs per match.
    pairs: u64,
    comparisons: usize,
    /// Half the width of the intervals, in standard errors.
    standard_errors: f64,
    /// The best first.
    players: Vec<PlayerFigures>,
    matches: Vec<MatchFigures>,
    /// Whether the round robin was stopped before its end.
    partial: bool,
    /// The round robin, if it was stopped: the same one replaces the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    /// Of the games that this process played, if there are any.
    #[serde(flatten)]
    speed: Option<Speed>,
    seed: u64,
    lexicon: String,
    tileset: String,
    #[serde(skip)]
    standings: Standings,
    #[serde(skip)]
    names: Vec<String>,
}

/// A player against the field.
#[derive(schemars::JsonSchema, Serialize)]
struct PlayerFigures {
    player: String,
    win_rate: Option<Estimate>,
    mean_spread: Option<f64>,
}

/// A match, from the view of player A.
#[derive(schemars::JsonSchema, Serialize)]
struct MatchFigures {
    player_a: String,
    player_b: String,
    #[serde(flatten)]
    summary: Option<Summary>,
}

/// The speed of the games that a process played.
#[derive(Clone, Copy, schemars::JsonSchema, Serialize)]
pub struct Speed {
    games_per_second: f64,
    /// User and system time.
    cpu_seconds: f64,
    #[serde(skip)]
    games: f64,
}

impl RoundRobinResult {
    /// The result of these players. `stopped` is the name of the round robin if it was stopped before its end.
    pub fn new(
        setup: &Setup,
        names: Vec<String>,
        seed: u64,
        standings: Standings,
        speed: Option<Speed>,
        stopped: Option<String>,
    ) -> RoundRobinResult {
        let (comparisons, width) = (comparisons(&standings), width(&standings));
        let player = |player: usize| PlayerFigures {
            player: names[player].clone(),
            win_rate: standings.field_win_rate(player, width),
            mean_spread: standings.field_spread(player),
        };
        let matchup = |([a, b], tally): ([usize; 2], &Tally)| MatchFigures {
            player_a: names[a].clone(),
            player_b: names[b].clone(),
            summary: tally.summary_within(width, ERROR_RATE / comparisons as f64),
        };
        RoundRobinResult {
            pairs: standings.deals,
            comparisons,
            standard_errors: width,
            players: standings.ranking().into_iter().map(player).collect(),
            matches: matchups(names.len()).zip(&standings.matches).map(matchup).collect(),
            partial: stopped.is_some(),
            stopped,
            speed,
            seed,
            lexicon: setup.lexicon.name.clone(),
            tileset: setup.tileset.name().into(),
            standings,
            names,
        }
    }
}

impl fmt::Display for RoundRobinResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RoundRobinResult { names, pairs, seed, lexicon, speed, .. } = self;
        writeln!(f, "{} players, {pairs} pairs per match on the same deals, seed {seed}, {lexicon}", names.len())?;
        write!(f, "{}", show(&self.standings, names))?;
        let Some(Speed { games_per_second, cpu_seconds, games }) = speed else { return Ok(()) };
        write!(f, "\n{games_per_second:.0} games per second, {:.0} per CPU-second", games / cpu_seconds.max(1e-9))
    }
}

/// The number of simultaneous intervals: one per match, and one per player against the field.
pub fn comparisons(standings: &Standings) -> usize {
    standings.matches.len() + standings.players()
}

/// Half the width of each interval in standard errors, so that all hold together with 95 % (Bonferroni).
pub fn width(standings: &Standings) -> f64 {
    standard_errors(ERROR_RATE / comparisons(standings) as f64)
}

/// The ranking, and the tables of win rates and spreads with their rows in the order of the ranking.
pub fn show(standings: &Standings, names: &[String]) -> String {
    if standings.deals == 0 {
        return String::new();
    }
    let ranking = standings.ranking();
    let (together, width) = (comparisons(standings), width(standings));
    let rates = rows(&ranking, names, |player, other| {
        let estimate = standings.win_rate(player, other, width)?;
        let mark = if estimate.low > 0.5 || estimate.high < 0.5 { "*" } else { " " };
        Some(format!("{:.2}{mark}", 100.0 * estimate.mean))
    });
    let spreads = rows(&ranking, names, |player, other| Some(format!("{:+.1} ", Number(standings.spread(player, other)?))));
    format!(
        "{}\n\nwin rate of the row against the column in percent; * if the interval excludes 50\n{rates}\n\n\
         mean spread of the row against the column, points per game\n{spreads}\n\n\
         All {together} intervals ({} matches, {} players against the field) hold together with 95 % (Bonferroni); each \
         extends {width:.2} standard errors to both sides.",
        ranked(standings, names, &ranking),
        standings.matches.len(),
        standings.players(),
    )
}

fn ranked(standings: &Standings, names: &[String], ranking: &[usize]) -> String {
    let longest = output::width(0, names);
    let line = |(place, &player): (usize, &usize)| {
        let estimate = standings.field_win_rate(player, width(standings))?;
        let [mean, low, high] = [estimate.mean, estimate.low, estimate.high].map(|rate| 100.0 * rate);
        let spread = Number(standings.field_spread(player)?);
        Some(format!(
            "{:>2}  {:longest$}  {mean:6.2} %  ({low:.2} to {high:.2})  {spread:+.1} points per game",
            place + 1,
            names[player]
        ))
    };
    let lines: Vec<String> = ranking.iter().enumerate().filter_map(line).collect();
    format!("against the field, mean win rate and spread\n{}", lines.join("\n"))
}

/// A table of cells. `cell` takes the players of the row and the column.
fn rows(ranking: &[usize], names: &[String], cell: impl Fn(usize, usize) -> Option<String>) -> String {
    let longest = output::width(0, names);
    let head: String = (1..=ranking.len()).map(|column| format!("{column:>7} ")).collect();
    let mut table = format!("    {:longest$} {head}", "").trim_end().to_string();
    for (place, &player) in ranking.iter().enumerate() {
        let cells = ranking.iter().map(|&other| cell(player, other).unwrap_or_else(|| "· ".into()));
        let cells: String = cells.map(|cell| format!("{cell:>8}")).collect();
        table += &format!("\n{:>2}  {:longest$} {}", place + 1, names[player], cells.trim_end());
    }
    table
}
