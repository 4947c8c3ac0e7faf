//! Paired matches: each deal is played twice with the seats swapped, so that most of the luck cancels.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::clock::Clock;
use crate::deals::Deals;
use crate::monitor::{Monitor, NoMonitor};
use crate::movegen::{Generator, ValuedMove};
use crate::player::Player;
use crate::selfplay::{GameResult, TurnSeen, play_timed_game};
use crate::setup::Setup;

mod tally;
pub mod sequential;
mod statistics;
pub mod confidence_sequence;
pub mod ratings;
pub mod round_robin;

pub use statistics::{ERROR_RATE, Estimate, NORMAL_95, Summary, standard_errors};
pub use tally::{Pair, Squares, Tally};

/// A series of pairs between two players, A and B. Each pair is a function of its number.
#[derive(Clone, Copy, Debug)]
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

impl<'a> Series<'a> {
    /// Creates a series without a clock.
    pub fn new(setup: &'a Setup, players: [&'a Player; 2], deals: Deals) -> Series<'a> {
        Series { setup, players, deals, clock: None }
    }

    /// Plays pair `index`.
    pub fn pair(&self, generator: &mut Generator<'_>, index: u64) -> Pair {
        let pair = self.pair_until(generator, index, &NoMonitor);
        pair.unwrap_or_else(|| unreachable!("nothing stops this pair"))
    }

    /// Plays pair `index`, or returns `None` if the monitor stops it.
    pub fn pair_until(&self, generator: &mut Generator<'_>, index: u64, monitor: &dyn Monitor) -> Option<Pair> {
        let [a, b] = self.players;
        let [one, other] = self.deals.pair_deals(index);
        let (first, first_moves) = self.game(generator, [a, b], one, monitor)?;
        let (second, second_moves) = self.game(generator, [b, a], other, monitor)?;
        let chosen = |moves: &[ValuedMove]| moves.iter().map(|valued| valued.chosen).collect::<Vec<_>>();
        Some(Pair {
            index,
            games: [first, second],
            games_differ: self.deals.is_unpaired() || chosen(&first_moves) != chosen(&second_moves),
            moves: Some([first_moves, second_moves]),
        })
    }

    /// Plays a game and lists its moves, or returns `None` if the monitor stops it.
    fn game(
        &self,
        generator: &mut Generator<'_>,
        players: [&Player; 2],
        deal: u64,
        monitor: &dyn Monitor,
    ) -> Option<(GameResult, Vec<ValuedMove>)> {
        let mut moves = Vec::new();
        let see = |seen: &TurnSeen<'_>| moves.push(seen.chosen);
        let finished = play_timed_game(generator, players, self.deals, deal, self.clock.as_ref(), monitor, see)?;
        Some((finished, moves))
    }

    /// Plays the pairs of a range on all threads. The monitor counts pairs. If it stops early, the pairs that were finished
    /// count. Pairs in progress are abandoned.
    pub fn play(&self, pairs: Range<u64>, monitor: &dyn Monitor) -> Tally {
        self.each(pairs, monitor, |pair| pair.tally()).reduce(Tally::default, |sum, tally| sum.plus(&tally))
    }

    /// Plays the pairs of a range on all threads. They come in the order of their numbers. Stopped early, it gives the pairs
    /// that were finished, which can have gaps.
    pub fn play_each(&self, pairs: Range<u64>, monitor: &dyn Monitor) -> Vec<Pair> {
        self.each(pairs, monitor, |pair| pair).collect()
    }

    /// Like [`Series::play`], but `None` if the monitor has stopped it before the end.
    pub fn play_all(&self, pairs: Range<u64>, monitor: &dyn Monitor) -> Option<Tally> {
        let count = pairs.end.saturating_sub(pairs.start);
        Some(self.play(pairs, monitor)).filter(|played| played.pairs == count)
    }

    /// The results of `make` for each pair of a range, on all threads, in the order of their numbers. They lack the pairs
    /// that the monitor has stopped.
    fn each<T: Send>(
        &self,
        pairs: Range<u64>,
        monitor: &dyn Monitor,
        make: impl Fn(Pair) -> T + Sync + Send,
    ) -> impl ParallelIterator<Item = T> {
        let play = move |generator: &mut Generator<'_>, index| {
            let played = make(self.pair_until(generator, index, monitor)?);
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
    use crate::deals::Domain;

    #[test]
    fn overtime_is_paid_for() {
        let setup = Setup::embedded("english").unwrap();
        let [greedy, sim] = ["greedy", "sim"].map(|name| Player::from_name(name, Loader::new(&setup)).unwrap());
        let mut generator = Generator::new(&setup);
        let untimed = Series::new(&setup, [&greedy; 2], Domain::Match.deals(1));
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

    #[test]
    fn pairs_add_up_and_mirrored_pairs_do_not_differ() {
        let setup = Setup::embedded("english").unwrap();
        let [greedy, leave] = ["greedy", "leave"].map(|name| Player::from_name(name, Loader::new(&setup)).unwrap());
        let series = Series::new(&setup, [&leave, &greedy], Domain::Match.deals(5));
        let pairs = series.play_each(0..40, &NoMonitor);
        assert!(pairs.iter().map(|pair| pair.index).eq(0..40));
        let sum = pairs.iter().fold(Tally::default(), |sum, pair| sum.plus(&pair.tally()));
        assert_eq!(sum, series.play(0..40, &NoMonitor));
        assert!(sum.games_differ > 20);

        let same = Series { players: [&leave; 2], ..series }.play_each(0..5, &NoMonitor);
        assert!(same.iter().all(|pair| !pair.games_differ && pair.half_wins() == 2));
    }

    #[test]
    fn unpaired_games_have_deals_of_their_own() {
        let setup = Setup::embedded("english").unwrap();
        let leave = Player::from_name("leave", Loader::new(&setup)).unwrap();
        let series = Series::new(&setup, [&leave; 2], Domain::UnpairedMatch.deals(5));
        let pairs = series.play_each(0..20, &NoMonitor);
        assert!(pairs.iter().all(|pair| pair.games_differ));
        assert!(pairs.iter().any(|pair| pair.half_wins() != 2));
        let (finished, moves) = series.game(&mut Generator::new(&setup), [&leave; 2], 7, &NoMonitor).unwrap();
        assert_eq!((&pairs[3].games[1], &pairs[3].moves.as_ref().unwrap()[1]), (&finished, &moves));
    }
}
