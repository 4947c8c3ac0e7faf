//! The sums over pairs that all results of a series are computed from.

use serde::{Deserialize, Serialize};

use crate::player::external::FaultCounts;

/// The sums over a series of pairs, from the view of player A. They are integers, so that the order of adding does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Tally {
    /// Pairs played.
    pub pairs: u64,
    /// Pairs whose two games differ in any move.
    pub games_differ: u64,
    /// Pairs in which A won 0, ½, 1, 1½, 2 games (a draw is half a win).
    pub outcomes: [u64; 5],
    /// Sum over pairs of A's spread in both games, in points.
    pub spread_sum: i64,
    /// Sum over pairs of the square of the spread of a pair.
    pub spread_squares: u64,
    /// Half wins of the player who moved first, over all games.
    pub first_mover_half_wins: u64,
    /// Points of A and of B over all games.
    pub scores: [i64; 2],
    /// Bingos of A and of B over all games.
    pub bingos: [u64; 2],
    /// Turns of all games.
    pub turns: u64,
    /// Sums over pairs of the squares of the pair's scores, bingos, turns and first moves.
    pub squares: Squares,
    /// Points that A and B paid for overtime, over all games.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub penalties: [u64; 2],
    /// Faults of A and of B, where they are external players, over all games.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub faults: [FaultCounts; 2],
    /// Games that A and B forfeited by their faults.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub forfeits: [u64; 2],
}

fn is_nothing<T: Default + PartialEq>(counts: &T) -> bool {
    *counts == T::default()
}

impl Tally {
    /// The sum of both tallies.
    #[must_use]
    pub fn plus(mut self, other: &Tally) -> Tally {
        self.pairs = self.pairs.saturating_add(other.pairs);
        self.games_differ = self.games_differ.saturating_add(other.games_differ);
        self.outcomes.iter_mut().zip(other.outcomes).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self.spread_sum = self.spread_sum.saturating_add(other.spread_sum);
        self.spread_squares = self.spread_squares.saturating_add(other.spread_squares);
        self.first_mover_half_wins = self.first_mover_half_wins.saturating_add(other.first_mover_half_wins);
        self.scores.iter_mut().zip(other.scores).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self.bingos.iter_mut().zip(other.bingos).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self.turns = self.turns.saturating_add(other.turns);
        self.squares.add(&other.squares);
        self.penalties.iter_mut().zip(other.penalties).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self.faults.iter_mut().zip(&other.faults).for_each(|(mine, theirs)| *mine = mine.plus(theirs));
        self.forfeits.iter_mut().zip(other.forfeits).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self
    }
}

/// Sums over pairs of the squares of the pair's total over both games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Squares {
    /// Half wins of the player who moved first.
    pub first_mover_half_wins: u64,
    /// Points of A and of B.
    pub scores: [u64; 2],
    /// Bingos of A and of B.
    pub bingos: [u64; 2],
    /// Turns.
    pub turns: u64,
}

impl Squares {
    fn add(&mut self, other: &Squares) {
        self.first_mover_half_wins = self.first_mover_half_wins.saturating_add(other.first_mover_half_wins);
        self.scores.iter_mut().zip(other.scores).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self.bingos.iter_mut().zip(other.bingos).for_each(|(mine, theirs)| *mine = mine.saturating_add(theirs));
        self.turns = self.turns.saturating_add(other.turns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::GameResult;

    #[test]
    fn sums_that_no_games_have_neither_wrap_nor_panic() {
        let most = Tally { pairs: u64::MAX, outcomes: [u64::MAX; 5], spread_sum: i64::MAX, turns: 7, ..Tally::default() };
        let sum = most.clone().plus(&most);
        assert_eq!((sum.pairs, sum.outcomes, sum.spread_sum, sum.turns), (u64::MAX, [u64::MAX; 5], i64::MAX, 14));
        assert!(sum.summary().is_some());
        for (score, is_read) in [(500_000_000, true), (500_000_001, false), (i32::MIN, false)] {
            let game = GameResult { scores: [0, score], ..GameResult::default() };
            assert_eq!(serde_json::from_str::<GameResult>(&serde_json::to_string(&game).unwrap()).is_ok(), is_read);
        }
    }

    /// A tally whose figures are all different multiples of a factor.
    fn tally(factor: u64) -> Tally {
        let times = |figure: u64| factor * figure;
        let pair = |one: u64, other: u64| [times(one), times(other)];
        let fault = |first: u64| {
            let [illegal, nonsense, late, gone] = [0, 1, 2, 3].map(|next| times(first + next));
            FaultCounts { illegal, nonsense, late, gone }
        };
        Tally {
            pairs: times(1),
            games_differ: times(31),
            outcomes: [2, 3, 4, 5, 6].map(times),
            spread_sum: times(7) as i64,
            spread_squares: times(8),
            first_mover_half_wins: times(9),
            scores: pair(10, 11).map(|points| points as i64),
            bingos: pair(12, 13),
            turns: times(14),
            squares: Squares {
                first_mover_half_wins: times(15),
                scores: pair(16, 17),
                bingos: pair(18, 19),
                turns: times(20),
            },
            penalties: pair(21, 22),
            faults: [fault(23), fault(27)],
            forfeits: pair(37, 38),
        }
    }

    #[test]
    fn tallies_add_up() {
        assert_eq!(tally(2).plus(&tally(3)), tally(5));
        assert_eq!(Tally::default().plus(&tally(3)), tally(3));
    }
}
