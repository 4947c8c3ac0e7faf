//! The result of a match, and its text.

use std::fmt;

use tilewright_engine::series::sequential::{Decision, SequentialTest};
use tilewright_engine::series::{Series, Summary, Tally};

use super::text::{describe, describe_measured, describe_verdict};
use crate::matches::external;

/// The result of a finished match, printed as text and written as JSON.
pub struct MatchResult<'a> {
    /// The players, the deals and the clock.
    pub series: Series<'a>,
    /// The maximum number of pairs.
    pub most_pairs: u64,
    /// The sums over all pairs.
    pub tally: Tally,
    /// Their means, with intervals.
    pub summary: Summary,
    /// The sequential test and its decision, if there is a test.
    pub verdict: Option<(SequentialTest, Decision)>,
    /// Pairs that this process played; the others come from the journal.
    pub played: u64,
    /// Elapsed time of the games that this process played.
    pub seconds: f64,
    /// User and system time of these games, without that of external players.
    pub cpu_seconds: f64,
}

impl fmt::Display for MatchResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tally, games) = (&self.tally, 2.0 * self.tally.pairs as f64);
        let Series { setup, players: [a, b], deals, clock } = self.series;
        let unpaired = if deals.is_unpaired() { ", separate deals for the two games of a pair" } else { "" };
        writeln!(f, "{} against {}, seed {}, {}{unpaired}", a.name, b.name, deals.seed, setup.lexicon.name)?;
        writeln!(f, "{}\n{}", describe(tally, &self.summary), describe_measured(tally))?;
        if clock.is_some() {
            let [a, b] = tally.penalties.map(|points| points as f64 / games);
            writeln!(f, "overtime    {a:.1} : {b:.1} points per game")?;
        }
        if let Some(faults) = external::in_words(tally, [a, b]) {
            writeln!(f, "{faults}")?;
        }
        if let Some((test, decision)) = &self.verdict {
            writeln!(f, "{}", describe_verdict(test, *decision, tally))?;
        }
        let games = 2.0 * self.played as f64;
        let rate = games / self.seconds;
        if a.is_external() || b.is_external() {
            // The CPU time of external players is unknown.
            return write!(f, "{rate:.1} games per second");
        }
        write!(f, "{rate:.0} games per second, {:.0} per CPU-second", games / self.cpu_seconds.max(1e-9))
    }
}
