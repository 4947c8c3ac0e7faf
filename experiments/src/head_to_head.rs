//! Paired series as verbs play, tell and write them.

use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use tilewright_engine::artefact::write_atomically;
use tilewright_engine::clock::Clock;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::sequential::{Decision, SequentialTest};
use tilewright_engine::series::{Series, Summary, Tally};

use crate::arguments::{ErrorRates, GameArguments, Hypotheses, RunArguments, SearchArguments};
use crate::failure::{Failure, Input};
use crate::foreign::{self, FaultsJson, Foreign};
use crate::page::say;
use crate::progress::Progress;
use crate::{folder, loading};

/// How often each verdict may be wrong, unless told otherwise; what chess engines are tested with.
const ERROR_RATE: f64 = 0.05;

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
    /// Where the figures go as JSON.
    pub json: Option<&'a Path>,
}

/// A paired series to play; all figures are from the view of player A.
struct HeadToHead<'a> {
    /// Player A is the one whose view it is.
    series: Series<'a>,
    /// Pairs; with a test, the most.
    pairs: u64,
    /// Ends the series early.
    test: Option<SequentialTest>,
}

/// A series that was played to its end.
struct Played {
    tally: Tally,
    summary: Summary,
    verdict: Option<(SequentialTest, Decision)>,
    seconds: f64,
    cpu_seconds: f64,
}

/// The figures as JSON; others script against these keys. Rates are 0–1, spreads and scores points a game, all from the view
/// of player A. Intervals hold 95 %, but for a series that a sequential test stopped: it chose when, and they lean with it.
#[derive(Serialize)]
struct MatchJson<'a> {
    pairs: u64,
    win_rate: f64,
    win_rate_low: f64,
    win_rate_high: f64,
    spread: f64,
    spread_low: f64,
    spread_high: f64,
    first_mover_win_rate: f64,
    mean_score_a: f64,
    mean_score_b: f64,
    bingos_a: f64,
    bingos_b: f64,
    turns: f64,
    /// Pairs in which A won 0, ½, 1, 1½, 2 games.
    pentanomial: [u64; 5],
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<ClockJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<FaultsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequential: Option<SequentialJson>,
    games_per_second: f64,
    /// User and system time of the games alone, without that of players that run elsewhere.
    cpu_seconds: f64,
    seed: u64,
    lexicon: &'a str,
    tileset: &'a str,
    player_a: &'a str,
    player_b: &'a str,
}

/// The clock, where there was one.
#[derive(Serialize)]
struct ClockJson {
    /// Of each player for a game.
    seconds: f64,
    /// Points for each minute begun beyond that.
    overtime: i32,
    /// Points a game that the players paid.
    mean_overtime_a: f64,
    mean_overtime_b: f64,
}

/// The sequential test, where one ended the series.
#[derive(Serialize)]
struct SequentialJson {
    /// Win rates of player A, 0–1.
    h0: f64,
    h1: f64,
    alpha: f64,
    beta: f64,
    /// `h0` or `h1`, or `undecided` after the most pairs allowed.
    verdict: &'static str,
    log_likelihood_ratio: f64,
    lower_bound: f64,
    upper_bound: f64,
    most_pairs: u64,
}

/// The test that the command line asks for.
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
        let setup = loading::setup(self.game, self.search)?;
        let [a, b] = self.players.map(|name| self.foreign.player(name, &setup, self.game));
        let (a, b) = (a?, b?);
        let series = Series { setup: &setup, players: [&a, &b], seed: self.seed(), clock: self.clock };
        let head_to_head = HeadToHead { series, pairs: self.pairs, test: self.test };
        let played = head_to_head.play(self.game.quiet);
        // What they did wrong is told of a series that was interrupted, too.
        self.foreign.write_log([&a, &b])?;
        let played = played?;
        head_to_head.tell(&played);
        self.json.map(|path| head_to_head.write(&played, path)).transpose()?;
        Ok(played.decision())
    }

    /// The seed of the deals.
    pub fn seed(&self) -> u64 {
        self.run.seed.unwrap_or(1)
    }
}

impl HeadToHead<'_> {
    /// Plays it, with progress unless `quiet`.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] with the figures so far.
    fn play(&self, quiet: bool) -> Result<Played, Failure> {
        let HeadToHead { series, pairs, test } = self;
        let progress = Progress::new(quiet);
        progress.begin("match", *pairs, "pairs");
        let (begun, cpu) = (Instant::now(), cpu_time::ProcessTime::now());
        let (tally, decision) = match test {
            None => (series.play(0..*pairs, &progress), Decision::Open),
            Some(test) => {
                let played = test.play(series, *pairs, &progress);
                (played.tally, played.decision)
            }
        };
        let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
        progress.finish();
        match tally.summary() {
            Some(summary) if tally.pairs == *pairs || decision != Decision::Open => {
                Ok(Played { tally, summary, verdict: test.map(|test| (test, decision)), seconds, cpu_seconds })
            }
            summary => {
                let mut figures = summary.map_or(String::new(), |summary| format!("\n{}", describe(&tally, &summary)));
                if let Some(faults) = foreign::in_words(&tally, series.players) {
                    figures += &format!("\n{faults}");
                }
                let most = if test.is_some() { "at most " } else { "" };
                Err(Failure::Interrupted(format!("{} of {most}{pairs} pairs were played{figures}", tally.pairs)))
            }
        }
    }

    /// Prints the figures, and the verdict of the test.
    fn tell(&self, played: &Played) {
        let games = 2.0 * played.tally.pairs as f64;
        let Series { setup, players: [a, b], seed, clock } = self.series;
        say!("{} against {}, seed {seed}, {}", a.name, b.name, setup.lexicon.name);
        say!("{}", describe(&played.tally, &played.summary));
        if clock.is_some() {
            let [a, b] = played.tally.penalties.map(|points| points as f64 / games);
            say!("overtime    {a:.1} : {b:.1} points a game");
        }
        if let Some(faults) = foreign::in_words(&played.tally, [a, b]) {
            say!("{faults}");
        }
        if let Some(verdict) = played.verdict_in_words() {
            say!("{verdict}");
        }
        let rate = games / played.seconds;
        if a.is_foreign() || b.is_foreign() {
            // What they take elsewhere is not known.
            say!("{rate:.1} games a second");
        } else {
            say!("{rate:.0} games a second, {:.0} a CPU-second", games / played.cpu_seconds.max(1e-9));
        }
    }

    /// Writes the figures as JSON.
    fn write(&self, played: &Played, path: &Path) -> Result<(), Failure> {
        let Played { tally, summary, .. } = played;
        let json = MatchJson {
            pairs: tally.pairs,
            win_rate: summary.win_rate.mean,
            win_rate_low: summary.win_rate.low,
            win_rate_high: summary.win_rate.high,
            spread: summary.spread.mean,
            spread_low: summary.spread.low,
            spread_high: summary.spread.high,
            first_mover_win_rate: summary.first_mover_win_rate,
            mean_score_a: summary.scores[0],
            mean_score_b: summary.scores[1],
            bingos_a: summary.bingos[0],
            bingos_b: summary.bingos[1],
            turns: summary.turns,
            pentanomial: tally.outcomes,
            clock: self.clock_json(tally),
            faults: FaultsJson::of(tally),
            sequential: self.sequential_json(played),
            games_per_second: 2.0 * tally.pairs as f64 / played.seconds,
            cpu_seconds: played.cpu_seconds,
            seed: self.series.seed,
            lexicon: &self.series.setup.lexicon.name,
            tileset: self.series.setup.tileset.name(),
            player_a: &self.series.players[0].name,
            player_b: &self.series.players[1].name,
        };
        write_atomically(path, (serde_json::to_string_pretty(&json)? + "\n").as_bytes())?;
        Ok(())
    }

    fn clock_json(&self, tally: &Tally) -> Option<ClockJson> {
        let Clock { time, overtime } = self.series.clock?;
        let [mean_overtime_a, mean_overtime_b] = tally.penalties.map(|points| points as f64 / (2.0 * tally.pairs as f64));
        Some(ClockJson { seconds: time.as_secs_f64(), overtime, mean_overtime_a, mean_overtime_b })
    }

    fn sequential_json(&self, played: &Played) -> Option<SequentialJson> {
        let (test, decision) = played.verdict.as_ref()?;
        let ([h0, h1], [alpha, beta], [lower_bound, upper_bound]) = (test.hypotheses(), test.error_rates(), test.bounds());
        let verdict = match decision {
            Decision::AcceptH0 => "h0",
            Decision::AcceptH1 => "h1",
            Decision::Open => "undecided",
        };
        let log_likelihood_ratio = test.log_likelihood_ratio(&played.tally.outcomes);
        let most_pairs = self.pairs;
        Some(SequentialJson { h0, h1, alpha, beta, verdict, log_likelihood_ratio, lower_bound, upper_bound, most_pairs })
    }
}

impl Played {
    /// What the test decided; [`Decision::Open`] without one.
    fn decision(&self) -> Decision {
        self.verdict.map_or(Decision::Open, |(_, decision)| decision)
    }

    fn verdict_in_words(&self) -> Option<String> {
        let (test, decision) = self.verdict?;
        let ([h0, h1], [lower, upper]) = (test.hypotheses().map(percent), test.bounds());
        let verdict = match decision {
            Decision::AcceptH0 => format!("H0 accepted: a win rate of {h0} % rather than {h1} %"),
            Decision::AcceptH1 => format!("H1 accepted: a win rate of {h1} % rather than {h0} %"),
            Decision::Open => {
                format!("undecided between win rates of {h0} % (H0) and {h1} % (H1) after the most pairs allowed")
            }
        };
        let ratio = test.log_likelihood_ratio(&self.tally.outcomes);
        let mut text = format!("test        {verdict}; LLR {ratio:+.2} ({lower:+.2} to {upper:+.2})");
        if decision != Decision::Open {
            text += "\n            It chose when to stop, so win rate and spread lean towards its verdict, and their intervals with them";
        }
        Some(text)
    }
}

/// A rate of 0–1 in percent, without the noise of its last binary digits.
pub fn percent(rate: f64) -> f64 {
    (rate * 1e8).round() / 1e6
}

/// The figures in words; also the match part of a report.
pub fn describe(tally: &Tally, summary: &Summary) -> String {
    let Summary { win_rate, spread, scores, bingos, .. } = summary;
    format!(
        "pairs       {}\n\
         win rate    {:.2} %   (95 %: {:.2} to {:.2})\n\
         spread      {:+.2}   (95 %: {:+.2} to {:+.2}) points a game\n\
         scores      {:.1} : {:.1}\n\
         bingos      {:.2} : {:.2} a game\n\
         turns       {:.1} a game\n\
         first mover wins {:.1} %",
        tally.pairs,
        100.0 * win_rate.mean,
        100.0 * win_rate.low,
        100.0 * win_rate.high,
        spread.mean,
        spread.low,
        spread.high,
        scores[0],
        scores[1],
        bingos[0],
        bingos[1],
        summary.turns,
        100.0 * summary.first_mover_win_rate,
    )
}
