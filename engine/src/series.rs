//! Paired matches: each deal is played twice with the seats swapped, so that most of the luck cancels.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::clock::Clock;
use crate::deals::Deals;
use crate::monitor::{Monitor, NoMonitor};
use crate::movegen::Generator;
use crate::player::Player;
use crate::selfplay::play_timed_game;
use crate::setup::Setup;

mod tally;
mod pair;
pub mod luck;
pub mod measured;
pub mod sequential;
mod statistics;
pub mod confidence_sequence;
pub mod control_variate;
pub mod ratings;
pub mod round_robin;

pub use measured::{MeasuredPair, MeasuredSeries};
pub use pair::Pair;
pub use statistics::{Estimate, NORMAL_95, Summary, standard_errors};
pub use tally::{PairSums, Squares, Tally};

/// A series of pairs between two players, A and B. Each pair is a function of its number.
#[derive(Clone, Copy)]
pub struct Series<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// A and B.
    pub players: [&'a Player; 2],
    /// The deals of its pairs.
    pub deals: Deals,
    /// Time for each player and game. With a clock no pair can be reproduced.
    pub clock: Option<Clock>,
}

impl Series<'_> {
    /// Plays pair `index`.
    pub fn pair(&self, generator: &mut Generator<'_>, index: u64) -> Pair {
        let pair = self.pair_until(generator, index, &NoMonitor);
        pair.unwrap_or_else(|| unreachable!("nothing stops this pair"))
    }

    /// Plays pair `index`; `None` if the monitor stops it.
    pub fn pair_until(&self, generator: &mut Generator<'_>, index: u64, monitor: &dyn Monitor) -> Option<Pair> {
        let [a, b] = self.players;
        let [one, other] = self.deals.pair_deals(index);
        let clock = self.clock.as_ref();
        let mut play = |players, deal| play_timed_game(generator, players, self.deals, deal, clock, monitor, |_| ());
        Some(Pair { index, games: [play([a, b], one)?, play([b, a], other)?] })
    }

    /// Plays the pairs of a range on all threads; the monitor counts pairs. If it stops early, the pairs that were finished
    /// count; pairs in progress are abandoned.
    pub fn play(&self, pairs: Range<u64>, monitor: &dyn Monitor) -> Tally {
        let tally = |generator: &mut Generator<'_>, index| Some(self.pair_until(generator, index, monitor)?.tally());
        self.each(pairs, monitor, tally).reduce(Tally::default, |sum, tally| sum.plus(&tally))
    }

    /// Like [`Series::play`]; `None` if the monitor has stopped it before the end.
    pub fn play_all(&self, pairs: Range<u64>, monitor: &dyn Monitor) -> Option<Tally> {
        let count = pairs.end.saturating_sub(pairs.start);
        Some(self.play(pairs, monitor)).filter(|played| played.pairs == count)
    }

    /// What `play` makes of each pair of a range, on all threads, in the order of their numbers; without the pairs for which
    /// it is `None`, because the monitor has stopped them.
    fn each<T: Send>(
        &self,
        pairs: Range<u64>,
        monitor: &dyn Monitor,
        play: impl Fn(&mut Generator<'_>, u64) -> Option<T> + Sync + Send,
    ) -> impl ParallelIterator<Item = T> {
        let play = move |generator: &mut Generator<'_>, index| {
            let played = play(generator, index)?;
            monitor.advance(1);
            Some(played)
        };
        let pairs = pairs.into_par_iter().take_any_while(|_| !monitor.is_stopped());
        pairs.map_init(|| Generator::new(self.setup), play).flatten_iter()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::artefact::Loader;
    use crate::deals::Purpose;

    #[test]
    fn overtime_is_paid_for() {
        let setup = Setup::embedded("english").unwrap();
        let [greedy, sim] = ["greedy", "sim"].map(|name| Player::from_name(name, Loader::new(&setup)).unwrap());
        let mut generator = Generator::new(&setup);
        let untimed = Series { setup: &setup, players: [&greedy; 2], deals: Purpose::Match.deals(1), clock: None };
        let plain = untimed.pair(&mut generator, 0).tally();
        // Static players do not look at the clock: the same games, and each player is a minute late in both.
        let clock = Some(Clock { time: Duration::from_nanos(1), overtime: 10 });
        let late = Series { clock, ..untimed }.pair(&mut generator, 0).tally();
        let scores = plain.scores.map(|score| score - 20);
        let squares = Squares { scores: scores.map(|score| score.unsigned_abs().pow(2)), ..plain.squares };
        assert_eq!(late, Tally { scores, squares, penalties: [20; 2], ..plain });
        // A player without time to simulate plays its static move, and one with plenty keeps within it.
        let clock = Some(Clock { time: Duration::from_secs(5), overtime: 10 });
        let timed = Series { players: [&sim, &greedy], clock, ..untimed }.pair(&mut generator, 0).tally();
        assert_eq!((timed.pairs, timed.penalties), (1, [0; 2]));
    }
}
