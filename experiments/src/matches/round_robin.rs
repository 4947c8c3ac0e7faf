//! A round robin: every player plays every other on the same deals.

use std::cell::RefCell;
use std::path::Path;
use std::time::Instant;

use tilewright_engine::player::Player;
use tilewright_engine::series::round_robin::Standings;
use tilewright_train::journal::JournalError;
use tilewright_train::run::{Run, RunError};
use tilewright_train::stored_match::RoundRobinRun;

use super::pair::stopped;
use super::request::{MatchRequest, finish};
use crate::runs::{self, Context};
use crate::{Failure, NewFile, Progress, loading, output};

pub mod cross_table;
mod result;

use result::{RoundRobinResult, Speed};

/// Plays the round robin, prints and writes its figures.
///
/// # Errors
/// [`Failure`]. A file that would be overwritten is reported before a game is played; [`Failure::Interrupted`] has the
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
    let games = |deals| 2 * deals * standings.borrow().matches.len() as u64;
    let speed = played.filter(|&deals| deals > 0).map(|deals| Speed::new(games(deals), seconds, cpu_seconds));
    let stopped = stop.is_some().then_some(work);
    let result = RoundRobinResult::new(&setup, spec.names(), spec.seed(), standings.borrow().clone(), speed, stopped);
    if let Some(played) = played {
        runs::begin_outputs(&journal, &json.path().into_iter().collect::<Vec<_>>())?;
        let shown = output::show(&result, json);
        finish(&run, &played, &journal)?;
        return shown;
    }
    let deals = result.pairs();
    let written = if deals > 0 { json.write_json(&result) } else { Ok(()) };
    let file = match (written, json.path()) {
        (Ok(()), Some(path)) if deals > 0 => {
            format!("\nthese figures are in {}, which is marked as partial", path.display())
        }
        (Err(failure), Some(path)) => format!("\n{} may be missing: {}", path.display(), failure.message()),
        _ => String::new(),
    };
    let table = result.tables();
    let advice = stop.filter(|_| context.out.is_some()).map(|stop| format!("\n{stop}")).unwrap_or_default();
    Err(Failure::Interrupted(format!("{deals} of {pairs} pairs of each match were played\n{table}{file}{advice}")))
}
