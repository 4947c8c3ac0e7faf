//! What an external player can do wrong, and what that costs it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Faults of a player in one game that lose it.
pub const FAULTS_TO_FORFEIT: u64 = 3;
/// Points that a forfeited game is lost by at least: what tournaments write down for a game that was not played to its end.
pub const FORFEIT_MARGIN: i32 = 50;

/// The kinds of faults. Each costs the turn: the player has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// A move against the rules, or with a word that is not in the lexicon.
    Illegal,
    /// An answer that is no move.
    Nonsense,
    /// No answer in time.
    Late,
    /// The player ended, closed the connection, or could not be started again.
    Gone,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            FaultKind::Illegal => "illegal",
            FaultKind::Nonsense => "nonsense",
            FaultKind::Late => "late",
            FaultKind::Gone => "gone",
        })
    }
}

/// Faults by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultCounts {
    /// Moves against the rules.
    pub illegal: u64,
    /// Answers that were no moves.
    pub nonsense: u64,
    /// Turns without an answer in time.
    pub late: u64,
    /// Turns on which the player was gone.
    pub gone: u64,
}

impl FaultCounts {
    /// One more.
    pub fn add(&mut self, kind: FaultKind) {
        match kind {
            FaultKind::Illegal => self.illegal += 1,
            FaultKind::Nonsense => self.nonsense += 1,
            FaultKind::Late => self.late += 1,
            FaultKind::Gone => self.gone += 1,
        }
    }

    /// Of all kinds.
    pub fn total(&self) -> u64 {
        self.illegal + self.nonsense + self.late + self.gone
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: &FaultCounts) -> FaultCounts {
        FaultCounts {
            illegal: self.illegal + other.illegal,
            nonsense: self.nonsense + other.nonsense,
            late: self.late + other.late,
            gone: self.gone + other.gone,
        }
    }
}

impl fmt::Display for FaultCounts {
    /// `3 (1 illegal, 2 late)`.
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

/// A fault as the connection sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of fault.
    pub kind: FaultKind,
    /// What happened, for people.
    pub what: String,
}

impl Fault {
    pub(super) fn new(kind: FaultKind, what: impl Into<String>) -> Fault {
        Fault { kind, what: what.into() }
    }
}

/// A fault with its place in a series. In the order of their places.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FaultRecord {
    /// Of the deal: the number of the pair.
    pub deal: u64,
    /// 0 for who began the game, 1 for the other.
    pub seat: usize,
    /// Turn of the game, from 1.
    pub turn: usize,
    /// What kind of fault.
    pub kind: FaultKind,
    /// What happened, for people; one line.
    pub what: String,
}

impl fmt::Display for FaultRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seat = if self.seat == 0 { "first" } else { "second" };
        write!(formatter, "pair {}, moving {seat}, turn {}: {}: {}", self.deal, self.turn, self.kind, self.what)
    }
}

/// Final scores once `player` has lost by the rule of faults: as they stand, but that it is behind by [`FORFEIT_MARGIN`] at least.
pub fn forfeited(mut scores: [i32; 2], player: usize) -> [i32; 2] {
    scores[player] = scores[player].min(scores[1 - player] - FORFEIT_MARGIN);
    scores
}
