//! Paired matches: the same deal twice with seats swapped, so that luck in the draw cancels where it can.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::monitor::Monitor;
use crate::movegen::Generator;
use crate::player::Player;
use crate::selfplay::play_game;
use crate::setup::Setup;

pub mod sequential;
mod statistics;

pub use statistics::{Estimate, NORMAL_95, Summary};

/// What a series of pairs adds up to; integers only, so any order of adding gives the same.
///
/// All from the view of player A.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Pairs played.
    pub pairs: u64,
    /// Pairs in which A won 0, ½, 1, 1½, 2 games (a draw is half a win).
    pub outcomes: [u64; 5],
    /// Sum over pairs of A's spread in both games, in points.
    pub spread_sum: i64,
    /// Sum over pairs of the square of that.
    pub spread_squares: u64,
    /// Half wins of whoever moved first, over all games.
    pub first_mover_half_wins: u64,
    /// Points of A and of B over all games.
    pub scores: [i64; 2],
    /// Bingos of A and of B over all games.
    pub bingos: [u64; 2],
    /// Turns of all games.
    pub turns: u64,
}

impl Tally {
    /// Plays pair `index` of a seed and counts it.
    pub fn of_pair(generator: &mut Generator<'_>, a: &Player, b: &Player, seed: u64, index: u64) -> Tally {
        let first = play_game(generator, [a, b], seed, index, |_| ());
        let second = play_game(generator, [b, a], seed, index, |_| ());
        let spreads = [first.scores[0] - first.scores[1], second.scores[1] - second.scores[0]];
        let half_wins = |spread: i32| (1 + spread.signum()) as u64;
        let mut tally = Tally { pairs: 1, ..Tally::default() };
        tally.outcomes[spreads.map(half_wins).iter().sum::<u64>() as usize] = 1;
        tally.spread_sum = i64::from(spreads[0] + spreads[1]);
        tally.spread_squares = tally.spread_sum.unsigned_abs().pow(2);
        tally.first_mover_half_wins = half_wins(spreads[0]) + half_wins(-spreads[1]);
        tally.scores = [0, 1].map(|player: usize| i64::from(first.scores[player] + second.scores[1 - player]));
        tally.bingos = [0, 1].map(|player: usize| u64::from(first.bingos[player] + second.bingos[1 - player]));
        tally.turns = u64::from(first.turns + second.turns);
        tally
    }

    /// Both tallies together.
    #[must_use]
    pub fn plus(mut self, other: &Tally) -> Tally {
        self.pairs += other.pairs;
        self.outcomes.iter_mut().zip(other.outcomes).for_each(|(mine, theirs)| *mine += theirs);
        self.spread_sum += other.spread_sum;
        self.spread_squares += other.spread_squares;
        self.first_mover_half_wins += other.first_mover_half_wins;
        self.scores.iter_mut().zip(other.scores).for_each(|(mine, theirs)| *mine += theirs);
        self.bingos.iter_mut().zip(other.bingos).for_each(|(mine, theirs)| *mine += theirs);
        self.turns += other.turns;
        self
    }
}

/// Plays the pairs of a range on all threads; the monitor counts pairs. Stopped early, it counts the pairs that were played.
pub fn play_pairs(
    setup: &Setup,
    a: &Player,
    b: &Player,
    seed: u64,
    pairs: std::ops::Range<u64>,
    monitor: &dyn Monitor,
) -> Tally {
    pairs
        .into_par_iter()
        .filter(|_| !monitor.is_stopped())
        .map_init(
            || Generator::new(setup),
            |generator, index| {
                let tally = Tally::of_pair(generator, a, b, seed, index);
                monitor.advance(1);
                tally
            },
        )
        .reduce(Tally::default, |sum, tally| sum.plus(&tally))
}
