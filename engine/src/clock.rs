//! Time in matches: each player has so much for a game, and pays for what it takes beyond that.
//!
//! What a player finds in some time depends on the machine and on all else that it does. A match by the clock cannot be reproduced:
//! the same seed gives the same deals, not the same games.

use std::time::Duration;

use crate::game::Game;

/// Tiles that a turn lays on average, to guess how many turns are left.
const TILES_A_TURN: usize = 4;

/// The time of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What each player has for all of its turns.
    pub time: Duration,
    /// Points that each minute begun beyond that costs; 10 in tournaments.
    pub overtime: i32,
}

/// What a player has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// For the rest of the game.
    pub clock: Duration,
    /// A fair share of it for the next move.
    pub share: Duration,
}

impl Clock {
    /// What is left to a player who took so much.
    pub fn left(&self, taken: Duration, game: &Game) -> TimeLeft {
        TimeLeft { clock: self.time.saturating_sub(taken), share: self.share(taken, game) }
    }

    /// Points that a player has to pay who took so much time.
    pub fn penalty(&self, taken: Duration) -> i32 {
        let beyond = taken.saturating_sub(self.time);
        let minutes = beyond.as_nanos().div_ceil(Duration::from_mins(1).as_nanos());
        self.overtime.saturating_mul(i32::try_from(minutes).unwrap_or(i32::MAX))
    }

    /// A fair share of what is left for the next move of a player who took so much: nothing if nothing is left.
    pub fn share(&self, taken: Duration, game: &Game) -> Duration {
        let tiles = game.rack().size() + game.bag.len().div_ceil(2);
        // One share is kept for moves that take longer than they should.
        let shares = tiles.div_ceil(TILES_A_TURN) + 1;
        self.time.saturating_sub(taken) / shares as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_minute_begun_costs() {
        let clock = Clock { time: Duration::from_mins(25), overtime: 10 };
        let penalty = |milliseconds| clock.penalty(Duration::from_millis(milliseconds));
        assert_eq!([0, 1_500_000, 1_500_001, 1_560_000, 1_560_001].map(penalty), [0, 0, 10, 10, 20]);
    }
}
