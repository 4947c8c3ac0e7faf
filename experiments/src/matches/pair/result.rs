//! The result of a match, and its text.

use std::fmt;

use tilewright_engine::series::sequential::{Decision, SequentialTest};
use tilewright_engine::series::{Series, Summary, Tally};

use super::text::{describe, describe_measured, describe_verdict};
use crate::matches::external;

/// A match that was played to its end. It is printed as text and written as JSON.
pub struct MatchResult<'a> {
    /// The players, the deals and the clock.
    pub series: Series<'a>,
    /// The most pairs that the request allowed.
    pub most_pairs: u64,
    /// The sums over all pairs.
    pub tally: Tally,
    /// Their means, with intervals.
    pub summary: Summary,
    /// The test that was asked for, and what it decided.
    pub verdict: Option<(SequentialTest, Decision)>,
    /// Pairs that were played now; the others were read back.
    pub played: u64,
    /// Time of the games that were played now.
    pub seconds: f64,
    /// User and system time of these games, without that of external players.
    pub cpu_seconds: f64,
}

impl fmt::Display for MatchResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tally, games) = (&self.tally, 2.0 * self.tally.pairs as f64);
        let Series { setup, players: [a, b], deals, clock } = self.series;
        let unpaired = if deals.is_unpaired() { ", the games of a pair on deals of their own" } else { "" };
        writeln!(f, "{} against {}, seed {}, {}{unpaired}", a.name, b.name, deals.seed, setup.lexicon.name)?;
        writeln!(f, "{}\n{}", describe(tally, &self.summary), describe_measured(tally))?;
        if clock.is_some() {
            let [a, b] = tally.penalties.map(|points| points as f64 / games);
            writeln!(f, "overtime    {a:.1} : {b:.1} points a game")?;
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
            return write!(f, "{rate:.1} games a second");
        }
        write!(f, "{rate:.0} games a second, {:.0} a CPU-second", games / self.cpu_seconds.max(1e-9))
    }
}
