//! A match between two players: paired games, their figures, and the verdict of a sequential test.

use std::convert::Infallible;
use std::ops::Range;
use std::time::Instant;

use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::sequential::Decision;
use tilewright_engine::series::{MeasuredPair, MeasuredSeries, Series, Tally};
use tilewright_train::journal::JournalError;
use tilewright_train::stored_match::{MatchEnd, play_pairs};
use tilewright_train::{pair_records, parquet_file};

use super::external;
use super::request::MatchRequest;
use crate::failure::Failure;
use crate::loading;
use crate::output::{self, NewFile};
use crate::progress::Progress;

mod text;
mod result;
mod json;

pub use json::FiguresJson;
use result::MatchResult;
pub use text::{describe, percent};

/// The most pairs of a file of pairs; with their columns they take about 6 GB of memory.
const MOST_PAIRS_OUT: u64 = 20_000_000;

/// Plays the match, prints and writes its figures; returns the decision of the test, or [`Decision::Open`] without a test.
///
/// # Errors
/// [`Failure`]. A file that would be overwritten is reported before a game is played.
pub fn play(request: &MatchRequest<'_>, players: [&str; 2]) -> Result<Decision, Failure> {
    let (json, fault_log) = (NewFile::new(request.json)?, NewFile::new(request.fault_log)?);
    let pairs_out = NewFile::new(request.pairs_out)?;
    if request.pairs_out.is_some() && request.pairs > MOST_PAIRS_OUT {
        return Err(Failure::input(format!("--pairs-out takes at most {MOST_PAIRS_OUT} pairs; lower --pairs")));
    }
    let setup = loading::start(&request.flags)?;
    let player = |name| {
        let player = loading::any_player(name, &setup, &request.flags.common.game)?;
        Ok::<_, Failure>(match request.answer_time {
            Some(time) => player.with_answer_time(time),
            None => player,
        })
    };
    let (a, b) = (player(players[0])?, player(players[1])?);
    let series = Series { setup: &setup, players: [&a, &b], deals: request.deals(), clock: request.clock };
    let measured = MeasuredSeries::new(series);
    let result = Match { measured, request, pairs_out }.play();
    // The faults of an interrupted match are written too.
    fault_log.write(external::fault_log([&a, &b]).as_bytes())?;
    let result = result?;
    output::show(&result, json)?;
    Ok(result.verdict.map_or(Decision::Open, |(_, decision)| decision))
}

/// A match to play; all figures are from the view of player A.
struct Match<'a> {
    measured: MeasuredSeries<'a>,
    request: &'a MatchRequest<'a>,
    pairs_out: NewFile<'a>,
}

/// The pairs of a match that are finished.
struct Pairs {
    tally: Tally,
    /// The pairs one by one, if they are written to a file.
    rows: Option<Vec<MeasuredPair>>,
}

impl Pairs {
    /// Adds pairs and returns their sums.
    fn add(&mut self, pairs: &[MeasuredPair]) -> Tally {
        let tally = pairs.iter().fold(Tally::default(), |sum, pair| sum.plus(&pair.tally()));
        self.rows.iter_mut().for_each(|rows| rows.extend_from_slice(pairs));
        self.tally = tally.clone().plus(&self.tally);
        tally
    }
}

impl<'a> Match<'a> {
    /// Plays the match with progress, and writes the pairs to their file.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] with the figures so far.
    fn play(&self) -> Result<MatchResult<'a>, Failure> {
        let &MatchRequest { pairs: most_pairs, test, .. } = self.request;
        let Series { setup, players, .. } = self.measured.series;
        let progress = Progress::new(self.request.flags.common.game.quiet);
        let journal = self.request.journal(setup, &players, &progress)?;
        progress.begin("match", most_pairs, "pairs");
        let (begun, cpu) = (Instant::now(), cpu_time::ProcessTime::now());
        let mut pairs = Pairs { tally: Tally::default(), rows: self.pairs_out.path().map(|_| Vec::new()) };
        let end = match &journal {
            Some(journal) => play_pairs(&self.measured, most_pairs, test.as_ref(), journal, |more| {
                pairs.add(more);
            }),
            None => Ok(self.play_unstored(&progress, &mut pairs)),
        };
        let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
        progress.finish();
        let MatchEnd { decision, played } = match end {
            Err(stop @ JournalError::Interrupted { .. }) => return Err(self.interrupted(&pairs.tally, &format!("\n{stop}"))),
            end => end?,
        };
        let tally = pairs.tally;
        let mut advice = String::new();
        if let (Some(path), Some(rows)) = (self.pairs_out.path(), pairs.rows.filter(|rows| !rows.is_empty())) {
            parquet_file::write(path, &pair_records::columns(&rows))?;
            advice = format!("\nthese pairs are in {}", path.display());
        }
        match tally.summary() {
            Some(summary) if tally.pairs == most_pairs || decision != Decision::Open => Ok(MatchResult {
                series: self.measured.series,
                most_pairs,
                tally,
                summary,
                verdict: test.map(|test| (test, decision)),
                played,
                seconds,
                cpu_seconds,
            }),
            _ => Err(self.interrupted(&tally, &advice)),
        }
    }

    /// Plays the match without a journal; a stop ends it at any pair.
    fn play_unstored(&self, progress: &Progress, pairs: &mut Pairs) -> MatchEnd {
        let &MatchRequest { pairs: most_pairs, test, .. } = self.request;
        let mut play = |range: Range<u64>| {
            if pairs.rows.is_some() {
                return pairs.add(&self.measured.play_each(range, progress));
            }
            let tally = self.measured.play(range, progress);
            pairs.tally = tally.clone().plus(&pairs.tally);
            tally
        };
        let mut decision = Decision::Open;
        if let Some(test) = test {
            let Ok(series) = test.play_by(most_pairs, progress, |range| Ok::<_, Infallible>(play(range)));
            decision = series.decision;
        } else {
            play(0..most_pairs);
        }
        MatchEnd { decision, played: pairs.tally.pairs }
    }

    /// The figures of an interrupted match, followed by `advice`.
    fn interrupted(&self, tally: &Tally, advice: &str) -> Failure {
        let MatchRequest { pairs, test, .. } = self.request;
        let most = if test.is_some() { "at most " } else { "" };
        let mut text = format!("{} of {most}{pairs} pairs were played", tally.pairs);
        if let Some(summary) = tally.summary() {
            text += &format!("\n{}\n{}", describe(tally, &summary), text::describe_measured(tally));
            if let Some(faults) = external::in_words(tally, self.measured.series.players) {
                text += &format!("\n{faults}");
            }
        }
        Failure::Interrupted(text + advice)
    }
}
