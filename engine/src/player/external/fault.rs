//! The faults of external players and their consequences.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The number of faults in one game with which a player forfeits it.
pub(crate) const FAULTS_TO_FORFEIT: u64 = 3;
/// The minimum spread, in points, by which a forfeited game is lost. Tournaments record it for a game that was not finished.
pub(crate) const FORFEIT_SPREAD: i32 = 50;

/// The kinds of faults. After any of them the player passes the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// A move that breaks a rule, or forms a word that is not in the lexicon.
    Illegal,
    /// An answer that is not a move.
    Nonsense,
    /// No answer within the time limit.
    Late,
    /// The player ended, closed the connection, or could not be started again.
    Gone,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

/// The number of faults by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FaultCounts {
    /// Illegal moves.
    pub illegal: u64,
    /// Answers that were not moves.
    pub nonsense: u64,
    /// Turns without an answer within the time limit.
    pub late: u64,
    /// Turns at which the player was gone.
    pub gone: u64,
}

impl FaultCounts {
    /// Counts one fault.
    pub(crate) fn add(&mut self, kind: FaultKind) {
        match kind {
            FaultKind::Illegal => self.illegal += 1,
            FaultKind::Nonsense => self.nonsense += 1,
            FaultKind::Late => self.late += 1,
            FaultKind::Gone => self.gone += 1,
        }
    }

    /// Returns the number of faults of all kinds.
    pub fn total(&self) -> u64 {
        [self.illegal, self.nonsense, self.late, self.gone].into_iter().fold(0, u64::saturating_add)
    }

    /// Returns the sums of two counts, kind by kind.
    #[must_use]
    pub(crate) fn plus(self, other: &FaultCounts) -> FaultCounts {
        FaultCounts {
            illegal: self.illegal.saturating_add(other.illegal),
            nonsense: self.nonsense.saturating_add(other.nonsense),
            late: self.late.saturating_add(other.late),
            gone: self.gone.saturating_add(other.gone),
        }
    }
}

impl fmt::Display for FaultCounts {
    /// Writes `3 (1 illegal, 2 late)`, or `none`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.illegal, FaultKind::Illegal),
            (self.nonsense, FaultKind::Nonsense),
            (self.late, FaultKind::Late),
            (self.gone, FaultKind::Gone),
        ];
        let seen: Vec<String> =
            kinds.iter().filter(|(count, _)| *count > 0).map(|(count, kind)| format!("{count} {kind}")).collect();
        match &seen[..] {
            [] => formatter.write_str("none"),
            seen => write!(formatter, "{} ({})", self.total(), seen.join(", ")),
        }
    }
}

/// A fault without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// A description for people.
    pub what: String,
}

impl Fault {
    pub(super) fn new(kind: FaultKind, what: impl Into<String>) -> Fault {
        Fault { kind, what: what.into() }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// The player is at fault.
    Fault(Fault),
    /// A stop was requested.
    Stopped,
}

impl From<Fault> for NoAnswer {
    fn from(fault: Fault) -> NoAnswer {
        NoAnswer::Fault(fault)
    }
}

/// A fault with its place in a series. Records are ordered by place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FaultRecord {
    /// The number of the pair.
    pub deal: u64,
    /// 0 if the player moved first in the game, otherwise 1.
    pub seat: usize,
    /// The turn of the game, counted from 1.
    pub turn: usize,
    /// The kind of fault.
    pub kind: FaultKind,
    /// A description for people, on one line.
    pub what: String,
}

impl fmt::Display for FaultRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seat = if self.seat == 0 { "first" } else { "second" };
        write!(formatter, "pair {}, moving {seat}, turn {}: {}: {}", self.deal, self.turn, self.kind, self.what)
    }
}

/// Returns the final scores of a game that `player` forfeited: the player is behind by at least [`FORFEIT_SPREAD`] points.
pub(crate) fn forfeit_scores(mut scores: [i32; 2], player: usize) -> [i32; 2] {
    scores[player] = scores[player].min(scores[1 - player] - FORFEIT_SPREAD);
    scores
}
