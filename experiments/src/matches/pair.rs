//! A match between two players: paired games, their figures, and the verdict of a sequential test; also put together from parts.

use std::time::{Duration, Instant};

use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::sequential::Decision;
use tilewright_engine::series::{MeasuredPair, MeasuredSeries, Series, Tally};
use tilewright_train::journal::{Journal, JournalError};
use tilewright_train::stored_match::{MatchEnd, PAIRS_PER_FILE, merge, pairs_of_part, play_pairs};

use super::external;
use super::flags::MergeArguments;
use super::request::MatchRequest;
use crate::failure::{Failure, Input};
use crate::loading;
use crate::output::say;
use crate::progress::Progress;

mod text;
mod result;
mod json;
mod files;

use files::MatchFiles;
pub use json::{FiguresJson, TallyJson, stopped, verdict};
use result::{About, MatchResult, Speed};
pub use text::{describe, percent};

/// Plays the match, prints and writes its figures; returns the decision of the test, or [`Decision::Open`] without a test.
///
/// # Errors
/// [`Failure`]. A file that would be overwritten is reported before a game is played. A stopped match writes the figures so far, marked
/// as partial.
pub fn play(request: &MatchRequest<'_>, players: [&str; 2]) -> Result<Decision, Failure> {
    let game = &request.flags.common.game;
    let setup = loading::start(&request.flags)?;
    // From here on Ctrl-C ends the programs of external players too.
    let progress = Progress::new(game.quiet);
    let player = |name| {
        let player = loading::any_player(name, &setup, game, &progress)?;
        Ok::<_, Failure>(match request.answer_time {
            Some(time) => player.with_answer_time(time),
            None => player,
        })
    };
    let (a, b) = (player(players[0])?, player(players[1])?);
    let work = result::work(players, request, &request.key(&setup, &[&a, &b]));
    let files = MatchFiles::new(request, &work)?;
    let series = Series { setup: &setup, players: [&a, &b], deals: request.deals(), clock: request.clock };
    let measured = MeasuredSeries { keeps_moves: files.games().is_some(), ..MeasuredSeries::new(series) };
    Match { measured, request, files, work, progress: &progress }.play()
}

/// `match merge`: the figures of a match that was played in parts.
///
/// # Errors
/// [`Failure::Input`] if the folders do not hold exactly the pairs of one match.
pub fn merge_parts(arguments: &MergeArguments) -> Result<(), Failure> {
    let files = MatchFiles::of_merge(arguments)?;
    let progress = Progress::new(arguments.quiet);
    let merged = merge(&arguments.folders, &progress).input()?;
    let mut pairs = Pairs::new(files.needs_pairs());
    pairs.add(&merged.pairs);
    let Some(summary) = pairs.tally.summary() else { return Err(Failure::input("the folders hold no pair")) };
    let result = MatchResult {
        about: About::from_config(&merged.config),
        most_pairs: pairs.tally.pairs,
        part: None,
        stopped: None,
        faults: external::counts(&pairs.tally),
        tally: pairs.tally.clone(),
        summary,
        verdict: None,
        speed: None,
    };
    let written = files.write(&result, pairs.rows(), "");
    say!("{result}");
    written
}

/// A match to play; all figures are from the view of player A.
struct Match<'a> {
    measured: MeasuredSeries<'a>,
    request: &'a MatchRequest<'a>,
    files: MatchFiles<'a>,
    /// The name of the match in files that it leaves when it is stopped.
    work: String,
    progress: &'a Progress,
}

/// The pairs of a match that are finished.
struct Pairs {
    tally: Tally,
    /// The pairs one by one, if a file needs them.
    rows: Option<Vec<MeasuredPair>>,
}

impl Pairs {
    fn new(has_rows: bool) -> Pairs {
        Pairs { tally: Tally::default(), rows: has_rows.then(Vec::new) }
    }

    fn rows(&self) -> &[MeasuredPair] {
        self.rows.as_deref().unwrap_or_default()
    }

    fn add(&mut self, pairs: &[MeasuredPair]) {
        let tally = pairs.iter().fold(Tally::default(), |sum, pair| sum.plus(&pair.tally()));
        self.tally = tally.plus(&self.tally);
        if let Some(rows) = &mut self.rows {
            rows.extend_from_slice(pairs);
        }
    }
}

impl Match<'_> {
    /// Plays the match with progress, writes its files and prints its figures.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] with the figures so far.
    fn play(&self) -> Result<Decision, Failure> {
        let &MatchRequest { pairs: most_pairs, test, part, .. } = self.request;
        let Series { setup, players, .. } = self.measured.series;
        let units = pairs_of_part(most_pairs, part);
        if units == 0 {
            return Err(Failure::input(format!(
                "--part: this part has no pair, because parts share blocks of {PAIRS_PER_FILE} pairs and the match has {most_pairs}; \
                 raise --pairs, or make fewer parts"
            )));
        }
        let progress = self.progress;
        let stored = self.request.journal(setup, &players, progress)?;
        let journal = stored.unwrap_or_else(|| Journal::in_memory(progress));
        progress.begin("match", units, "pairs");
        let (begun, cpu) = (Instant::now(), cpu_time::ProcessTime::now());
        let mut pairs = Pairs::new(self.files.needs_pairs());
        let end = play_pairs(&self.measured, most_pairs, test.as_ref(), part, &journal, |more| {
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
        let speed = Speed {
            games: 2.0 * played as f64,
            seconds,
            cpu_seconds,
            has_external: players.iter().any(|player| player.is_external()),
            players: players.map(|player| player.cpu_time().as_ref().map(Duration::as_secs_f64)),
        };
        let result = pairs.tally.summary().map(|summary| MatchResult {
            about: About::from_series(&self.measured.series),
            most_pairs,
            part,
            stopped: stop.is_some().then(|| self.work.clone()),
            faults: external::in_words(&pairs.tally, players),
            tally: pairs.tally.clone(),
            summary,
            verdict: test.map(|test| (test, decision)),
            speed: (stop.is_none() && played > 0).then_some(speed),
        });
        let written = result.iter().try_for_each(|result| self.write(result, pairs.rows()));
        progress.finish();
        if let Some(stop) = stop {
            return Err(self.interrupted(result.as_ref(), &stop, written.as_ref().err()));
        }
        // What cannot be written is printed all the same.
        if let Some(result) = result {
            say!("{result}");
        }
        written?;
        if part.is_none() {
            self.request.finish(setup, &players, pairs.tally.pairs, Some(&pairs.tally))?;
        }
        self.say_what_follows();
        Ok(decision)
    }

    /// Writes all files of a result.
    fn write(&self, result: &MatchResult, pairs: &[MeasuredPair]) -> Result<(), Failure> {
        let Series { players, .. } = self.measured.series;
        let written = self.files.write(result, pairs, &external::fault_log(players));
        let (series, is_stopped) = (&self.measured.series, result.stopped.is_some());
        let games = self.files.write_games(series, pairs, &self.work, is_stopped, self.progress);
        written.and(games)
    }

    /// Names the folder of games, and for a part the command that puts the parts together.
    fn say_what_follows(&self) {
        if let Some(folder) = self.files.games() {
            say!("The games are in {}.", folder.display());
        }
        if let (Some(part), Some(folder)) = (self.request.part, self.request.out) {
            say!(
                "This is part {} of {}; tilewright match merge {} … puts the parts together.",
                part.index + 1,
                part.count,
                folder.display()
            );
        }
    }

    /// The figures of a match that was stopped.
    fn interrupted(&self, result: Option<&MatchResult>, stop: &JournalError, unwritten: Option<&Failure>) -> Failure {
        let &MatchRequest { pairs, test, part, .. } = self.request;
        let (most, pairs) = (if test.is_some() { "at most " } else { "" }, pairs_of_part(pairs, part));
        let played = result.map_or(0, |result| result.tally.pairs);
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
