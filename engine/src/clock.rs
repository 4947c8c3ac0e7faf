//! Game clocks: each player has a time limit for the game and loses points for overtime.
//!
//! The moves that a player finds in a given time depend on the machine and its load, so a timed match is not reproducible:
//! the same seed gives the same deals, but not the same games.

use std::time::Duration;

use crate::game::Game;
use crate::monitor::{Monitor, NoMonitor};

/// The average number of tiles per turn, from which the number of remaining turns is estimated.
const TILES_PER_TURN: usize = 4;

/// The time limit of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time of each player for all turns.
    pub time: Duration,
    /// The penalty in points for each started minute of overtime (10 in tournaments).
    pub overtime: i32,
}

/// The remaining time of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// The time for the rest of the game.
    pub clock: Duration,
    /// A fair share of it for the next move.
    pub share: Duration,
}

/// The reasons to end the search for a move early.
#[derive(Clone, Copy, Debug)]
pub struct SearchLimits<'a> {
    /// The remaining time, if there is a clock.
    pub time: Option<&'a TimeLeft>,
    /// After its stop request any move will do: nobody makes it.
    pub monitor: &'a dyn Monitor,
}

impl SearchLimits<'_> {
    /// A search that nothing ends early.
    pub(crate) const NONE: SearchLimits<'static> = SearchLimits { time: None, monitor: &NoMonitor };
}

/// Returns the number of turns that a player is expected to take to play this many tiles.
pub(crate) fn turns_of(tiles: usize) -> usize {
    tiles.div_ceil(TILES_PER_TURN)
}

impl Clock {
    /// Returns the remaining time of a player who has used `taken`.
    pub(crate) fn left(&self, taken: Duration, game: &Game) -> TimeLeft {
        TimeLeft { clock: self.time.saturating_sub(taken), share: self.share(taken, game) }
    }

    /// Returns the penalty, in points, of a player who has used `taken`.
    pub(crate) fn penalty(&self, taken: Duration) -> i32 {
        let beyond = taken.saturating_sub(self.time);
        let minutes = beyond.as_nanos().div_ceil(Duration::from_mins(1).as_nanos());
        self.overtime.saturating_mul(i32::try_from(minutes).unwrap_or(i32::MAX))
    }

    /// Returns a fair share of the remaining time for the next move of a player who has used `taken`. It is zero if no time
    /// is left.
    pub(crate) fn share(&self, taken: Duration, game: &Game) -> Duration {
        // One share is a reserve for moves that take longer than their share.
        let shares = turns_of(game.rack().size() + game.bag.len().div_ceil(2)) + 1;
        self.time.saturating_sub(taken) / shares as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_started_minute_of_overtime_costs() {
        let clock = Clock { time: Duration::from_mins(25), overtime: 10 };
        let penalty = |milliseconds| clock.penalty(Duration::from_millis(milliseconds));
        assert_eq!([0, 1_500_000, 1_500_001, 1_560_000, 1_560_001].map(penalty), [0, 0, 10, 10, 20]);
    }
}
