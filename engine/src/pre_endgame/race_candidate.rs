//! The state of a candidate during the search: its lines with their results.

use std::cmp::Reverse;

use crate::movegen::ValuedMove;
use crate::moves::Move;
use crate::rack::Rack;

/// The value of a win. A draw counts half. Win probabilities are integers in this unit, so that their sums are exact.
pub(super) const WIN: i64 = 1000;

/// The error of the final spread after static play to the end, in points, as the scale of a logistic curve: a standard error
/// of 13 points (Sheppard 2002, section 6.7).
const SPREAD_SCALE: f64 = 7.2;

/// The effort cost on the endgame of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effort {
    /// Estimated by static play to the end.
    Guessed,
    /// Estimated by the fast evaluator.
    Estimated,
    /// Searched for the winner.
    Decided,
    /// Searched for its value.
    Valued,
}

/// An endgame, or a finished game, to which a candidate leads. Spreads are final spreads in points, from the view of the
/// player to move at the root.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The tiles of the bag in the order of the draw.
    pub bag: Vec<u8>,
    /// The moves after the candidate until the bag is empty.
    pub replies: Vec<Move>,
    /// The number of orders to draw the unseen tiles that lead here.
    pub ways: u64,
    /// The estimate of the final spread.
    pub(crate) estimated_spread: i32,
    /// The estimate of the win probability, in units of [`WIN`].
    pub(crate) estimated_wins: i64,
    /// The proved lower and upper bound of the final spread.
    pub bounds: (i32, i32),
    pub effort: Effort,
    /// The racks when the bag is empty.
    pub racks: [Rack; 2],
}

impl Line {
    /// Returns whether two orders of the draw lead to the same endgame.
    pub(super) fn is_same(&self, other: &Line) -> bool {
        self.replies == other.replies && self.racks == other.racks
    }

    /// Returns the proved lower and upper bound of the win probability.
    pub(super) fn win_bounds(&self) -> (i64, i64) {
        let probability = |spread: i32| WIN / 2 * i64::from(1 + spread.signum());
        (probability(self.bounds.0), probability(self.bounds.1))
    }

    /// Returns whether the winner is known.
    pub(super) fn is_decided(&self) -> bool {
        let (least, most) = self.win_bounds();
        least == most
    }

    /// Returns whether the spread is known.
    pub(super) fn is_valued(&self) -> bool {
        self.bounds.0 == self.bounds.1
    }

    /// Returns the estimate of the win probability, within its bounds.
    pub(super) fn wins(&self) -> i64 {
        let (least, most) = self.win_bounds();
        self.estimated_wins.clamp(least, most)
    }

    pub(super) fn learn(&mut self, found: &SearchResult, effort: Effort) {
        self.bounds = (self.bounds.0.max(found.bounds.0), self.bounds.1.min(found.bounds.1));
        self.estimated_spread = self.estimated_spread.clamp(self.bounds.0, self.bounds.1);
        self.effort = effort;
    }

    /// Returns whether a search of this effort can still improve the line.
    pub(super) fn is_open_to(&self, effort: Effort) -> bool {
        let done = if effort == Effort::Decided { self.is_decided() } else { self.is_valued() };
        self.effort < effort && !done
    }
}

/// Returns the estimated win probability after static play to the end has given this final spread.
pub(super) fn probability_after_static_play(spread: i32) -> i64 {
    to_win_units(1.0 / (1.0 + (-f64::from(spread) / SPREAD_SCALE).exp()))
}

/// Converts a probability, 0–1, to units of [`WIN`].
pub(super) fn to_win_units(probability: f64) -> i64 {
    (WIN as f64 * probability).round() as i64
}

#[derive(Clone, Copy, Debug)]
pub(super) struct SearchResult {
    pub bounds: (i32, i32),
    pub nodes: u64,
}

#[derive(Clone, Debug)]
pub(super) struct RaceCandidate {
    pub chosen: ValuedMove,
    /// The place in the static ranking.
    pub place: usize,
    /// Whether it empties the bag, so that no reply is assumed.
    pub empties_bag: bool,
    pub lines: Vec<Line>,
    /// The highest effort cost on any of its lines.
    pub effort: Effort,
    /// Whether another candidate is certainly better.
    pub is_beaten: bool,
}

impl RaceCandidate {
    pub(super) fn ways(&self) -> u64 {
        self.lines.iter().map(|line| line.ways).sum()
    }

    pub(super) fn is_decided(&self) -> bool {
        self.lines.iter().all(Line::is_decided)
    }

    pub(super) fn is_valued(&self) -> bool {
        self.lines.iter().all(Line::is_valued)
    }

    fn sum(&self, of: impl Fn(&Line) -> i64) -> i64 {
        self.lines.iter().map(|line| line.ways as i64 * of(line)).sum()
    }

    /// Returns the win probability, times the number of ways and [`WIN`].
    pub(super) fn wins(&self) -> i64 {
        self.sum(Line::wins)
    }

    pub(super) fn min_wins(&self) -> i64 {
        self.sum(|line| line.win_bounds().0)
    }

    pub(super) fn max_wins(&self) -> i64 {
        self.sum(|line| line.win_bounds().1)
    }

    /// Returns the mean final spread, times the number of ways.
    pub(super) fn spread(&self) -> i64 {
        self.sum(|line| i64::from(line.estimated_spread))
    }

    /// Returns a sort key that puts the best candidate first.
    pub(super) fn rank(&self) -> impl Ord + use<> {
        (Reverse(self.wins()), Reverse(self.spread()), self.chosen.chosen)
    }

    /// Returns the lines that a search of this effort can improve, those with the worst estimates first: there a bad
    /// candidate is refuted soonest.
    pub(super) fn open_lines(&self, effort: Effort) -> Vec<usize> {
        let mut open: Vec<usize> = (0..self.lines.len()).filter(|&at| self.lines[at].is_open_to(effort)).collect();
        open.sort_by_key(|&at| (self.lines[at].estimated_spread, at));
        open
    }

    pub(super) fn has_open_lines(&self, effort: Effort) -> bool {
        self.lines.iter().any(|line| line.is_open_to(effort))
    }
}
