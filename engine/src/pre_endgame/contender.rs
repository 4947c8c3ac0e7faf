//! A candidate with all that can come of it.

use std::cmp::Reverse;

use crate::movegen::ValuedMove;
use crate::moves::Move;
use crate::rack::Rack;

/// A won line in the unit of chances, so that their sums are exact; a draw is half of it.
pub(super) const WON: i64 = 1000;

/// How wrong static play to the end is about the final spread, in points, as the scale of a logistic curve: a standard error of 13 points
/// (Sheppard 2002, 6.7).
const DOUBT: f64 = 7.2;

/// How thoroughly the endgame of a line was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effort {
    /// Played out by static play.
    Guessed,
    /// By the fast evaluator.
    Estimated,
    /// For who wins.
    Decided,
    /// For its value.
    Valued,
}

/// An endgame, or the end of a game, that a candidate leads to. Spreads are final ones, in points, from the view of the player to
/// choose.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The tiles of the bag in the order of the draw.
    pub bag: Vec<u8>,
    /// Moves after the candidate until the bag is empty.
    pub replies: Vec<Move>,
    /// Of all ways to draw the unseen tiles one after the other, how many lead here.
    pub ways: u64,
    /// The estimate of the spread.
    pub guess: i32,
    /// The estimate of the chance, in parts of [`WON`].
    pub likely: i64,
    /// The spread is not below the first, and not above the second.
    pub bounds: (i32, i32),
    pub effort: Effort,
    /// The racks when the bag is empty.
    pub racks: [Rack; 2],
}

impl Line {
    /// Whether two orders of the draw came to the same.
    pub(super) fn is_same(&self, other: &Line) -> bool {
        self.replies == other.replies && self.racks == other.racks
    }

    /// The chance is not below the first, and not above the second.
    pub(super) fn chances(&self) -> (i64, i64) {
        let chance = |spread: i32| WON / 2 * i64::from(1 + spread.signum());
        (chance(self.bounds.0), chance(self.bounds.1))
    }

    /// Whether it is known who wins.
    pub(super) fn is_decided(&self) -> bool {
        let (least, most) = self.chances();
        least == most
    }

    /// Whether the spread is known.
    pub(super) fn is_valued(&self) -> bool {
        self.bounds.0 == self.bounds.1
    }

    /// The estimate of the chance.
    pub(super) fn chance(&self) -> i64 {
        let (least, most) = self.chances();
        self.likely.clamp(least, most)
    }

    /// Takes in what a search has told.
    pub(super) fn learn(&mut self, found: &Found, effort: Effort) {
        self.bounds = (self.bounds.0.max(found.bounds.0), self.bounds.1.min(found.bounds.1));
        self.guess = self.guess.clamp(self.bounds.0, self.bounds.1);
        self.effort = effort;
    }

    /// What can still be gained by so much effort.
    pub(super) fn is_open_to(&self, effort: Effort) -> bool {
        let done = if effort == Effort::Decided { self.is_decided() } else { self.is_valued() };
        self.effort < effort && !done
    }
}

/// The estimated chance after static play to this final spread.
pub(super) fn played_out_chance(spread: i32) -> i64 {
    in_parts(1.0 / (1.0 + (-f64::from(spread) / DOUBT).exp()))
}

/// A chance, 0–1, in parts of [`WON`].
pub(super) fn in_parts(chance: f64) -> i64 {
    (WON as f64 * chance).round() as i64
}

/// What a search has told of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub bounds: (i32, i32),
    pub nodes: u64,
}

/// A candidate in the race.
#[derive(Clone, Debug)]
pub(super) struct Contender {
    pub chosen: ValuedMove,
    /// Its place in the static ranking.
    pub place: usize,
    /// Whether it takes all tiles of the bag, so that no reply is guessed.
    pub empties_bag: bool,
    pub lines: Vec<Line>,
    /// The most that was done for any of its lines.
    pub effort: Effort,
    /// Whether another is certainly better.
    pub is_beaten: bool,
}

impl Contender {
    pub(super) fn ways(&self) -> u64 {
        self.lines.iter().map(|line| line.ways).sum()
    }

    /// Whether it is known who wins all of its lines.
    pub(super) fn is_decided(&self) -> bool {
        self.lines.iter().all(Line::is_decided)
    }

    /// Whether the spread of all of its lines is known.
    pub(super) fn is_valued(&self) -> bool {
        self.lines.iter().all(Line::is_valued)
    }

    fn sum(&self, of: impl Fn(&Line) -> i64) -> i64 {
        self.lines.iter().map(|line| line.ways as i64 * of(line)).sum()
    }

    /// Its chance to win, times all ways and [`WON`].
    pub(super) fn wins(&self) -> i64 {
        self.sum(Line::chance)
    }

    /// The chance is not below this.
    pub(super) fn least_wins(&self) -> i64 {
        self.sum(|line| line.chances().0)
    }

    /// The chance is not above this.
    pub(super) fn most_wins(&self) -> i64 {
        self.sum(|line| line.chances().1)
    }

    /// The mean of the final spread, times all ways.
    pub(super) fn spread(&self) -> i64 {
        self.sum(|line| i64::from(line.guess))
    }

    /// Falls from the best to the worst.
    pub(super) fn rank(&self) -> impl Ord + use<> {
        (Reverse(self.wins()), Reverse(self.spread()), self.chosen.chosen)
    }

    /// The lines that so much effort can tell more about, those that look worst first: a candidate that is to be dropped loses
    /// there.
    pub(super) fn open_lines(&self, effort: Effort) -> Vec<usize> {
        let mut open: Vec<usize> = (0..self.lines.len()).filter(|&at| self.lines[at].is_open_to(effort)).collect();
        open.sort_by_key(|&at| (self.lines[at].guess, at));
        open
    }

    pub(super) fn has_open_lines(&self, effort: Effort) -> bool {
        self.lines.iter().any(|line| line.is_open_to(effort))
    }
}
