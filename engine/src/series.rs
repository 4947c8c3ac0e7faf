//! Paired matches: the same deal twice with seats swapped, so that luck in the draw cancels where it can.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::deals::Deals;
use crate::monitor::Monitor;
use crate::movegen::Generator;
use crate::player::Player;
use crate::player::external::FaultCounts;
use crate::selfplay::{Finished, play_timed_game};
use crate::setup::Setup;

pub mod confidence_sequence;
pub mod control_variate;
pub mod luck;
pub mod measured;
pub mod ratings;
pub mod round_robin;
pub mod sequential;
mod statistics;

pub use measured::{Measured, MeasuredPair, MeasuredSeries};
pub use statistics::{Estimate, NORMAL_95, Summary, standard_errors};

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
    /// Points that A and B paid for overtime, over all games.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub penalties: [u64; 2],
    /// Faults of A and of B, where they are external players, over all games.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub faults: [FaultCounts; 2],
    /// Games that A and B lost by the rule of faults.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub forfeits: [u64; 2],
    /// What only [`MeasuredSeries`] finds out.
    #[serde(default, skip_serializing_if = "Measured::is_nothing")]
    pub measured: Measured,
}

fn is_nothing<T: Default + PartialEq>(counts: &T) -> bool {
    *counts == T::default()
}

impl Tally {
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
        self.penalties.iter_mut().zip(other.penalties).for_each(|(mine, theirs)| *mine += theirs);
        self.faults.iter_mut().zip(&other.faults).for_each(|(mine, theirs)| *mine = mine.plus(theirs));
        self.forfeits.iter_mut().zip(other.forfeits).for_each(|(mine, theirs)| *mine += theirs);
        self.measured.add(&other.measured);
        self
    }
}

/// A series of pairs between two players, A and B. It has as many pairs as are asked for, each a function of its number.
#[derive(Clone, Copy)]
pub struct Series<'a> {
    /// What is played.
    pub setup: &'a Setup,
    /// A and B.
    pub players: [&'a Player; 2],
    /// The deals of its pairs.
    pub deals: Deals,
    /// Time for each player and game. With a clock no pair can be reproduced.
    pub clock: Option<Clock>,
}

/// Two games, the second with the seats swapped; both on one deal, except in unpaired matches. All figures are from the view of
/// player A.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// Its number in the series.
    pub index: u64,
    /// The game in which A moved first, and the game in which B did. Each counts by seats: whoever moved first is player 0.
    pub games: [Finished; 2],
}

impl Pair {
    /// Points that A is ahead at the end of each game.
    pub fn spreads(&self) -> [i32; 2] {
        let [first, second] = &self.games;
        [first.scores[0] - first.scores[1], second.scores[1] - second.scores[0]]
    }

    /// Points that A is ahead in both games together.
    pub fn spread(&self) -> i32 {
        self.spreads().iter().sum()
    }

    /// A's half wins in both games, 0–4; a draw is half a win.
    pub fn half_wins(&self) -> u64 {
        self.spreads().map(half_wins).iter().sum()
    }

    /// The tally of this pair alone.
    pub fn tally(&self) -> Tally {
        let ([first, second], spreads) = (&self.games, self.spreads());
        let mut tally = Tally { pairs: 1, ..Tally::default() };
        tally.outcomes[self.half_wins() as usize] = 1;
        tally.spread_sum = i64::from(self.spread());
        tally.spread_squares = tally.spread_sum.unsigned_abs().pow(2);
        tally.first_mover_half_wins = half_wins(spreads[0]) + half_wins(-spreads[1]);
        tally.scores = [0, 1].map(|player: usize| i64::from(first.scores[player] + second.scores[1 - player]));
        tally.bingos = [0, 1].map(|player: usize| u64::from(first.bingos[player] + second.bingos[1 - player]));
        tally.turns = u64::from(first.turns + second.turns);
        tally.penalties = [0, 1].map(|player: usize| (first.penalties[player] + second.penalties[1 - player]).max(0) as u64);
        tally.faults = [0, 1].map(|player: usize| first.faults[player].plus(&second.faults[1 - player]));
        let forfeits = |finished: &Finished, player| u64::from(finished.forfeited_by == Some(player));
        tally.forfeits = [0, 1].map(|player: usize| forfeits(first, player) + forfeits(second, 1 - player));
        tally
    }
}

fn half_wins(spread: i32) -> u64 {
    (1 + spread.signum()) as u64
}

impl Series<'_> {
    /// Plays pair `index`.
    pub fn pair(&self, generator: &mut Generator<'_>, index: u64) -> Pair {
        let [a, b] = self.players;
        let [one, other] = self.deals.pair_deals(index);
        let mut play = |players, deal| play_timed_game(generator, players, self.deals, deal, self.clock.as_ref(), |_| ());
        Pair { index, games: [play([a, b], one), play([b, a], other)] }
    }

    /// Plays the pairs of a range on all threads; the monitor counts pairs. If it is stopped early, it counts the pairs that were
    /// played.
    pub fn play(&self, pairs: Range<u64>, monitor: &dyn Monitor) -> Tally {
        let tallies = self.each(pairs, monitor, |generator, index| self.pair(generator, index).tally());
        tallies.reduce(Tally::default, |sum, tally| sum.plus(&tally))
    }

    /// What `play` makes of each pair of a range, on all threads, in the order of their numbers.
    fn each<T: Send>(
        &self,
        pairs: Range<u64>,
        monitor: &dyn Monitor,
        play: impl Fn(&mut Generator<'_>, u64) -> T + Sync + Send,
    ) -> impl ParallelIterator<Item = T> {
        let play = move |generator: &mut Generator<'_>, index| {
            let played = play(generator, index);
            monitor.advance(1);
            played
        };
        let pairs = pairs.into_par_iter().take_any_while(|_| !monitor.is_stopped());
        pairs.map_init(|| Generator::new(self.setup), play)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::artefact::Loader;
    use crate::deals::Purpose;
    use crate::layout::Layout;
    use crate::lexicon::Lexicon;
    use crate::tileset::TileSet;

    #[test]
    fn overtime_is_paid_for() {
        let tileset = TileSet::embedded("english").unwrap();
        let lexicon = Lexicon::load("enable2k", &tileset, 15, None).unwrap();
        let setup = Setup::new(tileset, Layout::embedded("standard").unwrap(), lexicon);
        let [greedy, sim] = ["greedy", "sim"].map(|name| Player::from_name(name, Loader::new(&setup)).unwrap());
        let mut generator = Generator::new(&setup);
        let untimed = Series { setup: &setup, players: [&greedy; 2], deals: Purpose::Match.deals(1), clock: None };
        let plain = untimed.pair(&mut generator, 0).tally();
        // Static players do not look at the clock: the same games, and each player is a minute late in both.
        let clock = Some(Clock { time: Duration::from_nanos(1), overtime: 10 });
        let late = Series { clock, ..untimed }.pair(&mut generator, 0).tally();
        assert_eq!(late, Tally { scores: plain.scores.map(|score| score - 20), penalties: [20; 2], ..plain });
        // A player without time to simulate plays its static move, and one with plenty keeps within it.
        let clock = Some(Clock { time: Duration::from_secs(5), overtime: 10 });
        let timed = Series { players: [&sim, &greedy], clock, ..untimed }.pair(&mut generator, 0).tally();
        assert_eq!((timed.pairs, timed.penalties), (1, [0; 2]));
    }
}
