//! A match between two players: paired games, their figures, and the verdict of a sequential test.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::sequential::Decision;
use tilewright_engine::series::{Pair, Series, Tally};
use tilewright_train::journal::JournalError;
use tilewright_train::match_games::GamesWriter;
use tilewright_train::pair_records::PairsWriter;
use tilewright_train::run::{Run, RunError};
use tilewright_train::stored_match::MatchRun;

use super::request::{MatchRequest, finish};
use crate::runs::Context;
use crate::{Failure, Progress, interrupts, loading, say};

pub mod result;
mod files;

use files::MatchFiles;
use result::{MatchResult, Speed, TestResult};

pub use result::{stopped, verdict};

struct Pairs<'a> {
    tally: Tally,
    /// The file of pairs, if they are written.
    table: Option<PairsWriter>,
    /// The folder of games, if they are written.
    games: Option<GamesWriter<'a>>,
}

impl Pairs<'_> {
    fn add(&mut self, pairs: &[Pair], progress: &Progress) {
        self.tally = Pair::tally_of(pairs).plus(&self.tally);
        if let Some(table) = &mut self.table {
            table.add(pairs);
        }
        if let Some(games) = &mut self.games {
            games.add(pairs);
        }
        if let Some(note) = self.tally.rate_so_far() {
            progress.note(&note);
        }
    }
}

/// Plays the match, prints and writes its figures. Returns the decision of the test, or [`Decision::Open`] without a test.
///
/// # Errors
/// [`Failure`]. A file that would be overwritten is reported before a game is played. A stopped match writes the figures so far, marked
/// as partial.
pub fn play(request: &MatchRequest, context: &Context<'_>) -> Result<Decision, Failure> {
    let (spec, most_pairs, test) = (&request.spec, request.pairs()?, request.test()?);
    let setup = loading::start(&request.flags, context.memos)?;
    // From here on Ctrl-C ends the programs of external players too.
    let progress = &Progress::new(request.flags.common.game.quiet);
    let loaded = request.load_players(&setup, context.programs, progress)?;
    let [a, b] = &loaded[..] else { return Err(Failure::input("a match has two players")) };
    let players = [a, b];
    let series = Series { setup: &setup, players, deals: spec.deals(), clock: spec.clock() };
    let keeps_moves = request.files.games_out.is_some();
    let work = result::work(players, spec.seed(), &spec.key(&setup, &players, keeps_moves));
    let files = MatchFiles::new(request, context, &work)?;
    let (table, games) = (files.pairs_writer(&series), files.games_writer(request, &series, &work, progress));
    let pairs = RefCell::new(Pairs { tally: Tally::default(), table, games });
    let take = |more: &[Pair]| pairs.borrow_mut().add(more, progress);
    let run = MatchRun { series, spec, pairs: most_pairs, test, keeps_moves, take: &take };
    let journal = request.journal(&run, context, progress)?;
    let (begun, cpu) = (Instant::now(), cpu_time::ProcessTime::now());
    let end = run.execute(&journal);
    let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    interrupts::work_has_ended();
    let (end, stop) = match end {
        Err(RunError::Journal(stop @ JournalError::Interrupted { .. })) => (None, Some(stop)),
        end => (Some(end?), None),
    };
    let Pairs { tally, table, games } = pairs.replace(Pairs { tally: Tally::default(), table: None, games: None });
    let mut result = MatchResult::new(&series, &tally, stop.is_some().then(|| work.clone()));
    if let Some(result) = &mut result {
        result.faults_in_words = result::in_words(&tally, players);
        if let Some(end) = &end {
            result.sequential = test.map(|test| TestResult::new(&test, end.decision, &tally.outcomes, most_pairs));
        }
        if let Some(played) = end.as_ref().map(|end| end.played).filter(|&played| played > 0) {
            let of_players = players.map(|player| player.cpu_time().as_ref().map(Duration::as_secs_f64));
            let has_external = players.iter().any(|player| player.is_external());
            result.speed = Some(Speed::new(2.0 * played as f64, seconds, cpu_seconds, of_players, has_external));
        }
    }
    let log = result::fault_log(players);
    let written = result.as_ref().map_or(Ok(()), |result| files.write(result, table, games, &log, &journal));
    progress.finish();
    let Some(end) = end else {
        let mut text = interrupted(most_pairs, test.is_some(), result.as_ref(), &files, written.as_ref().err());
        if let Some(stop) = stop.filter(|_| context.out.is_some()) {
            text += &format!("\n{stop}");
        }
        return Err(Failure::Interrupted(text));
    };
    // A result that cannot be written is printed all the same.
    if let Some(result) = result {
        say!("{result}");
    }
    written?;
    finish(&run, &end, &journal)?;
    if let Some(folder) = files.games() {
        say!("The games are in {}.", folder.display());
    }
    Ok(end.decision)
}

/// The message of a stopped match: its figures, and their place.
fn interrupted(
    most_pairs: u64,
    has_test: bool,
    result: Option<&MatchResult>,
    files: &MatchFiles<'_>,
    unwritten: Option<&Failure>,
) -> String {
    let most = if has_test { "at most " } else { "" };
    let played = result.map_or(0, |result| result.summary.pairs);
    let mut text = format!("{played} of {most}{most_pairs} pairs were played");
    if let Some(result) = result {
        text += &format!("\n{result}");
        for path in files.marked() {
            text += &match unwritten {
                None => format!("\nthese pairs are in {}, which is marked as partial", path.display()),
                Some(failure) => format!("\n{} may be missing: {}", path.display(), failure.message()),
            };
        }
    }
    text
}
