//! A match between two players: paired games, their figures, and the verdict of a sequential test.

use std::time::{Duration, Instant};

use tilewright_engine::monitor::Monitor;
use tilewright_engine::player::PlayerSpec;
use tilewright_engine::series::sequential::Decision;
use tilewright_engine::series::{Pair, Series, Tally};
use tilewright_train::journal::{Journal, JournalError};
use tilewright_train::pair_records::PairsWriter;
use tilewright_train::stored_match::{MatchEnd, play_pairs};

use super::external;
use super::request::MatchRequest;
use crate::failure::Failure;
use crate::loading;
use crate::output::say;
use crate::progress::Progress;
use crate::runs::Context;

mod text;
mod result;
mod files;

use files::MatchFiles;
use result::{MatchResult, Speed, TestResult};
pub use result::{stopped, verdict};
pub use text::{describe, percent};

/// Plays the match, prints and writes its figures; returns the decision of the test, or [`Decision::Open`] without a test.
///
/// # Errors
/// [`Failure`]. A file that would be overwritten is reported before a game is played. A stopped match writes the figures so far, marked
/// as partial.
pub fn play(request: &MatchRequest<'_>, players: [&PlayerSpec; 2], context: &Context<'_>) -> Result<Decision, Failure> {
    let game = &request.flags.common.game;
    let setup = loading::start(&request.flags, context.memos)?;
    // From here on Ctrl-C ends the programs of external players too.
    let progress = Progress::new(game.quiet);
    let player = |spec| loading::any_player(spec, &setup, game, &progress);
    let (a, b) = (player(players[0])?, player(players[1])?);
    let work = result::work(players, request, &request.key(&setup, &[&a, &b]));
    let files = MatchFiles::new(request, &work)?;
    let series = Series { setup: &setup, players: [&a, &b], deals: request.deals(), clock: request.clock };
    Match { series, request, files, work, progress: &progress, context }.play()
}

/// A match to play; all figures are from the view of player A.
struct Match<'a> {
    series: Series<'a>,
    request: &'a MatchRequest<'a>,
    files: MatchFiles<'a>,
    /// The name of the match in files that it leaves when it is stopped.
    work: String,
    progress: &'a Progress,
    context: &'a Context<'a>,
}

/// The pairs of a match that are finished.
struct Pairs {
    tally: Tally,
    /// The file of pairs, if they are written.
    table: Option<PairsWriter>,
    /// The pairs with their moves, if the games are written.
    games: Option<Vec<Pair>>,
}

impl Pairs {
    fn add(&mut self, pairs: &[Pair]) {
        let tally = pairs.iter().fold(Tally::default(), |sum, pair| sum.plus(&pair.tally()));
        self.tally = tally.plus(&self.tally);
        if let Some(table) = &mut self.table {
            table.add(pairs);
        }
        if let Some(games) = &mut self.games {
            games.extend_from_slice(pairs);
        }
    }
}

impl Match<'_> {
    /// Plays the match with progress, writes its files and prints its figures.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] with the figures so far.
    fn play(&self) -> Result<Decision, Failure> {
        let &MatchRequest { pairs: most_pairs, test, .. } = self.request;
        let Series { setup, players, .. } = self.series;
        let progress = self.progress;
        let stored = self.request.journal(setup, &players, self.context, progress)?;
        let journal = stored.unwrap_or_else(|| Journal::in_memory(progress));
        progress.begin("match", most_pairs, "pairs");
        let (begun, cpu) = (Instant::now(), cpu_time::ProcessTime::now());
        let (table, games) = (self.files.pairs_writer(&self.series), self.files.games().map(|_| Vec::new()));
        let mut pairs = Pairs { tally: Tally::default(), table, games };
        let end = play_pairs(&self.series, self.files.games().is_some(), most_pairs, test.as_ref(), &journal, |more| {
            pairs.add(more);
            if let Some(note) = pairs.tally.rate_so_far() {
                progress.note(&note);
            }
        });
        let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
        let (MatchEnd { decision, played }, stop) = match end {
            Err(stop @ JournalError::Interrupted { .. }) => (MatchEnd { decision: Decision::Open, played: 0 }, Some(stop)),
            end => (end?, None),
        };
        let mut result = MatchResult::new(&self.series, &pairs.tally, stop.is_some().then(|| self.work.clone()));
        if let Some(result) = &mut result {
            result.faults_in_words = external::in_words(&pairs.tally, players);
            if stop.is_none() {
                let outcomes = &pairs.tally.outcomes;
                result.sequential = test.map(|test| TestResult::new(&test, decision, outcomes, most_pairs));
            }
            if stop.is_none() && played > 0 {
                let of_players = players.map(|player| player.cpu_time().as_ref().map(Duration::as_secs_f64));
                let has_external = players.iter().any(|player| player.is_external());
                result.speed = Some(Speed::new(2.0 * played as f64, seconds, cpu_seconds, of_players, has_external));
            }
        }
        let written = result.as_ref().map_or(Ok(()), |result| self.write(result, &mut pairs));
        progress.finish();
        if let Some(stop) = stop {
            return Err(self.interrupted(result.as_ref(), &stop, written.as_ref().err()));
        }
        // What cannot be written is printed all the same.
        if let Some(result) = result {
            say!("{result}");
        }
        written?;
        self.request.finish(setup, &journal, pairs.tally.pairs, Some(&pairs.tally))?;
        if let Some(folder) = self.files.games() {
            say!("The games are in {}.", folder.display());
        }
        Ok(decision)
    }

    /// Writes all files of a result.
    fn write(&self, result: &MatchResult, pairs: &mut Pairs) -> Result<(), Failure> {
        let Series { players, .. } = self.series;
        let written = self.files.write(result, pairs.table.take(), &external::fault_log(players));
        let (series, is_stopped) = (&self.series, result.stopped.is_some());
        let games = pairs.games.as_deref().unwrap_or_default();
        let games = self.files.write_games(series, games, &self.work, is_stopped, self.progress);
        written.and(games)
    }

    /// The figures of a match that was stopped.
    fn interrupted(&self, result: Option<&MatchResult>, stop: &JournalError, unwritten: Option<&Failure>) -> Failure {
        let &MatchRequest { pairs, test, .. } = self.request;
        let most = if test.is_some() { "at most " } else { "" };
        let played = result.map_or(0, |result| result.summary.pairs);
        let mut text = format!("{played} of {most}{pairs} pairs were played");
        if let Some(result) = result {
            text += &format!("\n{result}");
            for path in self.files.marked() {
                text += &match unwritten {
                    None => format!("\nthese pairs are in {}, which is marked as partial", path.display()),
                    Some(failure) => format!("\n{} may be missing: {}", path.display(), failure.message()),
                };
            }
        }
        if self.request.out.is_some() {
            text += &format!("\n{stop}");
        }
        Failure::Interrupted(text)
    }
}
