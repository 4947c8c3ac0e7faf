//! The result of a match, and its text.

use std::fmt;

use tilewright_engine::clock::Clock;
use tilewright_engine::series::sequential::{Decision, SequentialTest};
use tilewright_engine::series::{Series, Summary, Tally};
use tilewright_train::journal::{Part, RunKey};
use tilewright_train::stored_match::StoredConfig;

use super::text::{describe, describe_measured, describe_verdict};
use crate::matches::request::MatchRequest;

/// What was played.
#[derive(Clone, Debug)]
pub struct About {
    /// The names of the players.
    pub players: [String; 2],
    /// The seed of the deals.
    pub seed: u64,
    /// Whether the two games of a pair had separate deals.
    pub unpaired: bool,
    /// The name of the lexicon.
    pub lexicon: String,
    /// The name of the tile set.
    pub tileset: String,
    /// Time per player and game.
    pub clock: Option<Clock>,
}

/// The speed of the games that this process played.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// Games.
    pub games: f64,
    /// Elapsed time.
    pub seconds: f64,
    /// User and system time, without that of external players.
    pub cpu_seconds: f64,
    /// Whether a player is external.
    pub has_external: bool,
    /// CPU time of each player in seconds, if it is known.
    pub players: [Option<f64>; 2],
}

/// The result of a match, printed as text and written as JSON.
pub struct MatchResult {
    /// What was played.
    pub about: About,
    /// The maximum number of pairs.
    pub most_pairs: u64,
    /// The share of the pairs that this process played.
    pub part: Option<Part>,
    /// The name of the match ([`work`]), if it was stopped before its end.
    pub stopped: Option<String>,
    /// The sums over all pairs.
    pub tally: Tally,
    /// Their means, with intervals.
    pub summary: Summary,
    /// The sequential test and its decision, if there is a test.
    pub verdict: Option<(SequentialTest, Decision)>,
    /// The faults of external players in words, if there are any.
    pub faults: Option<String>,
    /// `None` if no game was played here.
    pub speed: Option<Speed>,
}

/// The name of a match, by which a file that it left when it was stopped is known as its own.
/// `key` is that of its run, which names players, lexicon, tile set, deals and clock.
pub fn work([a, b]: [&str; 2], request: &MatchRequest<'_>, key: &RunKey) -> String {
    let part = request.part.map_or(String::new(), |Part { index, count }| format!(", part {}/{count}", index + 1));
    format!("{a} against {b}, seed {}{part}, run {}", request.seed(), key.hash())
}

impl About {
    /// What a series plays.
    pub fn from_series(series: &Series<'_>) -> About {
        let &Series { setup, players, deals, clock } = series;
        About {
            players: players.map(|player| player.name.clone()),
            seed: deals.seed,
            unpaired: deals.is_unpaired(),
            lexicon: setup.lexicon.name.clone(),
            tileset: setup.tileset.name().into(),
            clock,
        }
    }

    /// What a stored match of two players plays.
    pub fn from_config(config: &StoredConfig) -> About {
        let name = |player: usize| config.players.get(player).cloned().unwrap_or_default();
        About {
            players: [name(0), name(1)],
            seed: config.seed,
            unpaired: config.unpaired,
            lexicon: config.lexicon.clone(),
            tileset: config.tileset.clone(),
            clock: config.clock(),
        }
    }
}

impl MatchResult {
    /// Whether the figures are not those of the whole match.
    pub fn is_partial(&self) -> bool {
        self.stopped.is_some() || self.part.is_some()
    }
}

impl fmt::Display for MatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tally, games) = (&self.tally, 2.0 * self.tally.pairs as f64);
        let About { players: [a, b], seed, unpaired, lexicon, clock, .. } = &self.about;
        let unpaired = if *unpaired { ", separate deals for the two games of a pair" } else { "" };
        let part = self.part.map_or(String::new(), |Part { index, count }| format!(", part {} of {count}", index + 1));
        writeln!(f, "{a} against {b}, seed {seed}, {lexicon}{unpaired}{part}")?;
        write!(f, "{}\n{}", describe(tally, &self.summary), describe_measured(tally))?;
        if clock.is_some() {
            let [a, b] = tally.penalties.map(|points| points as f64 / games);
            write!(f, "\novertime    {a:.1} : {b:.1} points per game")?;
        }
        if let Some(faults) = &self.faults {
            write!(f, "\n{faults}")?;
        }
        if let Some((test, decision)) = self.verdict.as_ref().filter(|_| self.stopped.is_none()) {
            write!(f, "\n{}", describe_verdict(test, *decision, tally))?;
        }
        let Some(speed) = self.speed.filter(|_| self.stopped.is_none()) else { return Ok(()) };
        let Speed { games, seconds, cpu_seconds, has_external, players } = speed;
        let rate = games / seconds;
        if has_external {
            // These CPU-seconds do not contain those of external players.
            write!(f, "\n{rate:.1} games per second")?;
        } else {
            write!(f, "\n{rate:.0} games per second, {:.0} per CPU-second", games / cpu_seconds.max(1e-9))?;
        }
        let [a, b] = players.map(|time| time.map_or("not known".into(), |seconds| format!("{seconds:.2} s")));
        write!(f, "\nCPU time    A {a}, B {b}")
    }
}
