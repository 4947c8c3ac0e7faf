//! A match between two players: paired games, their figures, and the verdict of a sequential test.

use std::convert::Infallible;
use std::ops::Range;
use std::time::Instant;

use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::sequential::Decision;
use tilewright_engine::series::{MeasuredPair, MeasuredSeries, Series, Summary, Tally};
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

/// The most pairs that are kept for a file of pairs: with their columns some 6 GB.
const MOST_PAIRS_OUT: u64 = 20_000_000;

/// Plays the match, prints and writes its figures; returns what the test decided, [`Decision::Open`] without one.
///
/// # Errors
/// [`Failure`]. A file that would be overwritten is reported before a game is played.
pub fn play(request: &MatchRequest<'_>, players: [&str; 2]) -> Result<Decision, Failure> {
    let (json, fault_log) = (NewFile::new(request.json)?, NewFile::new(request.fault_log)?);
    let pairs_out = NewFile::new(request.pairs_out)?;
    if request.pairs_out.is_some() && request.pairs > MOST_PAIRS_OUT {
        return Err(Failure::input(format!("--pairs-out keeps at most {MOST_PAIRS_OUT} pairs; ask for fewer --pairs")));
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
    // An interrupted match has its faults too.
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

impl<'a> Match<'a> {
    /// Plays the match with progress, and writes the pairs to their file.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] with the figures so far.
    fn play(&self) -> Result<MatchResult<'a>, Failure> {
        let &MatchRequest { pairs: most_pairs, test, .. } = self.request;
        let progress = Progress::new(self.request.flags.common.game.quiet);
        progress.begin("match", most_pairs, "pairs");
        let (begun, cpu) = (Instant::now(), cpu_time::ProcessTime::now());
        let mut kept = Vec::new();
        let mut play = |pairs| self.play_range(pairs, &progress, &mut kept);
        let (tally, decision) = match test {
            None => (play(0..most_pairs), Decision::Open),
            Some(test) => {
                let Ok(played) = test.play_by(most_pairs, &progress, |pairs| Ok::<_, Infallible>(play(pairs)));
                (played.tally, played.decision)
            }
        };
        let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
        progress.finish();
        if let Some(path) = self.pairs_out.path().filter(|_| tally.pairs > 0) {
            parquet_file::write(path, &pair_records::columns(&kept))?;
        }
        match tally.summary() {
            Some(summary) if tally.pairs == most_pairs || decision != Decision::Open => Ok(MatchResult {
                series: self.measured.series,
                most_pairs,
                tally,
                summary,
                verdict: test.map(|test| (test, decision)),
                seconds,
                cpu_seconds,
            }),
            summary => Err(self.interrupted(&tally, summary)),
        }
    }

    /// Plays a range of pairs; keeps them if they are to be written.
    fn play_range(&self, pairs: Range<u64>, progress: &Progress, kept: &mut Vec<MeasuredPair>) -> Tally {
        if self.pairs_out.path().is_none() {
            return self.measured.play(pairs, progress);
        }
        let played = self.measured.play_each(pairs, progress);
        let tally = played.iter().fold(Tally::default(), |sum, pair| sum.plus(&pair.tally()));
        kept.extend(played);
        tally
    }

    fn interrupted(&self, tally: &Tally, summary: Option<Summary>) -> Failure {
        let MatchRequest { pairs, test, .. } = self.request;
        let most = if test.is_some() { "at most " } else { "" };
        let mut text = format!("{} of {most}{pairs} pairs were played", tally.pairs);
        if let Some(summary) = summary {
            text += &format!("\n{}\n{}", describe(tally, &summary), text::describe_measured(tally));
            if let Some(faults) = external::in_words(tally, self.measured.series.players) {
                text += &format!("\n{faults}");
            }
            if let Some(path) = self.pairs_out.path() {
                text += &format!("\n{} has these pairs", path.display());
            }
        }
        Failure::Interrupted(text)
    }
}
