//! Paired series as verbs play, tell and write them.

use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use tilewright_engine::artefact::write_atomically;
use tilewright_engine::clock::Clock;
use tilewright_engine::deals::Purpose;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::sequential::{Decision, SequentialTest};
use tilewright_engine::series::{MeasuredPair, MeasuredSeries, Series, Summary, Tally};
use tilewright_train::{pair_records, parquet_file};

use super::external::{self, Foreign};
use super::flags::{ErrorRates, Hypotheses};
use crate::failure::{Failure, Input};
use crate::flags::{GameArguments, RunArguments, SearchArguments};
use crate::output::say;
use crate::progress::Progress;
use crate::{folder, loading};

mod json;
mod text;

pub use json::MeasuredJson;
pub use text::{ERROR_RATE, describe, percent};

/// The most pairs that are kept for a file of pairs: with their columns some 6 GB.
const MOST_PAIRS_OUT: u64 = 20_000_000;

/// A paired series as the command line asks for it.
pub struct Asked<'a> {
    /// What is played.
    pub game: &'a GameArguments,
    /// How to find words.
    pub search: &'a SearchArguments,
    /// The seed of the deals, 1 if it names none.
    pub run: &'a RunArguments,
    /// The names of players A and B.
    pub players: [&'a str; 2],
    /// Pairs; with a test, the most.
    pub pairs: u64,
    /// Ends the series early.
    pub test: Option<SequentialTest>,
    /// Time for each player and game.
    pub clock: Option<Clock>,
    /// What holds for players that run elsewhere.
    pub foreign: Foreign<'a>,
    /// Whether the two games of a pair have deals of their own.
    pub unpaired: bool,
    /// Where the figures go as JSON.
    pub json: Option<&'a Path>,
    /// Where the pairs go as Parquet.
    pub pairs_out: Option<&'a Path>,
}

/// A paired series to play; all figures are from the view of player A.
struct HeadToHead<'a> {
    /// Player A is the one whose view it is.
    measured: MeasuredSeries<'a>,
    /// Pairs; with a test, the most.
    pairs: u64,
    /// Ends the series early.
    test: Option<SequentialTest>,
    /// Where the pairs go.
    pairs_out: Option<&'a Path>,
}

/// A series that was played to its end.
struct Played {
    tally: Tally,
    summary: Summary,
    verdict: Option<(SequentialTest, Decision)>,
    seconds: f64,
    cpu_seconds: f64,
}

/// The test that the command line asks for; error rates are 5 % unless told otherwise, as chess engines are tested.
pub fn sequential_test(hypotheses: Hypotheses, rates: &ErrorRates) -> Result<SequentialTest, Failure> {
    let Hypotheses { h0, h1 } = hypotheses;
    let [alpha, beta] = [rates.alpha, rates.beta].map(|rate| rate.unwrap_or(ERROR_RATE));
    SequentialTest::new(h0, h1, alpha, beta).input()
}

impl Asked<'_> {
    /// Plays the series, prints and writes its figures; returns what the test decided, [`Decision::Open`] without one.
    ///
    /// # Errors
    /// [`Failure`]; a file that would be overwritten is told before a game is played.
    pub fn play(&self) -> Result<Decision, Failure> {
        loading::set_threads(self.run)?;
        self.json.map(folder::check_new_file).transpose()?;
        self.foreign.check()?;
        self.pairs_out.map(folder::check_new_file).transpose()?;
        if self.pairs_out.is_some() && self.pairs > MOST_PAIRS_OUT {
            return Err(Failure::input(format!("--pairs-out keeps at most {MOST_PAIRS_OUT} pairs; ask for fewer --pairs")));
        }
        let setup = loading::setup(self.game, self.search)?;
        let [a, b] = self.players.map(|name| self.foreign.player(name, &setup, self.game));
        let (a, b) = (a?, b?);
        let purpose = if self.unpaired { Purpose::UnpairedMatch } else { Purpose::Match };
        let series = Series { setup: &setup, players: [&a, &b], deals: purpose.deals(self.seed()), clock: self.clock };
        let measured = MeasuredSeries::new(series);
        let head_to_head = HeadToHead { measured, pairs: self.pairs, test: self.test, pairs_out: self.pairs_out };
        let played = head_to_head.play(self.game.quiet);
        // What they did wrong is told of a series that was interrupted, too.
        self.foreign.write_log([&a, &b])?;
        let played = played?;
        head_to_head.tell(&played);
        if let Some(path) = self.json {
            let json = serde_json::to_string_pretty(&head_to_head.json(&played))? + "\n";
            write_atomically(path, json.as_bytes())?;
        }
        Ok(played.verdict.map_or(Decision::Open, |(_, decision)| decision))
    }

    /// The seed of the deals.
    pub fn seed(&self) -> u64 {
        self.run.seed.unwrap_or(1)
    }
}

impl HeadToHead<'_> {
    /// Plays it, with progress unless `quiet`, and writes the pairs where they are asked for.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] with the figures so far.
    fn play(&self, quiet: bool) -> Result<Played, Failure> {
        let progress = Progress::new(quiet);
        progress.begin("match", self.pairs, "pairs");
        let (begun, cpu) = (Instant::now(), cpu_time::ProcessTime::now());
        let mut kept = Vec::new();
        let mut play = |pairs| self.play_range(pairs, &progress, &mut kept);
        let (tally, decision) = match self.test {
            None => (play(0..self.pairs), Decision::Open),
            Some(test) => {
                let played = test.play_by(self.pairs, &progress, play);
                (played.tally, played.decision)
            }
        };
        let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
        progress.finish();
        if let Some(path) = self.pairs_out.filter(|_| tally.pairs > 0) {
            parquet_file::write(path, &pair_records::columns(&kept))?;
        }
        match tally.summary() {
            Some(summary) if tally.pairs == self.pairs || decision != Decision::Open => {
                Ok(Played { tally, summary, verdict: self.test.map(|test| (test, decision)), seconds, cpu_seconds })
            }
            summary => Err(self.interrupted(&tally, summary)),
        }
    }

    /// Plays a range of pairs; keeps them if they are to be written.
    fn play_range(&self, pairs: Range<u64>, progress: &Progress, kept: &mut Vec<MeasuredPair>) -> Tally {
        if self.pairs_out.is_none() {
            return self.measured.play(pairs, progress);
        }
        let played = self.measured.play_each(pairs, progress);
        let tally = played.iter().fold(Tally::default(), |sum, pair| sum.plus(&pair.tally()));
        kept.extend(played);
        tally
    }

    fn interrupted(&self, tally: &Tally, summary: Option<Summary>) -> Failure {
        let most = if self.test.is_some() { "at most " } else { "" };
        let mut text = format!("{} of {most}{} pairs were played", tally.pairs, self.pairs);
        if let Some(summary) = summary {
            text += &format!("\n{}\n{}", describe(tally, &summary), text::describe_measured(tally));
            if let Some(faults) = external::in_words(tally, self.measured.series.players) {
                text += &format!("\n{faults}");
            }
            if let Some(path) = self.pairs_out {
                text += &format!("\n{} has these pairs", path.display());
            }
        }
        Failure::Interrupted(text)
    }

    /// Prints the figures, and the verdict of the test.
    fn tell(&self, played: &Played) {
        let games = 2.0 * played.tally.pairs as f64;
        let Series { setup, players: [a, b], deals, clock } = self.measured.series;
        let unpaired = if deals.is_unpaired() { ", the games of a pair on deals of their own" } else { "" };
        say!("{} against {}, seed {}, {}{unpaired}", a.name, b.name, deals.seed, setup.lexicon.name);
        say!("{}", describe(&played.tally, &played.summary));
        say!("{}", text::describe_measured(&played.tally));
        if clock.is_some() {
            let [a, b] = played.tally.penalties.map(|points| points as f64 / games);
            say!("overtime    {a:.1} : {b:.1} points a game");
        }
        if let Some(faults) = external::in_words(&played.tally, [a, b]) {
            say!("{faults}");
        }
        if let Some((test, decision)) = &played.verdict {
            say!("{}", text::describe_verdict(test, *decision, &played.tally));
        }
        let rate = games / played.seconds;
        if a.is_foreign() || b.is_foreign() {
            // What they take elsewhere is not known.
            say!("{rate:.1} games a second");
        } else {
            say!("{rate:.0} games a second, {:.0} a CPU-second", games / played.cpu_seconds.max(1e-9));
        }
    }
}
