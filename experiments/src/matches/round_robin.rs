//! A round robin: every player plays every other on the same deals.

use std::time::Instant;

use tilewright_engine::monitor::Monitor;
use tilewright_engine::player::Player;
use tilewright_engine::series::round_robin::{RoundRobin, Standings, matchups};
use tilewright_train::journal::JournalError;
use tilewright_train::stored_match::play_deals;

use super::request::MatchRequest;
use crate::failure::Failure;
use crate::loading;
use crate::output::{self, NewFile};
use crate::progress::Progress;

mod cross_table;
mod result;
mod json;

use result::RoundRobinResult;

/// Plays the round robin, prints and writes its figures.
///
/// # Errors
/// [`Failure`]. A file that would be overwritten is reported before a game is played; [`Failure::Interrupted`] has the
/// figures so far.
pub fn play(request: &MatchRequest<'_>) -> Result<(), Failure> {
    let (json, game) = (NewFile::new(request.json)?, &request.flags.common.game);
    let setup = loading::start(&request.flags)?;
    let players = request.players.iter().map(|name| loading::player(name, &setup, game));
    let players = players.collect::<Result<Vec<Player>, _>>()?;
    let players: Vec<&Player> = players.iter().collect();
    let round_robin = RoundRobin::new(&setup, &players, request.deals(), request.clock);
    let progress = Progress::new(game.quiet);
    let journal = request.journal(&setup, &players, &progress)?;
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
    let interrupted = |advice: &str| {
        let table = cross_table::show(&standings, &request.players);
        let (deals, pairs) = (standings.deals, request.pairs);
        Failure::Interrupted(format!("{deals} of {pairs} pairs of each match were played\n{table}{advice}"))
    };
    let played = match end {
        Err(stop @ JournalError::Interrupted { .. }) => return Err(interrupted(&format!("\n{stop}"))),
        end => end?,
    };
    if standings.deals < request.pairs {
        return Err(interrupted(""));
    }
    let (names, seed) = (&request.players[..], request.seed());
    let (lexicon, tileset) = (setup.lexicon.name.as_str(), setup.tileset.name());
    output::show(&RoundRobinResult { names, standings, seed, lexicon, tileset, played, seconds, cpu_seconds }, json)
}
