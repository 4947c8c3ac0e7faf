//! A round robin: every player plays every other on the same deals.

use std::path::Path;
use std::time::Instant;

use tilewright_engine::monitor::Monitor;
use tilewright_engine::player::Player;
use tilewright_engine::series::round_robin::{RoundRobin, Standings, matchups};
use tilewright_train::journal::JournalError;
use tilewright_train::stored_match::play_deals;

use super::pair::stopped;
use super::request::MatchRequest;
use crate::failure::Failure;
use crate::loading;
use crate::output::{self, NewFile};
use crate::progress::Progress;
use crate::runs::Context;

pub mod cross_table;
mod result;
mod json;

use result::{RoundRobinResult, Speed};

/// Plays the round robin, prints and writes its figures.
///
/// # Errors
/// [`Failure`]. A file that would be overwritten is reported before a game is played; [`Failure::Interrupted`] has the
/// figures so far.
pub fn play(request: &MatchRequest<'_>, context: &Context<'_>) -> Result<(), Failure> {
    let game = &request.flags.common.game;
    let setup = loading::start(&request.flags, context.memos)?;
    let names: Vec<String> = request.players.iter().map(ToString::to_string).collect();
    let players = request.players.iter().map(|spec| loading::player(spec, &setup, game));
    let players = players.collect::<Result<Vec<Player>, _>>()?;
    let players: Vec<&Player> = players.iter().collect();
    let round_robin = RoundRobin::new(&setup, &players, request.deals(), request.clock);
    let progress = Progress::new(game.quiet);
    let key = request.key(&setup, &players);
    let work = format!("a round robin, seed {}, run {}", request.seed(), key.hash());
    let is_own = |path: &Path| stopped(path).is_some_and(|own| own == work);
    let json = NewFile::new_or_own(request.json, is_own)?;
    let journal = request.journal(&setup, &players, context, &progress)?;
    progress.begin("round robin", request.pairs * matchups(players.len()).count() as u64, "pairs");
    let (begun, cpu) = (Instant::now(), cpu_time::ProcessTime::now());
    let mut standings = Standings::none(players.len());
    let mut add = |more: Standings| standings = more.plus(standings.clone());
    let end = if let Some(journal) = &journal {
        play_deals(&round_robin, request.pairs, journal, add)
    } else {
        add(round_robin.play(0..request.pairs, &progress));
        Ok(request.pairs)
    };
    let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    progress.finish();
    let (played, stop) = match end {
        Err(stop @ JournalError::Interrupted { .. }) => (0, Some(format!("\n{stop}"))),
        end => (end?, (standings.deals < request.pairs).then(String::new)),
    };
    let result = RoundRobinResult {
        names: &names,
        seed: request.seed(),
        lexicon: &setup.lexicon.name,
        tileset: setup.tileset.name(),
        speed: (stop.is_none() && played > 0).then_some(Speed { deals: played, seconds, cpu_seconds }),
        stopped: stop.is_some().then_some(work),
        standings,
    };
    let Some(advice) = stop else {
        let shown = output::show(&result, json);
        if let Some(journal) = &journal {
            request.finish(&setup, journal, result.standings.deals, None)?;
        }
        return shown;
    };
    let written = if result.standings.deals > 0 { json.write_json(&result) } else { Ok(()) };
    let file = match (written, json.path()) {
        (Ok(()), Some(path)) if result.standings.deals > 0 => {
            format!("\nthese figures are in {}, which is marked as partial", path.display())
        }
        (Err(failure), Some(path)) => format!("\n{} may be missing: {}", path.display(), failure.message()),
        _ => String::new(),
    };
    let table = cross_table::show(&result.standings, &names);
    let (deals, pairs) = (result.standings.deals, request.pairs);
    Err(Failure::Interrupted(format!("{deals} of {pairs} pairs of each match were played\n{table}{file}{advice}")))
}
