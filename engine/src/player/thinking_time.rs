//! The CPU time in which players of this engine choose their moves.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cpu_time::ThreadTime;

/// The CPU time of the turns of finished games. If not all turns are measured, it is scaled from those that are.
#[derive(Debug, Default)]
pub(super) struct ThinkingTime(Mutex<GameTime>);

/// The CPU time of the turns of one game, or of several.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameTime {
    turns: u64,
    measured: u64,
    time: Duration,
}

impl GameTime {
    /// Chooses a move, and measures the time of this thread if asked to.
    pub(super) fn choose<T>(&mut self, is_measured: bool, choose: impl FnOnce() -> T) -> T {
        self.turns += 1;
        let Some(begun) = is_measured.then(ThreadTime::try_now).and_then(Result::ok) else { return choose() };
        let chosen = choose();
        self.measured += 1;
        self.time += begun.try_elapsed().unwrap_or_default();
        chosen
    }
}

impl ThinkingTime {
    /// Adds a finished game.
    pub(super) fn add(&self, game: GameTime) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.turns += game.turns;
        all.measured += game.measured;
        all.time += game.time;
    }

    /// Returns the time of all turns, or `None` if there were turns and none of them was measured.
    pub(super) fn total(&self) -> Option<Duration> {
        let GameTime { turns, measured, time } = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match (turns, measured) {
            (0, _) => Some(Duration::ZERO),
            (_, 0) => None,
            _ => Some(Duration::from_nanos((time.as_nanos() * u128::from(turns) / u128::from(measured)) as u64)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_measured_turns_stands_for_all() {
        let sum = ThinkingTime::default();
        assert_eq!(sum.total(), Some(Duration::ZERO));
        sum.add(GameTime { turns: 5, measured: 0, time: Duration::ZERO });
        assert_eq!(sum.total(), None);
        sum.add(GameTime { turns: 7, measured: 3, time: Duration::from_secs(6) });
        assert_eq!(sum.total(), Some(Duration::from_secs(24)));
    }

    #[test]
    fn only_measured_turns_take_time() {
        // Some systems count CPU time in steps of a sixty-fourth of a second.
        let burn = || {
            let begun = ThreadTime::now();
            while begun.elapsed() < Duration::from_millis(50) {
                std::hint::black_box((0..100_000_u64).fold(1, |hash: u64, number| hash.rotate_left(5) ^ number));
            }
        };
        let mut game = GameTime::default();
        let begun = ThreadTime::now();
        game.choose(true, burn);
        let one = begun.elapsed();
        game.choose(false, burn);
        assert_eq!((game.turns, game.measured), (2, 1));
        assert!(game.time <= one && game.time > one / 2, "{:?} of {one:?}", game.time);
    }
}
