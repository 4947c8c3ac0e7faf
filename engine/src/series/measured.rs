//! Measured pairs: their games, the luck of the draw, and whether their games differ.

use std::ops::Range;

use rayon::iter::ParallelIterator;
use serde::{Deserialize, Serialize};

use super::Series;
use super::luck::{DrawLuck, TileValues};
use super::pair::Pair;
use super::tally::{PairSums, Tally};
use crate::monitor::{Monitor, NoMonitor};
use crate::movegen::{Generator, ValuedMove};
use crate::player::Player;
use crate::selfplay::{GameResult, play_timed_game};

/// A series whose pairs are measured.
#[derive(Clone)]
pub struct MeasuredSeries<'a> {
    /// The series.
    pub series: Series<'a>,
    /// The tile values that measure luck.
    pub values: TileValues,
    /// Whether pairs keep the moves of their games.
    pub keeps_moves: bool,
}

/// A pair with the luck of its draws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuredPair {
    /// The games.
    pub pair: Pair,
    /// The luck of A less that of B in each game, in thousandths of a point.
    pub luck: [i64; 2],
    /// Whether any move of the two games differs. If none does, the second game is the first one with the seats swapped.
    pub games_differ: bool,
    /// The moves of each game, if the series keeps them; [`replay_game`](crate::selfplay::replay_game) makes them again.
    pub moves: Option<[Vec<ValuedMove>; 2]>,
}

impl MeasuredPair {
    /// The tally of this pair alone, with its luck.
    pub fn tally(&self) -> Tally {
        let luck = i128::from(self.luck[0] + self.luck[1]);
        let measured = PairSums {
            pairs: 1,
            games_differ: u64::from(self.games_differ),
            luck_sum: luck,
            luck_squares: luck * luck,
            luck_spread: luck * i128::from(self.pair.spread()),
            luck_half_wins: luck * i128::from(self.pair.half_wins()),
        };
        Tally { measured, ..self.pair.tally() }
    }
}

impl<'a> MeasuredSeries<'a> {
    /// Creates a measured series with the values of [`TileValues::for_match`] for its players.
    pub fn new(series: Series<'a>) -> MeasuredSeries<'a> {
        MeasuredSeries { values: TileValues::for_match(series.setup, &series.players), series, keeps_moves: false }
    }

    /// Plays pair `index`.
    pub fn pair(&self, generator: &mut Generator<'_>, index: u64) -> MeasuredPair {
        let pair = self.pair_until(generator, index, &NoMonitor);
        pair.unwrap_or_else(|| unreachable!("nothing stops this pair"))
    }

    /// Plays pair `index`; `None` if the monitor stops it.
    pub(super) fn pair_until(
        &self,
        generator: &mut Generator<'_>,
        index: u64,
        monitor: &dyn Monitor,
    ) -> Option<MeasuredPair> {
        let [a, b] = self.series.players;
        let Series { deals, .. } = self.series;
        let [one, other] = deals.pair_deals(index);
        let mut moves = [Vec::new(), Vec::new()];
        let (first, first_luck) = self.game(generator, [a, b], one, monitor, &mut moves[0])?;
        let (second, second_luck) = self.game(generator, [b, a], other, monitor, &mut moves[1])?;
        let [one, other] = moves.each_ref().map(|moves| moves.iter().map(|valued| valued.chosen));
        Some(MeasuredPair {
            pair: Pair { index, games: [first, second] },
            luck: [first_luck, -second_luck],
            games_differ: deals.is_unpaired() || one.ne(other),
            moves: self.keeps_moves.then_some(moves),
        })
    }

    /// Plays a game and lists its moves; returns it with the luck of the player who moves first less the other player's. `None` if the
    /// monitor stops it.
    fn game(
        &self,
        generator: &mut Generator<'_>,
        players: [&Player; 2],
        deal: u64,
        monitor: &dyn Monitor,
        moves: &mut Vec<ValuedMove>,
    ) -> Option<(GameResult, i64)> {
        let Series { setup, deals, ref clock, .. } = self.series;
        let mut luck = DrawLuck::new(setup, &self.values);
        let finished = play_timed_game(generator, players, deals, deal, clock.as_ref(), monitor, |seen| {
            luck.see(seen.game, &seen.chosen.chosen);
            moves.push(seen.chosen);
        })?;
        Some((finished, luck.first_minus_second()))
    }

    /// Plays the pairs of a range on all threads and counts them, as [`Series::play`] does.
    pub fn play(&self, pairs: Range<u64>, monitor: &dyn Monitor) -> Tally {
        let tally = |generator: &mut Generator<'_>, index| Some(self.pair_until(generator, index, monitor)?.tally());
        self.series.each(pairs, monitor, tally).reduce(Tally::default, |sum, tally| sum.plus(&tally))
    }

    /// Plays the pairs of a range on all threads; they come in the order of their numbers. Stopped early, it gives the pairs that
    /// were finished, which can have gaps.
    pub fn play_each(&self, pairs: Range<u64>, monitor: &dyn Monitor) -> Vec<MeasuredPair> {
        self.series.each(pairs, monitor, |generator, index| self.pair_until(generator, index, monitor)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefact::Loader;
    use crate::deals::Purpose;
    use crate::setup::Setup;

    #[test]
    fn measuring_changes_no_game_and_mirrored_pairs_have_no_luck() {
        let setup = Setup::embedded("english").unwrap();
        let [greedy, leave] = ["greedy", "leave"].map(|name| Player::from_name(name, Loader::new(&setup)).unwrap());
        let series = Series { setup: &setup, players: [&leave, &greedy], deals: Purpose::Match.deals(5), clock: None };
        let measured = MeasuredSeries::new(series);
        let pairs = measured.play_each(0..40, &NoMonitor);
        assert!(pairs.iter().map(|measured| measured.pair.index).eq(0..40));
        let sum = pairs.iter().fold(Tally::default(), |sum, pair| sum.plus(&pair.tally()));
        assert_eq!(sum, measured.play(0..40, &NoMonitor));
        assert_eq!(Tally { measured: PairSums::default(), ..sum.clone() }, series.play(0..40, &NoMonitor));
        assert_eq!(sum.measured.pairs, 40);
        assert!(sum.measured.games_differ > 20);

        let same = MeasuredSeries::new(Series { players: [&leave; 2], ..series }).play_each(0..5, &NoMonitor);
        assert!(same.iter().all(|pair| !pair.games_differ && pair.luck[0] == -pair.luck[1] && pair.pair.half_wins() == 2));
    }

    #[test]
    fn unpaired_games_have_deals_of_their_own() {
        let setup = Setup::embedded("english").unwrap();
        let leave = Player::from_name("leave", Loader::new(&setup)).unwrap();
        let series = Series { setup: &setup, players: [&leave; 2], deals: Purpose::UnpairedMatch.deals(5), clock: None };
        let unpaired = MeasuredSeries::new(series);
        let pairs = unpaired.play_each(0..20, &NoMonitor);
        assert!(pairs.iter().all(|pair| pair.games_differ));
        assert!(pairs.iter().any(|measured| measured.pair.half_wins() != 2));
        let (finished, luck) =
            unpaired.game(&mut Generator::new(&setup), [&leave; 2], 7, &NoMonitor, &mut Vec::new()).unwrap();
        assert_eq!((pairs[3].pair.games[1], pairs[3].luck[1]), (finished, -luck));
    }
}
