//! A match between two players: paired games, their figures, and the verdict of a sequential test; also put together from parts.

use std::time::{Duration, Instant};

use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::sequential::Decision;
use tilewright_engine::series::{MeasuredPair, MeasuredSeries, Series, Tally};
use tilewright_train::journal::{Journal, JournalError};
use tilewright_train::stored_match::{MatchEnd, PAIRS_PER_FILE, merge, pairs_of_part, play_pairs};
use tilewright_train::{pair_records, parquet_file};

use super::external;
use super::flags::MergeArguments;
use super::request::MatchRequest;
use crate::failure::{Failure, Input};
use crate::loading;
use crate::output::{NewFile, say};
use crate::progress::Progress;

mod text;
mod result;
mod json;
mod games;

use games::GamesOut;
pub use json::{FiguresJson, TallyJson, verdict};
use result::{About, MatchResult, Speed};
pub use text::{describe, percent};

/// The most pairs of a file of pairs; with their columns they take about 6 GB of memory.
const MOST_PAIRS_OUT: u64 = 20_000_000;

/// The most pairs whose games are written; their moves take about 3 GB of memory.
const MOST_GAMES_OUT: u64 = 2_000_000;

/// Plays the match, prints and writes its figures; returns the decision of the test, or [`Decision::Open`] without a test.
///
/// # Errors
/// [`Failure`]. A file that would be overwritten is reported before a game is played. A stopped match writes the figures so far, marked
/// as partial.
pub fn play(request: &MatchRequest<'_>, players: [&str; 2]) -> Result<Decision, Failure> {
    let work = result::work(players, request.seed(), request.unpaired, request.part);
    let is_own = |stopped: Option<String>| stopped.is_some_and(|own| own == work);
    let json = NewFile::new_or_own(request.json, |path| is_own(json::stopped(path)))?;
    let pairs_out = NewFile::new_or_own(request.pairs_out, |path| is_own(parquet_file::stopped(path)))?;
    let games = request.games.map(|flags| GamesOut::new(flags, is_own)).transpose()?;
    let (files, fault_log) = (Files { json, pairs_out }, NewFile::new(request.fault_log)?);
    if games.is_some() && request.pairs > MOST_GAMES_OUT {
        return Err(Failure::input(format!("--games-out takes at most {MOST_GAMES_OUT} pairs; lower --pairs")));
    }
    if request.pairs_out.is_some() && request.pairs > MOST_PAIRS_OUT {
        return Err(Failure::input(format!("--pairs-out takes at most {MOST_PAIRS_OUT} pairs; lower --pairs")));
    }
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
    let series = Series { setup: &setup, players: [&a, &b], deals: request.deals(), clock: request.clock };
    let measured = MeasuredSeries { keeps_moves: games.is_some(), ..MeasuredSeries::new(series) };
    Match { measured, request, files, games, fault_log, progress: &progress }.play()
}

/// `match merge`: the figures of a match that was played in parts.
///
/// # Errors
/// [`Failure::Input`] if the folders do not hold exactly the pairs of one match.
pub fn merge_parts(arguments: &MergeArguments) -> Result<(), Failure> {
    let json = NewFile::new(arguments.json.as_deref())?;
    let files = Files { json, pairs_out: NewFile::new(arguments.pairs_out.as_deref())? };
    let progress = Progress::new(arguments.quiet);
    let merged = merge(&arguments.folders, &progress).input()?;
    let mut pairs = Pairs::new(files, false);
    pairs.add(&merged.pairs);
    let Some(summary) = pairs.tally.summary() else { return Err(Failure::input("the folders hold no pair")) };
    let result = MatchResult {
        about: About::from_config(&merged.config),
        most_pairs: pairs.tally.pairs,
        part: None,
        is_stopped: false,
        faults: external::counts(&pairs.tally),
        tally: pairs.tally.clone(),
        summary,
        verdict: None,
        speed: None,
    };
    let written = pairs.write(&result);
    say!("{result}");
    written
}

/// The files for the figures and the pairs.
#[derive(Clone, Copy)]
struct Files<'a> {
    json: NewFile<'a>,
    pairs_out: NewFile<'a>,
}

/// A match to play; all figures are from the view of player A.
struct Match<'a> {
    measured: MeasuredSeries<'a>,
    request: &'a MatchRequest<'a>,
    files: Files<'a>,
    games: Option<GamesOut<'a>>,
    fault_log: NewFile<'a>,
    progress: &'a Progress,
}

/// The pairs of a match that are finished.
struct Pairs<'a> {
    files: Files<'a>,
    tally: Tally,
    /// The pairs one by one, if they or their games are written.
    rows: Option<Vec<MeasuredPair>>,
}

impl<'a> Pairs<'a> {
    fn new(files: Files<'a>, has_games: bool) -> Pairs<'a> {
        let rows = (has_games || files.pairs_out.path().is_some()).then(Vec::new);
        Pairs { files, tally: Tally::default(), rows }
    }

    fn add(&mut self, pairs: &[MeasuredPair]) {
        let tally = pairs.iter().fold(Tally::default(), |sum, pair| sum.plus(&pair.tally()));
        self.tally = tally.plus(&self.tally);
        if let Some(rows) = &mut self.rows {
            rows.extend_from_slice(pairs);
        }
    }

    /// Writes the files of a result.
    fn write(&self, result: &MatchResult) -> Result<(), Failure> {
        if let (Some(path), Some(rows)) = (self.files.pairs_out.path(), &self.rows) {
            let work = result.is_stopped.then(|| result.work());
            parquet_file::write(path, &pair_records::columns(rows), work.as_deref())?;
        }
        self.files.json.write_json(result)
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
        let mut pairs = Pairs::new(self.files, self.games.is_some());
        let end = play_pairs(&self.measured, most_pairs, test.as_ref(), part, &journal, |more| {
            pairs.add(more);
            if let Some(note) = pairs.tally.rate_so_far() {
                progress.note(&note);
            }
        });
        let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
        progress.finish();
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
            is_stopped: stop.is_some(),
            faults: external::in_words(&pairs.tally, players),
            tally: pairs.tally.clone(),
            summary,
            verdict: test.map(|test| (test, decision)),
            speed: stop.is_none().then_some(speed),
        });
        // What cannot be written is printed all the same.
        let written = result.iter().try_for_each(|result| pairs.write(result));
        let written = written.and_then(|()| match (&self.games, &result, &pairs.rows) {
            (Some(games), Some(result), Some(rows)) => games.write(&self.measured.series, rows, result),
            _ => Ok(()),
        });
        let written = written.and(self.fault_log.write(external::fault_log(players).as_bytes()));
        if let Some(stop) = stop {
            return Err(self.interrupted(result.as_ref(), &stop, written.as_ref().err()));
        }
        if let Some(result) = result {
            say!("{result}");
        }
        written?;
        if let Some(games) = &self.games {
            say!("The games are in {}.", games.folder().display());
        }
        if let (Some(part), Some(folder)) = (part, self.request.out) {
            say!(
                "This is part {} of {}; tilewright match merge {} … puts the parts together.",
                part.index + 1,
                part.count,
                folder.display()
            );
        }
        Ok(decision)
    }

    /// The figures of a match that was stopped.
    fn interrupted(&self, result: Option<&MatchResult>, stop: &JournalError, unwritten: Option<&Failure>) -> Failure {
        let &MatchRequest { pairs, test, part, .. } = self.request;
        let (most, pairs) = (if test.is_some() { "at most " } else { "" }, pairs_of_part(pairs, part));
        let played = result.map_or(0, |result| result.tally.pairs);
        let mut text = format!("{played} of {most}{pairs} pairs were played");
        if let Some(result) = result {
            text += &format!("\n{result}");
            let games = self.games.as_ref().map(GamesOut::folder);
            for path in [self.files.json.path(), self.files.pairs_out.path(), games].into_iter().flatten() {
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
